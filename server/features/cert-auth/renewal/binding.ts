import { hash } from 'node:crypto'
import { type Certificate, nameKey } from '../../../pki/index.ts'

/** What a later certificate must share with the one of the login: the key, and who says whose key it is. */
export type Binding = {
  readonly publicKey: string
  readonly issuer: string
  readonly authorityKeyId: string
  readonly subject: string
}

/** The binding of a certificate. A re-issued certificate for the same key has the same one, a sibling has not. */
export const bindingOf = (leaf: Certificate): Binding => ({
  publicKey: hash('sha256', leaf.publicKey.der, 'hex'),
  issuer: hash('sha256', nameKey(leaf.issuer), 'hex'),
  authorityKeyId: leaf.authorityKeyId?.toString('hex') ?? '',
  subject: hash('sha256', nameKey(leaf.subject), 'hex'),
})

/** True if both certificates speak for the same holder. */
export const isSameHolder = (a: Binding, b: Binding): boolean =>
  a.publicKey === b.publicKey &&
  a.issuer === b.issuer &&
  a.authorityKeyId === b.authorityKeyId &&
  a.subject === b.subject
