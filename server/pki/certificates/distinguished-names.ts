import { type Element, encoded, openAll, openSequence, readOid, unreadable } from '../der.ts'
import { isTextTag, readText } from '../der-text.ts'
import { tag } from '../der-writer.ts'

/** One attribute of a distinguished name; `text` is undefined when the value is not a readable string. */
type NameAttribute = { readonly oid: string; readonly text: string | undefined; readonly der: Buffer }

/** A distinguished name: the encoding, and its relative names in order, each a set of attributes. */
export type Name = { readonly der: Buffer; readonly rdns: readonly (readonly NameAttribute[])[] }

/** Attribute types this engine asks for. */
export const attribute = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  organizationalUnit: '2.5.4.11',
  emailAddress: '1.2.840.113549.1.9.1',
} as const

const shortNames = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.4', 'SN'],
  ['2.5.4.5', 'SERIALNUMBER'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.9', 'STREET'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.12', 'T'],
  ['2.5.4.42', 'GN'],
  ['0.9.2342.19200300.100.1.1', 'UID'],
  ['0.9.2342.19200300.100.1.25', 'DC'],
  ['1.2.840.113549.1.9.1', 'EMAIL'],
])

/** Reads a Name (RFC 5280 §4.1.2.4). */
export function readName(element: Element, what: string): Name {
  if (element.tag !== tag.sequence) throw unreadable('name', `${what} is not a distinguished name.`)
  const rdns = openAll(element, what).map((rdn) => {
    if (rdn.tag !== tag.set) throw unreadable('name', `${what} is not a distinguished name.`)
    return readRelativeName(rdn, what)
  })
  return { der: encoded(element), rdns }
}

/** Reads one part of a name, a set of attributes, whatever its tag. */
export function readRelativeName(element: Element, what: string): NameAttribute[] {
  const attributes = openAll(element, what).map((pair) => readAttribute(pair, what))
  if (attributes.length === 0) throw unreadable('name', `${what} has an empty part.`)
  return attributes
}

function readAttribute(element: Element, what: string): NameAttribute {
  const parts = openSequence(element, what)
  const oid = readOid(parts.take(tag.oid), what)
  const value = parts.takeAny()
  parts.finish()
  return { oid, text: readText(value), der: encoded(value) }
}

/**
 * The readable values of one attribute type, in the order of the name. Values with a NUL are left out: other software
 * would cut them short.
 */
export function valuesOf(name: Name, oid: string): string[] {
  const values: string[] = []
  for (const rdn of name.rdns)
    for (const { oid: type, text } of rdn)
      if (type === oid && text !== undefined && !text.includes('\0')) values.push(text)
  return values
}

/** False if an attribute is of a string type and breaks its rules: then it is not clear what the name says. */
export const isReadableName = (name: Name): boolean =>
  name.rdns.every((rdn) => rdn.every(({ text, der }) => text !== undefined || !isTextTag(der[0] ?? 0)))

/** A name as people read it: RFC 4514, most specific part first. */
export function nameText(name: Name): string {
  const rdns = name.rdns.map((rdn) => rdn.map(attributeText).join('+'))
  return rdns.reverse().join(',')
}

function attributeText(pair: NameAttribute): string {
  const type = shortNames.get(pair.oid) ?? pair.oid
  return `${type}=${pair.text === undefined ? `#${pair.der.toString('hex')}` : escaped(pair.text)}`
}

const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is to be made visible
    .replace(/[",+;<>\\]|^[ #]|[ ]$|[\x00-\x1f\x7f]/g, (found) =>
      found >= ' ' && found !== '\x7f' ? `\\${found}` : `\\${Buffer.from(found).toString('hex')}`,
    )

const partKeys = new WeakMap<Name, readonly string[]>()
const wholeKeys = new WeakMap<Name, string>()

/** One comparable text per relative name: equal texts mean equal names (RFC 5280 §7.1). */
function rdnKeys(name: Name): readonly string[] {
  const known = partKeys.get(name)
  if (known !== undefined) return known
  const keys = name.rdns.map((rdn) => {
    const [only] = rdn
    if (rdn.length === 1 && only !== undefined) return attributeKey(only)
    return rdn.map(attributeKey).sort().join('\u0001')
  })
  partKeys.set(name, keys)
  return keys
}

/** A text that two names share exactly when they are the same name. */
export function nameKey(name: Name): string {
  const known = wholeKeys.get(name)
  if (known !== undefined) return known
  const key = rdnKeys(name).join('\u0000')
  wholeKeys.set(name, key)
  return key
}

/** True if both are the same name, whatever string types, case and spacing carry it. */
export const isSameName = (a: Name, b: Name): boolean =>
  a.der.equals(b.der) || (a.rdns.length === b.rdns.length && nameKey(a) === nameKey(b))

/** True if `name` equals `base` or lies below it in the directory tree. */
export function isWithin(name: Name, base: Name): boolean {
  const [keys, baseKeys] = [rdnKeys(name), rdnKeys(base)]
  return baseKeys.length <= keys.length && baseKeys.every((key, index) => key === keys[index])
}

// Control characters separate keys, so no key contains any: values that do are compared byte for byte.
function attributeKey(pair: NameAttribute): string {
  const folded = pair.text === undefined ? undefined : foldText(pair.text)
  return folded === undefined ? `${pair.oid}#${pair.der.toString('hex')}` : `${pair.oid}=${folded}`
}

/** Prepares text for comparison (RFC 4518, as RFC 5280 §7.1 asks): compatibility forms, case, spaces. */
function foldText(text: string): string | undefined {
  if (/^[!-~]*$/.test(text)) return text.toLowerCase()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\x00-\x08\x0e-\x1f\x7f]/.test(text)) return undefined
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}
