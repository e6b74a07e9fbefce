const slash = 0x2f

/**
 * The text without slashes at its end. A regular expression for this would start again at every slash, so that a long
 * row of them in the middle takes quadratic time.
 */
export function withoutEndSlashes(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === slash) end--
  return text.slice(0, end)
}

/** The text without slashes at its beginning and its end. */
export const withoutOuterSlashes = (text: string): string => withoutEndSlashes(text).replace(/^\/+/, '')
