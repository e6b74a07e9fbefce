import { type Html, html } from './html.ts'
import type { Reply } from './reply.ts'

/** Pages load nothing from elsewhere, run no inline script, and send their forms to this server. */
export const pagePolicy = (formTargets = "'self'"): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action ${formTargets}; base-uri 'none'; frame-ancestors 'none'`

/** A page for people, ready to be sent. */
export type Page = Extract<Reply, { kind: 'bytes' }> & { readonly body: string }

/** A page with this title and body. Its style is a file of its own, so that the policy can forbid anything inline. */
export const page = (title: string, body: Html, status = 200, headers: Record<string, string> = {}): Page =>
  drawn({ title, body, status, headers })

const ways: readonly (readonly [path: string, name: string])[] = [
  ['/app/workspaces', 'Workspaces'],
  ['/app/settings/tokens', 'Tokens'],
]

/** A page for people who are signed in: it leads to the others. */
export const signedInPage = (title: string, body: Html, status = 200): Page => {
  const links = ways.map(([path, name]) => html`<a href="${path}">${name}</a>`)
  return drawn({ title, body, status, headers: {}, navigation: html`<nav>${links}</nav>` })
}

type Drawing = { title: string; body: Html; status: number; headers: Record<string, string>; navigation?: Html }

function drawn({ title, body, status, headers, navigation }: Drawing): Page {
  const whole = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Holdfast</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/app/sign-in.css"></head>
<body><header><a class="home" href="/app">Holdfast</a>${navigation}</header><main><h1>${title}</h1>${body}</main></body></html>
`
  return { kind: 'bytes', contentType: 'text/html; charset=utf-8', body: whole.html, status, headers }
}
