import { normalizeCidrs } from '../../../../../access/cidr.ts'
import { normalizePolicyNames } from '../../../../../access/policies/index.ts'
import { failure } from '../../../../../kernel/failure.ts'
import { sentAddress, shownAddress } from '../../../../../kernel/hidden-credentials.ts'
import { withoutPrivateKeys } from '../../../../../pki/index.ts'
import { responderPem } from '../ocsp/responder-certificates.ts'
import { type AliasSource, aliasSources, type CertRole, type RoleSettings } from './role.ts'
import { plainFields, type RoleInput } from './role-wire.ts'

type Changes = { -readonly [Key in keyof CertRole]?: CertRole[Key] }

/** The role after a write: what was sent replaces what is stored, the rest stays. */
export function mergeRole(stored: CertRole, input: RoleInput): CertRole {
  const sent = withOldNames(input)
  const changes: Record<string, unknown> = {}
  for (const [name, key] of Object.entries(plainFields)) {
    const value = sent[name as keyof RoleInput]
    if (value !== undefined) changes[key] = value
  }
  return { ...stored, ...changes, ...convertedFields(stored, sent) }
}

/** The new name of a field wins; the old one counts where only that was sent. */
function withOldNames(input: RoleInput): RoleInput {
  return withoutUndefined({
    ...input,
    token_policies: input.token_policies ?? (input.policies && normalizePolicyNames(input.policies)),
    token_ttl: input.token_ttl ?? input.ttl ?? input.lease,
    token_max_ttl: input.token_max_ttl ?? input.max_ttl,
    token_period: input.token_period ?? input.period,
    token_bound_cidrs: input.token_bound_cidrs ?? input.bound_cidrs,
  })
}

/** Fields that are stored in another form than they were sent. */
function convertedFields(stored: CertRole, sent: RoleInput): Changes {
  const changes: Changes = {}
  if (sent.certificate !== undefined) changes.certificate = withoutPrivateKeys(sent.certificate)
  if (sent.ocsp_ca_certificates !== undefined)
    changes.ocspCaCertificates = withoutResponderKeys(sent.ocsp_ca_certificates)
  Object.assign(changes, serverChanges(stored, sent, changes.ocspCaCertificates))
  if (sent.display_name === '') changes.displayName = stored.name
  if (sent.token_type !== undefined) changes.tokenType = tokenTypeOf(sent.token_type)
  if (sent.alias_source !== undefined) changes.aliasSource = aliasSourceOf(sent.alias_source)
  if (sent.token_bound_cidrs !== undefined) {
    changes.tokenBoundCidrs = cidrsOf(sent.token_bound_cidrs)
    changes.boundCidrsNamed = sent.bound_cidrs !== undefined
  }
  return changes
}

/**
 * Servers are read without their credentials: written back as it was read, one is the stored one. Credentials are kept
 * for one address, and for the CAs by which its server is trusted.
 */
function serverChanges(stored: CertRole, sent: RoleInput, cas = stored.ocspCaCertificates): Changes {
  const isTrustChanged = cas !== stored.ocspCaCertificates
  if (sent.ocsp_servers_override === undefined && !isTrustChanged) return {}
  const servers = sent.ocsp_servers_override ?? stored.ocspServersOverride.map(shownAddress)
  const known = isTrustChanged ? [] : stored.ocspServersOverride
  return { ocspServersOverride: servers.map((server, index) => wholeServer(server, [...known.slice(index), ...known])) }
}

function wholeServer(sent: string, known: readonly string[]): string {
  const server = sentAddress(sent, known)
  if (server !== undefined) return server
  const rule = `Field 'ocsp_servers_override' must be sent with the credentials of '${sent}'`
  const reason = 'the stored ones are used with no other address, and no other ocsp_ca_certificates.'
  throw failure('invalid', 'cert-role.hidden-credentials', `${rule}: ${reason}`)
}

/** Everybody who may read a role sees its certificates, so a private key sent along with them is not kept. */
function withoutResponderKeys(responders: string): string {
  const pem = responderPem(responders)
  const bare = withoutPrivateKeys(pem)
  return bare === pem ? responders : bare
}

/** Warns about private keys that were sent and not stored. */
export function keyWarnings({ certificate = '', ocsp_ca_certificates: responders = '' }: RoleInput): string[] {
  const fields = [
    ...(withoutPrivateKeys(certificate) === certificate ? [] : ['certificate']),
    ...(withoutResponderKeys(responders) === responders ? [] : ['ocsp_ca_certificates']),
  ]
  return fields.map((name) => `The private key in '${name}' was not stored: a role needs certificates alone.`)
}

function tokenTypeOf(sent: string): RoleSettings['tokenType'] {
  if (sent === '' || sent === 'default') return 'default'
  if (sent === 'service' || sent === 'batch') return sent
  throw failure('invalid', 'cert-role.token-type', "Field 'token_type' must be one of: default, service, batch.")
}

function aliasSourceOf(sent: string): AliasSource {
  const source = sent === '' ? 'common_name' : aliasSources.find((each) => each === sent)
  if (source) return source
  throw failure('invalid', 'cert-role.alias-source', `Field 'alias_source' must be one of: ${aliasSources.join(', ')}.`)
}

function cidrsOf(sent: readonly string[]): readonly string[] {
  const bounds = normalizeCidrs(sent)
  if (bounds.ok) return bounds.cidrs
  throw failure(
    'invalid',
    'cert-role.cidr',
    `Field 'token_bound_cidrs' holds '${bounds.entry}', which is neither an address nor a block such as 10.0.0.0/8.`,
  )
}

const withoutUndefined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
