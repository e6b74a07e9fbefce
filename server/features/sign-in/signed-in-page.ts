import { type Html, html } from '../../kit/html.ts'
import { type Page, page } from '../../kit/page.ts'

const ways: readonly (readonly [path: string, name: string])[] = [
  ['/app/workspaces', 'Workspaces'],
  ['/app/settings/tokens', 'Tokens'],
]

/** A page for people who are signed in: it leads to the others. */
export function signedInPage(title: string, body: Html, status = 200): Page {
  const links = ways.map(([path, name]) => html`<a href="${path}">${name}</a>`)
  return page(title, body, { status, navigation: html`<nav>${links}</nav>` })
}
