/** Shorter values occur by chance; replacing them would make a log unreadable. */
const minBytes = 6

/** A line of a value of several lines is replaced by itself from this length on. */
const minLineBytes = 8

/**
 * The forms in which a secret may stand in an output: as it is, escaped for JSON and URLs, as hexadecimal digits, and in
 * base64 at each of the three places where it may begin within a group.
 */
export function secretForms(values: Iterable<string>): Buffer[] {
  const forms = new Set<string>()
  for (const value of values) {
    for (const text of partsOf(value)) for (const form of formsOf(text)) forms.add(form)
  }
  return [...forms].map((form) => Buffer.from(form))
}

function partsOf(value: string): string[] {
  const whole = Buffer.byteLength(value) < minBytes ? [] : [value]
  const lines = value.split(/\r?\n/)
  if (lines.length === 1) return whole
  const long = lines.map((line) => line.trim()).filter((line) => Buffer.byteLength(line) >= minLineBytes)
  return [...whole, ...long]
}

function formsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const json = JSON.stringify(text).slice(1, -1)
  const hex = bytes.toString('hex')
  const base64 = [0, 1, 2].map((shift) => shiftedBase64(bytes, shift))
  return [
    text,
    json,
    // Programs in Go write these three as escapes, too.
    json.replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
    urlEncoded(text),
    urlEncoded(text).replaceAll('%20', '+'),
    // As the tools print a text within quotes.
    json.replace(/([$%])\{/g, '$1$1{'),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

const urlEncoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Base64 of bytes that begin `shift` bytes after the beginning of a group, without what depends on their neighbours. */
function shiftedBase64(bytes: Buffer, shift: number): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  const first = shift === 0 ? 0 : shift + 1
  const end = (shift + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1
  return encoded.slice(first, end)
}
