import { type Extension, extensionText } from '../../../../../../pki/certificates/extensions.ts'
import { compileGlob, type Glob } from '../../../../login-roles/glob.ts'

/** A condition on one extension of a certificate. */
export type ExtensionRule = { readonly form: 'text' | 'hex'; readonly oid: string; readonly matches: Glob }

/** True for an object identifier in dotted form; below 0 and 1 there are only 40 numbers (X.660). */
export const isOid = (text: string): boolean => /^([01]\.[1-3]?\d|2\.(0|[1-9]\d*))(\.(0|[1-9]\d*))*$/.test(text)

/**
 * Reads `oid:pattern` or `hex:oid:pattern`; everything after the colon that ends the OID is pattern, further colons
 * included. Whether the OID is valid is checked when a role is written; a rule with any other text matches no
 * certificate.
 */
export function parseExtensionRule(entry: string): ExtensionRule {
  const form = entry.startsWith('hex:') ? 'hex' : 'text'
  const rest = form === 'hex' ? entry.slice(4) : entry
  const colon = rest.indexOf(':')
  const oid = rest.slice(0, Math.max(0, colon))
  const pattern = rest.slice(colon + 1)
  return { form, oid, matches: compileGlob(form === 'hex' ? pattern.toLowerCase() : pattern) }
}

/**
 * True if the certificate has the extension and its value matches. A value that is not an ASN.1 string has no text to
 * match.
 */
export function satisfiesExtension(rule: ExtensionRule, extensions: ReadonlyMap<string, Extension>): boolean {
  const extension = extensions.get(rule.oid)
  if (extension === undefined) return false
  const value = rule.form === 'hex' ? extension.value.toString('hex') : extensionText(extension)
  return value !== undefined && rule.matches(value)
}

/**
 * The listed extensions that a certificate has, as metadata: dots become dashes, a value that is not a string becomes
 * empty.
 */
export function extensionMetadata(
  oids: readonly string[],
  extensions: ReadonlyMap<string, Extension>,
): Record<string, string> {
  const found = oids.flatMap((oid) => {
    const extension = extensions.get(oid)
    return extension === undefined ? [] : [[oid.replaceAll('.', '-'), extensionText(extension) ?? ''] as const]
  })
  return Object.fromEntries(found)
}
