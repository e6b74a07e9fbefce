/** Text that is HTML already. */
export type Html = { readonly html: string }

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Characters that turn the direction of the text after them, also of what does not belong to it. */
const turns = /[\u202A-\u202E\u2066-\u2069]/g

/** A turn of direction is shown as its number: names of strangers must not rearrange a page. */
const shownTurn = (turn: string): string => `\\u${turn.charCodeAt(0).toString(16)}`

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character).replace(turns, shownTurn)

type Part = string | number | Html | readonly Html[] | undefined

const render = (part: Part): string => {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'html' in part ? part.html : part.map(({ html }) => html).join('')
}

/** Writes HTML; every value is escaped unless it is HTML itself. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: texts.reduce((page, text, index) => page + text + (index < parts.length ? render(parts[index]) : ''), ''),
})
