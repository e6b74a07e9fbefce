import { Failure, type FailureKind, failure } from '../../../../../kernel/failure.ts'
import { permissionDenied } from '../../../../../kit/access.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import type { RequestFacts } from '../../../../../kit/endpoint.ts'
import type { Mount } from '../../../../../kit/mount.ts'
import { AnchorSet, type Certificate, findPath, type PresentedChain, shorten } from '../../../../../pki/index.ts'
import type { CertConfig } from '../config/config-fields.ts'
import type { MatchOutcome, RoleRefusal } from './match-actions.ts'
import { type CertificateMetadata, certificateMetadata } from './matching/leaf-facts.ts'

/** Adds the facts of the certificate to a refusal, if the mount is configured to do so. */
export async function withCertificateFacts<T>(
  leaf: Certificate,
  config: CertConfig,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!config.enableMetadataOnFailures || !(thrown instanceof Failure) || !refusals.includes(thrown.kind))
      throw thrown
    const extras = { ...thrown.extras, data: certificateMetadata(leaf) }
    throw failure(thrown.kind, thrown.code, thrown.message, extras)
  }
}

const refusals: readonly FailureKind[] = ['invalid', 'forbidden']

/** The answer to strangers, the same for every reason, so that neither roles nor constraints can be probed with it. */
const genericText =
  'The client certificate does not satisfy the constraints of a role. The log of the server has the reason.'

/** Who was refused: the certificate and the request that brought it. */
type Refused = {
  readonly chain: PresentedChain
  readonly mount: Mount
  readonly request: RequestFacts
  readonly isRenewal?: boolean | undefined
}

/** A refused login and its circumstances. */
export type RefusedLogin = Refused & { readonly outcome: Extract<MatchOutcome, { ok: false }> }

/** Why roles refused a login, as the log and the record of logins know it. */
class ToldRefusals extends Error {
  readonly refusals: readonly RoleRefusal[]

  constructor(refusals: readonly RoleRefusal[]) {
    super(refusals.map(refusalLine).join(' '))
    this.refusals = refusals
  }
}

/** Why a login was refused: by which role and check, as far as roles were asked. Undefined for what is no refusal. */
export function refusalsOf(thrown: unknown): readonly RoleRefusal[] | undefined {
  if (!(thrown instanceof Failure) || !refusals.includes(thrown.kind)) return undefined
  if (thrown.cause instanceof ToldRefusals) return thrown.cause.refusals
  return [{ role: '', step: thrown.code.replace(/^cert-login\./, ''), text: thrown.message }]
}

/** Logs why a login was refused, and makes the failure, which tells the caller no more than it may know. */
export async function refuseLogin(deps: Pick<Deps, 'log' | 'clock'>, refused: RefusedLogin): Promise<Failure> {
  const { outcome, chain } = refused
  logRefusals(deps, refused, outcome.refusals)
  const extras = { cause: new ToldRefusals(outcome.refusals) }
  if (outcome.outsideBounds) return permissionDenied(extras)
  return failure('invalid', 'cert-login.refused', (await certificateFault(deps, chain)) ?? genericText, extras)
}

/**
 * Issues the token of a role that has accepted the certificate. If that is refused, it is logged as any other refusal,
 * and what is wrong with the role is kept from the caller.
 */
export async function issueOrRefuse<T>(
  deps: Pick<Deps, 'log'>,
  refused: Refused & { readonly role: string },
  issue: () => Promise<T>,
): Promise<T> {
  try {
    return await issue()
  } catch (thrown) {
    if (!(thrown instanceof Failure) || !refusals.includes(thrown.kind)) throw thrown
    const { kind, code, message, cause, extras } = thrown
    const refusal = { role: refused.role, step: 'token', text: cause instanceof Error ? cause.message : message }
    logRefusals(deps, refused, [refusal])
    const isAboutRole = kind === 'invalid' && !aboutCertificate.has(code)
    const text = isAboutRole ? genericText : message
    throw failure(kind, isAboutRole ? 'cert-login.refused' : code, text, {
      ...extras,
      cause: new ToldRefusals([refusal]),
    })
  }
}

/** Refusals of a token that tell the caller a fact about the certificate it sent. */
const aboutCertificate: ReadonlySet<string> = new Set(['cert-login.no-alias', 'name.too-long'])

function logRefusals(
  deps: Pick<Deps, 'log'>,
  { chain, mount, request, isRenewal }: Refused,
  told: readonly RoleRefusal[],
): void {
  const fields = {
    request: request.id,
    mount: mount.path,
    remote: request.remoteAddress,
    certificate: shortenValues(certificateMetadata(chain.leaf)),
  }
  deps.log.warn({ ...fields, refusals: told }, `certificate ${isRenewal ? 'renewal' : 'login'} refused`)
}

/** Anybody can make a certificate, and put as much into it as fits into a handshake, so values are shortened. */
const shortenValues = (metadata: CertificateMetadata): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata).map(([name, text]) => [name, shorten(text)]))

const refusalLine = ({ role, step, text }: RoleRefusal): string =>
  role === '' ? text : `Role ${role}, ${step}: ${text}`

/**
 * What is wrong with the certificate itself, apart from any role. Its holder may know that: it reveals nothing about
 * roles.
 */
async function certificateFault({ clock }: Pick<Deps, 'clock'>, { leaf }: PresentedChain): Promise<string | undefined> {
  const outcome = await findPath({ leaf, intermediates: [], anchors: noAnchors, at: clock.now() })
  if (outcome.ok || outcome.reason.code === 'no-issuer') return undefined
  return `The client certificate could not be verified. ${outcome.reason.text} ${outcome.reason.fix}`
}

const noAnchors = new AnchorSet([])
