import { type Endpoint, endpoint, open } from '../../../kit/endpoint.ts'
import { nothing, type Reply } from '../../../kit/reply.ts'

/** Pages exist below both prefixes that people type. */
export const pagePrefixes = ['/app', '/ui'] as const

/** One of the prefixes of pages. */
export type PagePrefix = (typeof pagePrefixes)[number]

/** The part of an address that a parameter of the path stands for. */
const encoded = (params: Readonly<Record<string, string | undefined>>, path: string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

/**
 * Leads from an address that people type, or that is left in the browser after a form was answered with a refusal, to the
 * page that they mean.
 */
export const leadToPage = (
  route: `/${string}`,
  page: `/${string}`,
  params: Endpoint['params'],
): ReturnType<typeof endpoint> =>
  endpoint({
    id: `sign-in.page-of${route.replace(/[/:]+/g, '.')}`,
    route: `GET ${route}`,
    summary: 'Redirect to the page that this address stands for.',
    access: open('It only says where the page is.'),
    params: params ?? {},
    returns: { 303: null },
    handle: (call) => redirectTo(encoded(call.params, page)),
  })

/** Redirects the browser. */
export const redirectTo = (path: string, cookie?: string): Reply =>
  nothing(303, { Location: path, 'Cache-Control': 'no-store', ...(cookie ? { 'Set-Cookie': cookie } : {}) })
