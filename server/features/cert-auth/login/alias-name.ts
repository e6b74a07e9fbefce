import { hash } from 'node:crypto'
import { type Certificate, serialText } from '../../../pki/index.ts'
import type { AliasSource } from '../roles/role.ts'
import { leafFactsOf } from './matching/leaf-facts.ts'

/**
 * The name under which the holder of a certificate is known at a mount; undefined when the certificate lacks the field
 * that the role takes names from. An empty name counts as missing: all holders with one would be the same entity.
 */
export const aliasNameOf = (leaf: Certificate, source: AliasSource): string | undefined =>
  nameFrom(leaf, source) || undefined

/** Only a missing common name has substitutes, since certificates of workloads often have none. */
function nameFrom(leaf: Certificate, source: AliasSource): string | undefined {
  const { commonName, uris, dns, emails, organizationalUnits } = leafFactsOf(leaf)
  switch (source) {
    case 'common_name':
      return commonName || singleValue(uris) || singleValue(dns) || singleValue(emails) || serialAtIssuer(leaf)
    case 'uri_san':
      return uris[0]
    case 'dns_san':
      return dns[0]?.toLowerCase()
    case 'email_san':
      return emails[0]
    case 'organizational_unit':
    case 'ou':
      return organizationalUnits.at(-1)
    case 'fingerprint':
      return leaf.fingerprint
  }
}

const singleValue = (values: readonly string[]): string | undefined => (values.length === 1 ? values[0] : undefined)

const serialAtIssuer = (leaf: Certificate): string =>
  `serial:${serialText(leaf)}@${hash('sha256', leaf.issuer.der, 'hex')}`
