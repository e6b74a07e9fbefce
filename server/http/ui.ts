import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { failure } from '../kernel/failure.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, open } from '../kit/endpoint.ts'
import { html } from '../kit/html.ts'
import { page, pagePolicy } from '../kit/page.ts'
import { bytes, type Reply } from '../kit/reply.ts'
import { acceptsCoding } from './reference.ts'

/** Where the pages of `web/` are built to: below the program, in a checkout and in a package alike. */
export const builtUi: string = fileURLToPath(new URL('../../web/dist/', import.meta.url))

const shellHeaders = {
  'Content-Security-Policy': pagePolicy(),
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
}

/** The name of a file has a hash of its content, so that it never changes; fonts do not change at all. */
const assetHeaders = { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' }

/** These are asked for by names that stay. */
const plainAssetHeaders = { ...assetHeaders, 'Cache-Control': 'max-age=300' }

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

const isAbsent = (thrown: unknown): boolean => thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'

/** The file, or undefined if it is not there. */
async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined
    throw thrown
  }
}

/** A file as small as the browser takes it, and the header that says so. */
async function smallest(path: string, { request }: Pick<Call, 'request'>) {
  const small = acceptsCoding(request.headers['accept-encoding'], 'br') ? await contentOf(`${path}.br`) : undefined
  return { content: small ?? (await contentOf(path)), coding: small && { 'Content-Encoding': 'br' } }
}

/** The one page: its scripts look at the address. */
async function shell(folder: string, call: Pick<Call, 'request'>): Promise<Reply> {
  const { content, coding } = await smallest(join(folder, 'index.html'), call)
  if (!content) return notBuiltPage
  return bytes('text/html; charset=utf-8', content, { headers: { ...shellHeaders, ...coding } })
}

/** It asks again by itself: `npm start` builds the pages beside the server. */
const notBuiltPage: Reply = page(
  'The pages are being built',
  html`<p>The server is ready; its pages are built beside it, once, which takes a minute or two after the first start. This
page appears anew every few seconds. If nothing happens, build them with <code>npm run ui</code>.</p>
<p>The <a href="/docs">reference of the API</a> and the command line work meanwhile.</p>`,
  { status: 503, headers: { Refresh: '3', 'Retry-After': '3' } },
)

async function asset(folder: string, call: Call<{ file: string }>): Promise<Reply> {
  const { file } = call.params
  const type = contentTypes[file.slice(file.lastIndexOf('.') + 1)]
  const { content, coding } = type === undefined ? {} : await smallest(join(folder, file), call)
  if (type === undefined || content === undefined) throw failure('missing', 'ui.no-file', 'There is no such file.')
  const headers = /-[\w-]{8}\.\w+$|\.woff2$/.test(file) ? assetHeaders : plainAssetHeaders
  return bytes(type, content, { headers: { ...headers, ...coding } })
}

/** True if the pages were built. */
export const isUiBuilt = async (folder: string = builtUi): Promise<boolean> => {
  try {
    return (await stat(join(folder, 'index.html'))).isFile()
  } catch (thrown) {
    if (isAbsent(thrown)) return false
    throw thrown
  }
}

const why = 'The pages are the same for everybody; what they show is asked for with the session.'
const quiet = { access: open(why), unaudited: true, whileSealed: true } as const

const shellRoutes = [
  ['ui.home', '/app'],
  ['ui.home-short', '/ui'],
  // An organization may be called like the addresses of links; these are its pages all the same.
  ['ui.workspaces', '/app/:organization/workspaces'],
  ['ui.workspaces-short', '/ui/:organization/workspaces'],
  ['ui.page', '/app/*page'],
  ['ui.page-short', '/ui/*page'],
] as const

/** The pages of the web UI: one page, and the files that it loads. */
export function uiEndpoints(folder: string = builtUi): readonly Endpoint[] {
  return defineEndpoints('site', [
    ...shellRoutes.map(([id, path]) =>
      endpoint({
        ...quiet,
        id,
        route: `GET ${path}`,
        summary: 'Show the web UI.',
        params: {
          ...(path.endsWith('*page') && { page: { description: 'Address of a page.', example: 'acme/workspaces' } }),
          ...(path.includes(':organization') && { organization: { description: 'Name of the organization.' } }),
        },
        returns: { 200: null, 503: null },
        handle: (call) => shell(folder, call),
      }),
    ),
    endpoint({
      ...quiet,
      id: 'ui.file',
      route: 'GET /app/assets/:file',
      summary: 'Return a script, a style sheet, a font or a picture of the web UI.',
      params: { file: { description: 'Name of the file.', example: 'mark.svg', pattern: /^[\w-][\w.-]*$/ } },
      returns: { 200: null },
      handle: (call) => asset(folder, call as Call<{ file: string }>),
    }),
  ])
}
