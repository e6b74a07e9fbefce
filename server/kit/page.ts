import { type Html, html } from './html.ts'
import type { Reply } from './reply.ts'

/** Where the name of the product leads on every page; whoever has the start page answers there. */
export const startAddress = '/app'

/** Where the style of all pages is: a file of its own, so that the policy can forbid anything inline. */
export const styleAddress = '/app/sign-in.css'

/** Pages load nothing from elsewhere, run no inline script, and send their forms to this server. */
export const pagePolicy = (formTargets = "'self'"): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action ${formTargets}; base-uri 'none'; frame-ancestors 'none'`

/** The ways to other pages, which every page for people who are signed in has. */
const navigationLinks = [
  ['/app/workspaces', 'Workspaces'],
  ['/app/account/tokens', 'Tokens'],
  ['/docs', 'API'],
] as const

/** The navigation of a page, which belongs to one of its links or to none. */
export function navigationFor(section?: (typeof navigationLinks)[number][1]): Html {
  const links = navigationLinks.map(
    ([path, name]) => html`<a href="${path}"${name === section ? html` aria-current="true"` : undefined}>${name}</a>`,
  )
  return html`<nav>${links}</nav>`
}

/** A page for people, ready to be sent. */
export type Page = Extract<Reply, { kind: 'bytes' }> & { readonly body: string }

/** What a page has beside its title and body. */
export type PageExtras = {
  readonly status?: number
  readonly headers?: Record<string, string>
  /** The ways to other pages, beside the name of the product. */
  readonly navigation?: Html
  /** The title of the window, where pages have the same heading. */
  readonly windowTitle?: string
}

/** A time to the minute, in UTC: the server does not know the reader's time zone. */
export const timeElement = (iso: string): Html =>
  html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`

/** A bench holdfast: a hook that presses a plate. */
const mark = html`<svg class="mark" width="26" height="32" viewBox="5.2 1.2 18.2 22" aria-hidden="true"><path d="M7 21.5V8.2A5.2 5.2 0 0 1 12.2 3C16 3 18.5 5.6 18.5 10.2"/><path class="plate" d="M12.4 15.2H21.6"/></svg>`

/** A page with this title and body. */
export function page(title: string, body: Html, extras: PageExtras = {}): Page {
  const { status = 200, headers = {}, navigation, windowTitle = title } = extras
  const whole = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${windowTitle} – Holdfast</title><link rel="icon" href="/app/assets/mark.svg" type="image/svg+xml"><link rel="stylesheet"href="${styleAddress}"></head>
<body><a class="skip" href="#content">Skip to the content</a>
<div class="card"><header><a class="home" href="${startAddress}">${mark}Holdfast</a>${navigation}</header>
<main id="content" tabindex="-1"><h1>${title}</h1>${body}</main></div>
<footer><a href="/docs">API reference</a></footer></body></html>
`
  return { kind: 'bytes', contentType: 'text/html; charset=utf-8', body: whole.html, status, headers }
}
