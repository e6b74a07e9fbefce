import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import {
  type Call,
  defineEndpoints,
  defineSystemEndpoints,
  type Endpoint,
  endpoint,
  open,
  optional,
  querySchema,
  Type,
} from '../kit/endpoint.ts'
import { namesTag } from '../kit/entity-tag.ts'
import { type Html, html } from '../kit/html.ts'
import { bytes, nothing, type Reply } from '../kit/reply.ts'
import { openApiDocument, openApiPath } from './openapi.ts'

type Form = { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> }

/** As it is and compressed; each has a strong tag of its own, since their bytes differ (RFC 9110 §8.8.1). */
type Forms = { readonly plain: Form; readonly gzip: Form }

/** May be kept by anybody, but is asked for again each time: the next version of the server has another one. */
const caching = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' } as const

function formsOf(text: string): Forms {
  const body = Buffer.from(text)
  const digest = hash('sha256', body, 'base64url').slice(0, 27)
  return {
    plain: { body, headers: { ...caching, ETag: `"${digest}"` } },
    gzip: {
      body: gzipSync(body),
      headers: { ...caching, ETag: `"${digest}-gzip"`, 'Content-Encoding': 'gzip' },
    },
  }
}

/**
 * Answers with a long text that takes long to write and that anybody may ask for. It is written, compressed and hashed
 * once, when somebody asks for it: the start need not wait for it, nor memory hold it.
 */
export function keptText(contentType: string, write: () => string): (call: Pick<Call, 'request'>) => Reply {
  let forms: Forms | undefined
  return ({ request: { headers } }) => {
    forms ??= formsOf(write())
    const form = acceptsCoding(headers['accept-encoding'], 'gzip') ? forms.gzip : forms.plain
    const { 'Content-Encoding': _, ...unchanged } = form.headers
    return isNamed(headers['if-none-match'], forms)
      ? nothing(304, unchanged)
      : bytes(contentType, form.body, { headers: form.headers })
  }
}

/** True if the caller has the text, in either form. */
const isNamed = (ifNoneMatch: string | undefined, { plain, gzip }: Forms): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' || [plain, gzip].some((form) => namesTag(ifNoneMatch, form.headers.ETag ?? '')))

/** True if `Accept-Encoding` names this coding, or any, without a weight of zero (RFC 9110 §12.5.3). */
export function acceptsCoding(accepted = '', coding: 'gzip' | 'br'): boolean {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((each) => {
        const [name = '', ...parameters] = each.split(';').map((part) => part.trim())
        const weight = parameters.find((parameter) => parameter.startsWith('q='))
        return [name, weight === undefined ? 1 : Number(weight.slice(2))]
      }),
  )
  return (weights.get(coding) ?? weights.get(`x-${coding}`) ?? weights.get('*') ?? 0) > 0
}

const why = 'The interface is public; what it protects is not.'

const json = 'application/json'

const ifNoneMatch = {
  'If-None-Match': 'The `ETag` of an earlier response: if it is still current, the response is 304.',
}

const document = Type.Record(Type.String(), Type.Unknown(), { description: 'An OpenAPI document.' })

/** The OpenAPI document and a page to read it, over the endpoints given and their own. */
export function referenceEndpoints(endpoints: readonly Endpoint[], version: string): readonly Endpoint[] {
  const v1 = endpoints.filter((each) => each.api === 'v1')
  const whole = keptText(json, () => JSON.stringify(openApiDocument(endpoints, version)))
  const ofV1 = keptText(json, () => JSON.stringify(openApiDocument(v1, version)))
  const page = keptText('text/html; charset=utf-8', () => referencePage(endpoints, version))
  return [
    ...defineSystemEndpoints([
      endpoint({
        id: 'reference.v1',
        route: 'GET /internal/specs/openapi',
        summary: 'Return the OpenAPI document of /v1.',
        access: optional(why),
        bareAnswer: true,
        headers: ifNoneMatch,
        returns: { 200: document, 304: null },
        handle: ofV1,
      }),
    ]),
    ...defineEndpoints('site', [
      endpoint({
        id: 'reference.document',
        route: 'GET /openapi.json',
        summary: 'Return the OpenAPI document of both APIs.',
        access: open(why),
        unaudited: true,
        whileSealed: true,
        headers: ifNoneMatch,
        returns: { 200: document, 304: null },
        handle: whole,
      }),
      endpoint({
        id: 'reference.page',
        route: 'GET /docs',
        summary: 'Show this API reference as a web page.',
        access: open(why),
        unaudited: true,
        whileSealed: true,
        headers: ifNoneMatch,
        returns: { 200: null, 304: null },
        handle: page,
      }),
      endpoint({
        id: 'reference.style',
        route: 'GET /docs/reference.css',
        summary: 'Return the style sheet of the API reference page.',
        access: open(why),
        unaudited: true,
        whileSealed: true,
        handle: () => bytes('text/css; charset=utf-8', style),
      }),
    ]),
  ]
}

/** A sentence of the API's own: text in backticks is code. */
const prose = (text: string): readonly Html[] =>
  text.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))

/** One page without script: an index by area, then every endpoint with its fields. */
function referencePage(endpoints: readonly Endpoint[], version: string): string {
  const areas = Map.groupBy(endpoints, areaOf)
  const names = [...areas.keys()].sort((a, b) => Number(a === pages) - Number(b === pages) || (a < b ? -1 : 1))
  const index = names.map((name) => html`<li><a href="#${name}">${name}</a></li>`)
  const sections = names.map((name) => section(name, areas.get(name) ?? []))
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Holdfast API</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/reference.css"></head><body>
<a class="skip" href="#endpoints">Skip to the endpoints</a>
<header><h1>Holdfast API</h1><p>Version ${version}. The same as <a href="/openapi.json">OpenAPI 3.1</a>. <a href="/app">Go to the start page</a></p></header>
<nav aria-label="Areas"><ul>${index}</ul></nav><main id="endpoints" tabindex="-1">${sections}</main></body></html>`.html
}

/** The area of what is made for people with a browser; it stands last. */
const pages = 'web-pages'

const areaOf = (each: Endpoint): string =>
  /^\/(?:app|ui)(?:\/|$)/.test(openApiPath(each)) ? pages : (each.id.split('.')[0] as string)

const section = (name: string, endpoints: readonly Endpoint[]): Html =>
  html`<section id="${name}"><h2>${name}</h2>${endpoints.map(article)}</section>`

function article(each: Endpoint): Html {
  const access = each.access.kind === 'rule' ? each.access.name : each.access.kind
  const description = each.description === undefined ? undefined : html`<p>${prose(each.description)}</p>`
  return html`<article id="${each.id}"><h3><code class="verb">${each.verb}</code> <code>${openApiPath(each)}</code></h3>
<p>${prose(each.summary)} <span class="access">Access: ${access}</span></p>${description}${fieldTable(each)}</article>`
}

type Described = {
  description?: string
  type?: string
  properties?: Record<string, Described>
  items?: Described
  anyOf?: readonly Described[]
}
type Row = readonly [name: string, type: Described]

function fieldTable(each: Endpoint): Html | undefined {
  const query = Object.entries((querySchema(each) as Described | undefined)?.properties ?? {})
  const queryRows = query.map(([name, type]): Row => [`?${name}`, type])
  const headers = Object.entries(each.headers ?? {}).map(([name, description]): Row => [`${name}:`, { description }])
  const body = each.body?.schema as Described | undefined
  // Of several shapes that say the same, the plain one comes first.
  const rows = [...queryRows, ...headers, ...bodyRows(body?.anyOf?.[0] ?? body)]
  if (rows.length === 0) return undefined
  const cells = rows.map(
    ([name, { type, description = '' }]) =>
      html`<tr><td><code>${name}</code></td><td>${type}</td><td>${prose(description)}</td></tr>`,
  )
  return html`<table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${cells}</tbody></table>`
}

/** The members of a document are shown by their place: `data.attributes.name`. */
function bodyRows(schema: Described | undefined): Row[] {
  const top = schema?.properties ?? {}
  const data = top.data?.items ?? top.data
  if (!data?.properties) return Object.entries(top)
  const below = top.data?.items ? 'data[]' : 'data'
  const part = (name: 'attributes' | 'relationships'): Row[] =>
    Object.entries(data.properties?.[name]?.properties ?? {}).map(([key, type]) => [`${below}.${name}.${key}`, type])
  const rows = [...part('attributes'), ...part('relationships')]
  return rows.length > 0 ? rows : Object.entries(data.properties).map(([key, type]) => [`${below}.${key}`, type])
}

const style = readFileSync(new URL('./reference.css', import.meta.url), 'utf8')
