import { nothing, type Reply } from '../../kit/reply.ts'

/** Pages exist below both prefixes that people type. */
export const pagePrefixes = ['/app', '/ui'] as const

/** One of the prefixes of pages. */
export type PagePrefix = (typeof pagePrefixes)[number]

/** Redirects the browser. */
export const redirectTo = (path: string, cookie?: string): Reply =>
  nothing(303, { Location: path, 'Cache-Control': 'no-store', ...(cookie ? { 'Set-Cookie': cookie } : {}) })
