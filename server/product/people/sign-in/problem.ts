import { type Html, html } from '../../../kit/html.ts'

/** What went wrong, and the status of the page that says so. */
export type Problem = { readonly text: string; readonly status: number; readonly headers?: Record<string, string> }

/** What went wrong, above the form that it is about; nothing if all is well. */
export const problemText = (problem: string | undefined): Html =>
  problem === undefined ? html`` : html`<p class="problem" role="alert" id="problem">${problem}</p>`

/** Ties a field to the problem of its form, so that screen readers say it where the next attempt begins. */
export const tiedToProblem = (concerned: boolean): Html | undefined =>
  concerned ? html` aria-invalid="true" aria-describedby="problem"` : undefined

/** Screen readers say the title of a page first, so that it begins with the bad news. */
export const windowTitleOf = (title: string, problem: Problem | undefined): string =>
  problem ? `Error: ${title}` : title
