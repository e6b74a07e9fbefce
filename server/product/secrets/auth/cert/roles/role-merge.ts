import { normalizePolicyNames } from '../../../../../access/policies/index.ts'
import { failure } from '../../../../../kernel/failure.ts'
import { sentAddress, shownAddress } from '../../../../../kernel/hidden-credentials.ts'
import { withoutPrivateKeys } from '../../../../../pki/index.ts'
import type { CertRole } from './role.ts'
import { roleFields, withoutResponderKeys } from './role-fields.ts'
import type { RoleInput } from './role-wire.ts'

/** The role after a write: what was sent replaces what is stored, the rest stays. */
export function mergeRole(stored: CertRole, input: RoleInput): CertRole {
  const sent = withPresentNames(input)
  const merged: CertRole = {
    ...stored,
    ...roleFields.given(sent),
    ...(sent.certificate === undefined ? {} : { certificate: withoutPrivateKeys(sent.certificate) }),
    ...(sent.display_name === '' ? { displayName: stored.name } : {}),
    ...(sent.token_bound_cidrs === undefined ? {} : { boundCidrsNamed: sent.bound_cidrs !== undefined }),
  }
  return { ...merged, ocspServersOverride: serversAfter(stored, sent, merged.ocspCaCertificates) }
}

/** The new name of a field wins; the old one counts where only that was sent. */
const withPresentNames = (input: RoleInput): RoleInput => ({
  ...input,
  token_policies: input.token_policies ?? (input.policies && normalizePolicyNames(input.policies)),
  token_ttl: input.token_ttl ?? input.ttl ?? input.lease,
  token_max_ttl: input.token_max_ttl ?? input.max_ttl,
  token_period: input.token_period ?? input.period,
  token_bound_cidrs: input.token_bound_cidrs ?? input.bound_cidrs,
})

/**
 * Servers are read without their credentials: written back as it was read, one is the stored one. Credentials are kept
 * for one address, and for the CAs by which its server is trusted.
 */
function serversAfter(stored: CertRole, sent: RoleInput, cas: string): readonly string[] {
  const isTrustChanged = cas !== stored.ocspCaCertificates
  if (sent.ocsp_servers_override === undefined && !isTrustChanged) return stored.ocspServersOverride
  const servers = sent.ocsp_servers_override ?? stored.ocspServersOverride.map(shownAddress)
  const known = isTrustChanged ? [] : stored.ocspServersOverride
  return servers.map((server, index) => wholeServer(server, [...known.slice(index), ...known]))
}

function wholeServer(sent: string, known: readonly string[]): string {
  const server = sentAddress(sent, known)
  if (server !== undefined) return server
  const rule = `Field 'ocsp_servers_override' must be sent with the credentials of '${sent}'`
  const reason = 'the stored ones are used with no other address, and no other ocsp_ca_certificates.'
  throw failure('invalid', 'cert-role.hidden-credentials', `${rule}: ${reason}`)
}

/** Warns about private keys that were sent and not stored. */
export function keyWarnings({ certificate = '', ocsp_ca_certificates: responders = '' }: RoleInput): string[] {
  const fields = [
    ...(withoutPrivateKeys(certificate) === certificate ? [] : ['certificate']),
    ...(withoutResponderKeys(responders) === responders ? [] : ['ocsp_ca_certificates']),
  ]
  return fields.map((name) => `The private key in '${name}' was not stored: a role needs certificates alone.`)
}
