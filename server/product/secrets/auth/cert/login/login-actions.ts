import { boundOf } from '../../../../../access/cidr.ts'
import { lesserLimit } from '../../../../../access/ttl.ts'
import type { Instant } from '../../../../../kernel/clock.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import type { ClientCertificate, ForwardedForm, RequestFacts } from '../../../../../kit/endpoint.ts'
import type { Presentation } from '../../../../../kit/mount-kind.ts'
import { isOutdated } from '../../../../../kit/still-allowed.ts'
import { type Certificate, type PresentedChain, shorten } from '../../../../../pki/index.ts'
import { closedTeamText, lostTeam, teamLinkOf, termsOf } from '../../../login-roles/index.ts'
import { type IssuedLogin, issueLoginToken } from '../../../tokens/index.ts'
import { configOf } from '../config/config-actions.ts'
import type { CertConfig } from '../config/config-fields.ts'
import { crlsOf } from '../crls/crl-memory-actions.ts'
import { checkRevocationByOcsp, ocspDeadline } from '../ocsp/ocsp-actions.ts'
import { recordLogin } from '../record/login-record-actions.ts'
import { bindingOf } from '../renewal/binding.ts'
import type { CertRole } from '../roles/role.ts'
import { aliasNameOf } from './alias-name.ts'
import { issueOrRefuse, refusalsOf, refuseLogin, withCertificateFacts } from './login-refusal-actions.ts'
import { type AcceptedMatch, Match, verifierOf } from './match-actions.ts'
import { extensionMetadata } from './matching/extension.ts'
import { certificateMetadata } from './matching/leaf-facts.ts'
import { directoryOf } from './role-directory-actions.ts'

/** A login, and why there was no OCSP status for its certificate, if the role let that pass. */
export type CertificateLogin = { readonly login: IssuedLogin; readonly overlooked: string | undefined }

/** Logs in with the certificate of the connection: by one role, or by any that accepts it. */
export async function loginWithCertificate(
  deps: Deps,
  presented: Presentation,
  name: string,
): Promise<CertificateLogin> {
  const logins = loginCounter(deps)
  const { path: mount } = presented.mount
  let chain: PresentedChain | undefined
  try {
    chain = presentedChain(deps, presented.request)
    const { match, login } = await logIn(deps, presented, { chain, name })
    logins.inc({ mount, outcome: 'accepted' })
    recordAccepted(deps, presented, { match, chain })
    return { login, overlooked: match.overlooked }
  } catch (thrown) {
    logins.inc({ mount, outcome: 'refused' })
    recordRefused(deps, presented, { thrown, chain, name })
    throw thrown
  }
}

type Accepted = { readonly match: AcceptedMatch; readonly chain: PresentedChain }

function recordAccepted(deps: Deps, { mount, request }: Presentation, { match, chain: { leaf } }: Accepted): void {
  const { known, anchor, overlooked } = match
  const key = { mountId: mount.id, accepted: true, role: known.role.name, digest: leaf.fingerprint, anchor, reason: '' }
  recordLogin(deps, { key, leaf, request, text: overlooked ?? '' })
}

type RefusedAttempt = {
  readonly thrown: unknown
  readonly chain: PresentedChain | undefined
  readonly name: string
}

/** Records a refusal by the role that was asked for, or that came first. */
function recordRefused(deps: Deps, { mount, request }: Presentation, { thrown, chain, name }: RefusedAttempt): void {
  const refusals = refusalsOf(thrown)
  const [first] = refusals ?? []
  if (!refusals || !first) return
  const digest = chain?.leaf.fingerprint ?? ''
  const role = first.role === '' ? shorten(name) : first.role
  const key = { mountId: mount.id, accepted: false, role, digest, anchor: '', reason: first.step }
  recordLogin(deps, { key, leaf: chain?.leaf, request, text: refusals.map(({ text }) => text).join(' ') })
}

const loginCounter = ({ metrics }: Pick<Deps, 'metrics'>) =>
  metrics.counter('holdfast_cert_logins_total', 'Certificate logins by mount and outcome.', ['mount', 'outcome'])

type LoginTerms = { readonly chain: PresentedChain; readonly name: string }

async function logIn(
  deps: Deps,
  presented: Presentation,
  { chain, name }: LoginTerms,
): Promise<{ readonly match: AcceptedMatch; readonly login: IssuedLogin }> {
  const config = await configOf(deps, presented.mount.id)
  return await withCertificateFacts(chain.leaf, config, async () => {
    const match = await findAcceptingRole(deps, presented, { chain, config, name })
    const { known } = match
    const refusable = { role: known.role.name, chain, ...presented }
    const login = await issueOrRefuse(deps, refusable, async () => {
      const link = await teamLinkOf(deps, known.role, 'cert')
      if (link === 'lost') throw lostTeam(known.role)
      const now = deps.clock.now()
      const issued = await issueLoginToken(deps, grantOf(known.role, presented, { leaf: chain.leaf, config, now }))
      return link === 'closed' ? { ...issued, warnings: [...issued.warnings, closedTeamText('cert')] } : issued
    })
    return { match, login }
  })
}

/** The role that accepts the certificate of a connection, and when that certificate expires. */
export type AcceptedCertificate = { readonly role: CertRole; readonly endsAt: Instant }

/** The role that accepts the certificate of a connection, without logging in: one by name, or any. */
export async function roleOfCertificate(
  deps: Deps,
  presented: Presentation,
  wanted: WantedRole,
): Promise<AcceptedCertificate> {
  const chain = presentedChain(deps, presented.request)
  const config = await configOf(deps, presented.mount.id)
  const { known } = await findAcceptingRole(deps, presented, { chain, config, ...wanted })
  return { role: known.role, endsAt: chain.leaf.notAfter }
}

/** The chain the client presented in its handshake. Nothing in the body of a request can replace it. */
export function presentedChain(deps: Pick<Deps, 'store'>, request: RequestFacts): PresentedChain {
  const { tls, certificate } = request
  if (!certificate) {
    if (request.forwardedCertificate === 'unreadable')
      throw failure('invalid', 'cert-login.unreadable-header', unreadableHeaderText(request.forwardedForm))
    if (tls) throw failure('invalid', 'cert-login.no-certificate', 'client certificate must be supplied')
    throw failure('invalid', 'cert-login.no-tls', 'A TLS connection is needed to log in with a certificate.')
  }
  try {
    return chainOf(deps, certificate)
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : ''
    throw failure('invalid', 'cert-login.unreadable', `The client certificate could not be read. ${text}`, { cause })
  }
}

const unreadableHeaderText = (form: ForwardedForm): string =>
  `The proxy sent a certificate in a form that could not be read. ${expectations[form]}`

const expectations: Readonly<Record<ForwardedForm, string>> = {
  off: '',
  rfc9440:
    "'Client-Cert' must hold one certificate as base64 of DER between colons (RFC 9440), and 'Client-Cert-Chain' at " +
    'most ten of them with commas between.',
  xfcc:
    "'X-Forwarded-Client-Cert' must have one element, without commas in names, that holds the certificate as 'Cert', " +
    "or with at most ten intermediates as 'Chain', in percent-encoded PEM, and no other 'Hash' than that of it.",
  pem:
    'The header must hold the certificate, and at most ten intermediates after it, as PEM, which may be ' +
    'percent-encoded, or as base64 with commas between.',
}

/**
 * A connection presents the same certificates in all its requests; once a role has accepted them, they are not parsed
 * again. What a stranger sends is not kept: parsed, it takes far more memory than the bytes on the wire, for as long as
 * the connection lasts.
 */
const acceptedChains = new WeakMap<ClientCertificate, PresentedChain>()

const chainOf = (deps: Pick<Deps, 'store'>, certificate: ClientCertificate): PresentedChain =>
  acceptedChains.get(certificate) ?? verifierOf(deps).read(certificate.leaf, certificate.intermediates)

/** The role that was asked for (empty: any), and which roles are considered at all. */
type WantedRole = { readonly name: string; readonly among?: (role: CertRole) => boolean }

/** A chain, the settings to judge it by, and the role that was asked for. */
type RoleLookup = WantedRole & {
  readonly chain: PresentedChain
  readonly config: CertConfig
  readonly isRenewal?: boolean
}

/** How often a login is judged at most if something changes meanwhile: constant writes must not keep it from ending. */
const maxRounds = 3

/**
 * The role that accepts a chain; throws when none does. Changes made while it waits for OCSP responders are taken into
 * account.
 */
export async function findAcceptingRole(
  deps: Deps,
  presented: Presentation,
  lookup: RoleLookup,
): Promise<AcceptedMatch> {
  const deadline = ocspDeadline(deps)
  for (let round = 1; ; round++) {
    const asOf = versionOf(deps)
    const since = deps.clock.monotonic()
    const accepted = await judgeOnce(deps, presented, lookup, deadline)
    if (isOutdated(deps.clock, since)) await deps.store.versions.refresh()
    if (round < maxRounds && versionOf(deps) !== asOf) continue
    const { certificate } = presented.request
    if (certificate) acceptedChains.set(certificate, lookup.chain)
    return accepted
  }
}

/** Changes with every change of roles, settings and revocation lists. */
const versionOf = ({ store: { versions } }: Pick<Deps, 'store'>): string =>
  `${versions.of('roles')} ${versions.of('crls')}`

async function judgeOnce(
  deps: Deps,
  { mount, request }: Presentation,
  { chain, config, name, among, isRenewal }: RoleLookup,
  deadline: number,
): Promise<AcceptedMatch> {
  const lists = await crlsOf(deps, mount.id)
  const ocsp = { mountId: mount.id, cacheSize: config.ocspCacheSize, ends: deadline }
  const match = new Match(verifierOf(deps), {
    chain,
    at: deps.clock.now(),
    remoteAddress: isRenewal ? undefined : request.remoteAddress,
    revoked: (path) => lists.refusalOf(path, config.crlMatch),
    ocsp: ({ role, trust }, path) =>
      checkRevocationByOcsp(deps, { ...ocsp, terms: role, path, trusted: trust.certificates }),
    among,
  })
  const directory = directoryOf(deps, mount.id, config.roleCacheSize)
  const outcome = await (name === '' ? match.byChain(directory) : match.byName(directory, name))
  if (outcome.ok) return outcome
  throw await refuseLogin(deps, { outcome, chain, mount, request, isRenewal })
}

function requireAlias(leaf: Certificate, role: CertRole): string {
  const alias = aliasNameOf(leaf, role)
  if (alias !== undefined) return alias
  throw failure('invalid', 'cert-login.no-alias', 'The client certificate lacks the name that identifies its holder.')
}

/** Whole seconds that a certificate is valid for; at least one, since 0 would mean without end. */
const secondsLeft = ({ notAfter }: Certificate, now: Instant): number =>
  Math.max(1, Math.floor((notAfter - now) / 1_000))

type GrantBasis = { readonly leaf: Certificate; readonly config: CertConfig; readonly now: Instant }

function grantOf(role: CertRole, { mount, request }: Presentation, { leaf, config, now }: GrantBasis) {
  // A token that is bound to a certificate is of no use after it, and renewals must not outlive it either.
  const left = secondsLeft(leaf, now)
  const metadata = {
    ...extensionMetadata(role.allowedMetadataExtensions, leaf.extensions),
    cert_name: role.name,
    ...certificateMetadata(leaf),
  }
  return {
    mount,
    path: request.path,
    alias: {
      name: requireAlias(leaf, role),
      metadata: config.enableIdentityAliasMetadata ? metadata : {},
      customMetadata: role.aliasMetadata,
    },
    displayName: role.displayName,
    metadata,
    ...termsOf(role),
    explicitMaxTtl: role.tokenBindCertificate ? lesserLimit(role.tokenExplicitMaxTtl, left) : role.tokenExplicitMaxTtl,
    boundCidrs: role.tokenStrictlyBindIp ? [boundOf(request.remoteAddress)] : role.tokenBoundCidrs,
    certificateFingerprint: role.tokenBindCertificate ? leaf.fingerprint : '',
    authData: { role: role.name, ...bindingOf(leaf) },
  }
}
