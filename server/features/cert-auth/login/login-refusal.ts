import { Failure, type FailureKind, failure } from '../../../kernel/failure.ts'
import { permissionDenied } from '../../../kit/access.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { RequestFacts } from '../../../kit/endpoint.ts'
import { AnchorSet, type Certificate, findPath, type PresentedChain, shorten } from '../../../pki/index.ts'
import type { CertConfig } from '../config/config.ts'
import { type CertificateMetadata, certificateMetadata } from './login-metadata.ts'
import type { MatchOutcome, RoleRefusal } from './match.ts'

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
  'The client certificate does not satisfy the constraints of a role. Whoever runs this server finds the reason in its log.'

/** A refused login and its circumstances. */
export type RefusedLogin = {
  readonly outcome: Extract<MatchOutcome, { ok: false }>
  readonly chain: PresentedChain
  readonly request: RequestFacts
}

/** Logs why a login was refused, and makes the failure, which tells the caller no more than it may know. */
export async function refuseLogin(deps: Pick<Deps, 'log' | 'clock'>, refused: RefusedLogin): Promise<Failure> {
  const { outcome, chain, request } = refused
  const fields = {
    request: request.id,
    mount: request.mount?.path,
    remote: request.remoteAddress,
    certificate: shortenValues(certificateMetadata(chain.leaf)),
  }
  deps.log.warn({ ...fields, refusals: outcome.refusals }, 'certificate login refused')
  const extras = { cause: new Error(outcome.refusals.map(refusalLine).join(' ')) }
  if (outcome.outsideBounds) return permissionDenied(extras)
  return failure('invalid', 'cert-login.refused', (await certificateFault(deps, chain)) ?? genericText, extras)
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
