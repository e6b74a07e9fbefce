import { type Html, html } from './html.ts'
import type { Reply } from './reply.ts'

/** A page for people, ready to be sent. */
export type Page = Extract<Reply, { kind: 'bytes' }> & { readonly body: string }

/** A page with this title and body. Its style is a file of its own, so that the policy can forbid anything inline. */
export const page = (title: string, body: Html, status = 200, headers: Record<string, string> = {}): Page => {
  const whole = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Holdfast</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/app/sign-in.css"></head>
<body><header><a href="/app">Holdfast</a></header><main><h1>${title}</h1>${body}</main></body></html>
`
  return { kind: 'bytes', contentType: 'text/html; charset=utf-8', body: whole.html, status, headers }
}
