import { hash } from 'node:crypto'
import type { Certificate } from '../../../../../pki/certificates/certificate.ts'
import { serialText } from '../../../../../pki/certificates/certificate-facts.ts'
import type { CertRole } from '../roles/role.ts'
import { globsAsWritten, globsInLowerCase } from './matching/constraint.ts'
import { type LeafFacts, leafFactsOf, normalizedUri } from './matching/leaf-facts.ts'

/** The part of a role that decides about names. */
type AliasTerms = Pick<
  CertRole,
  'aliasSource' | 'allowedUriSans' | 'allowedDnsSans' | 'allowedEmailSans' | 'allowedOrganizationalUnits'
>

/**
 * The name under which the holder of a certificate is known at a mount; undefined if it has none. Of several values of the field that the role
 * takes names from, only those count that its constraint of that field allows: the others may have been certified by
 * somebody whom the role does not mean, and name somebody else. An empty name counts as missing: all holders with one
 * would be the same entity.
 */
export const aliasNameOf = (leaf: Certificate, role: AliasTerms): string | undefined =>
  candidates(leaf, role).find((value) => value !== '')

/** The values that may name the holder, the one that does first. */
function candidates(leaf: Certificate, role: AliasTerms): readonly string[] {
  const facts = leafFactsOf(leaf)
  switch (role.aliasSource) {
    case 'common_name':
      return [commonNameOf(leaf, facts)]
    case 'uri_san':
      return facts.uris.filter((uri) => allows(role.allowedUriSans, [uri, normalizedUri(uri)]))
    case 'dns_san':
      return facts.dnsLowered.filter((name) => allows(role.allowedDnsSans, [name], globsInLowerCase))
    case 'email_san':
      return facts.emails.filter((address) => allows(role.allowedEmailSans, [address]))
    case 'organizational_unit':
    case 'ou':
      return facts.organizationalUnits.filter((unit) => allows(role.allowedOrganizationalUnits, [unit])).reverse()
    case 'fingerprint':
      return [leaf.fingerprint]
  }
}

/** An empty list allows everything. */
const allows = (patterns: readonly string[], spellings: readonly string[], globs = globsAsWritten): boolean =>
  patterns.length === 0 || globs(patterns).matchAny(spellings)

/** Only a missing common name has substitutes, since certificates of workloads often have none. */
const commonNameOf = (leaf: Certificate, { commonName, uris, dns, emails }: LeafFacts): string =>
  commonName || singleValue(uris) || singleValue(dns) || singleValue(emails) || serialAtIssuer(leaf)

const singleValue = (values: readonly string[]): string | undefined => (values.length === 1 ? values[0] : undefined)

const serialAtIssuer = (leaf: Certificate): string =>
  `serial:${serialText(leaf)}@${hash('sha256', leaf.issuer.der, 'hex')}`
