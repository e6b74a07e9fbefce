import { isUtf8 } from 'node:buffer'
import { type Failure, failure } from '../kernel/failure.ts'
import type { JsonLimits } from './json-body.ts'

/**
 * Reads a form that a stranger sent, as wide and with texts as long as a JSON document may be. A field that is sent several
 * times is a list. What JSON documents may not hold is refused here, too.
 */
export function parseForm(
  bytes: Buffer,
  limits: Pick<JsonLimits, 'maxEntries' | 'maxString'>,
): Record<string, unknown> {
  if (!isUtf8(bytes)) throw failure('malformed', 'body.encoding', 'The body is not valid UTF-8.')
  const text = bytes.toString('utf8')
  // Counted before they are taken apart: millions of fields would hold up everybody else.
  if (countFields(text) > limits.maxEntries) throw refused(`it has over ${limits.maxEntries} fields`)
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    checkField(name, value, limits.maxString)
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

function countFields(text: string): number {
  let count = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) count++
  return count
}

function checkField(name: string, value: string, maxString: number): void {
  if (name.length > maxString || value.length > maxString) throw refused(`a string has over ${maxString} characters`)
  if (name.includes('\0') || value.includes('\0')) throw refused('a string has a NUL character')
  if (name === '__proto__') throw refused("the field '__proto__' is not allowed")
}

const refused = (why: string): Failure =>
  failure('malformed', 'body.form', `The body cannot be read as a form: ${why}.`)
