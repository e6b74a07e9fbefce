import { type Html, html } from '../../../kit/html.ts'
import type { PageRequest, Relationship, Resource } from '../../../kit/jsonapi/index.ts'
import type { Problem } from '../../people/sign-in/index.ts'

/** An attribute as text; empty where there is none. */
export const attributeText = (resource: Resource | undefined, name: string): string => {
  const value = resource?.attributes?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Which part of a list a page shows. */
type ListPart = { readonly page: PageRequest; readonly shown: number; readonly total: number }

/** The number in the query of a page; the first page, and a problem to show, for anything that is none. */
export function pageNumberIn(text: string): { readonly number: number; readonly problem: Problem | undefined } {
  const isNumber = /^0*[1-9]\d{0,8}$/.test(text)
  const problem = { text: `“${text.slice(0, 40)}” is not the number of a page. This is the first one.`, status: 400 }
  return isNumber ? { number: Number(text), problem: undefined } : { number: 1, problem }
}

/** The query that asks for a page; empty for the first. */
export const pageQuery = (number: number): string => (number > 1 ? `?page=${number}` : '')

/** The title of the window, which tells the pages of a list apart. */
export const pagedTitle = (title: string, { number }: PageRequest): string =>
  number > 1 ? `${title}, page ${number}` : title

/** Which entries these are, and the ways to those before and after them. */
export function pageLinks({ page, shown, total }: ListPart, addressOf: (number: number) => string): Html {
  const first = (page.number - 1) * page.size + 1
  const last = first + shown - 1
  const to = (number: number, name: string): Html => html`<a href="${addressOf(number)}">${name}</a>`
  return html`<nav class="pages" aria-label="Pages"><span>${first} to ${last} of ${total}</span>${
    page.number > 1 ? to(page.number - 1, 'Previous') : undefined
  }${last < total ? to(page.number + 1, 'Next') : undefined}</nav>`
}

/** The name of a holder or author, and that it is a team; empty for a team which the reader cannot see. */
export function holderName(holders: readonly Resource[], relationship: Relationship | undefined): string {
  const by = relationship?.data as Partial<Resource> | null | undefined
  const holder = holders.find(({ type, id }) => type === by?.type && id === by?.id)
  const name = attributeText(holder, 'name')
  return attributeText(holder, 'username') || (name && `team ${name}`)
}
