import { hash } from 'node:crypto'
import type { Certificate } from '../../../../../pki/certificates/certificate.ts'
import { nameKey } from '../../../../../pki/certificates/distinguished-names.ts'

/**
 * What a later certificate must share with the one of the login: the key, and the issuer and subject that it is
 * certified with.
 */
export type Binding = {
  readonly publicKey: string
  readonly issuer: string
  readonly authorityKeyId: string
  readonly subject: string
}

const bindingCache = new WeakMap<Certificate, Binding>()

/**
 * The binding of a certificate. A certificate re-issued for the same key has the same one; another from the same CA has
 * not.
 */
export function bindingOf(leaf: Certificate): Binding {
  const before = bindingCache.get(leaf)
  if (before !== undefined) return before
  const binding = {
    publicKey: hash('sha256', leaf.publicKey.der, 'hex'),
    issuer: hash('sha256', nameKey(leaf.issuer), 'hex'),
    authorityKeyId: leaf.authorityKeyId?.toString('hex') ?? '',
    subject: hash('sha256', nameKey(leaf.subject), 'hex'),
  }
  bindingCache.set(leaf, binding)
  return binding
}

/** True if both certificates belong to the same holder. */
export const isSameHolder = (a: Binding, b: Binding): boolean =>
  a.publicKey === b.publicKey &&
  a.issuer === b.issuer &&
  a.authorityKeyId === b.authorityKeyId &&
  a.subject === b.subject
