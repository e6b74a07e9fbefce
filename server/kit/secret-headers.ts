/** The headers that carry the key of another server. */
export const keyHeaderNames = { root: 'X-Holdfast-Seal-Key', recovery: 'X-Holdfast-Recovery-Key' } as const

/** The header in which our pages prove that a request with the cookie of a session comes from them. */
export const csrfHeaderName = 'x-csrf-token'

/**
 * Request headers that hold secrets, in lower case: they are never written down, whoever asks for it. Those that carry
 * tokens are emptied as soon as they are read.
 */
export const secretHeaders: ReadonlySet<string> = new Set([
  ...Object.values(keyHeaderNames).map((name) => name.toLowerCase()),
  csrfHeaderName,
  'authorization',
  'proxy-authorization',
  'cookie',
])
