import { withoutEndSlashes } from '../../../kernel/slashes.ts'

/** An endpoint as a URL without a slash at its end; one that was given as a host gets the scheme. */
export function endpointUrl(endpoint: string, plain: boolean): string {
  const url = /^https?:\/\//i.test(endpoint) ? endpoint : `${plain ? 'http' : 'https'}://${endpoint}`
  return withoutEndSlashes(url)
}
