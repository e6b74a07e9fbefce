const slash = 0x2f

/**
 * The text without slashes at its end. Regular expressions for the end of a text start anew at every slash, so that a long
 * row of them elsewhere holds up everybody.
 */
export function withoutEndSlashes(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === slash) end--
  return text.slice(0, end)
}

/** The text without slashes at its beginning and its end. */
export const withoutOuterSlashes = (text: string): string => withoutEndSlashes(text).replace(/^\/+/, '')
