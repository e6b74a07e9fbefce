/** Which pages of other origins may use `/v1`, and which headers they may send beside the usual ones. */
export type CrossOrigin = { readonly origins: readonly string[]; readonly headers: readonly string[] }

const everybody = '*'
const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/i
/** A header name (RFC 9110 §5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** Why these terms are invalid; undefined if they are valid. */
export function crossOriginProblem({ origins, headers }: CrossOrigin): string | undefined {
  if (origins.length === 0) return 'at least one origin or the wildcard must be provided'
  if (origins.includes(everybody) && origins.length > 1) {
    return "to allow all origins, '*' must be the only value of allowed_origins"
  }
  const odd = origins.find((each) => each !== everybody && !origin.test(each))
  if (odd !== undefined) return `'${odd}' is not an origin such as https://app.example.com`
  const unsendable = headers.find((each) => !token.test(each))
  return unsendable === undefined ? undefined : `'${unsendable}' is not the name of a header`
}

/** True if pages of an origin may call. Scheme and host are compared without case (RFC 6454 §4). */
export const allowsOrigin = ({ origins }: CrossOrigin, asking: string): boolean =>
  origins[0] === everybody || origins.some((each) => each.toLowerCase() === asking.toLowerCase())
