import { signForUrl, verifySignedUrl } from '../../../../crypto/signed-urls.ts'
import { isId } from '../../../../kernel/ids.ts'
import { secret } from '../../../../kernel/secret.ts'
import type { StateVersionId } from '../state-version.ts'

/** The file of a version: the state itself, or its readable rendering. */
export type ContentKind = 'state' | 'json'

/** A file of a version. */
export type ContentFile = { readonly kind: ContentKind; readonly id: StateVersionId }

/** What an address allows. */
export type ContentUse = 'get' | 'put'

const lifetimeMs = 25 * 3_600_000
const purposeOf = (use: ContentUse): string => `state-content:${use}`

type SigningDeps = Parameters<typeof signForUrl>[0]

/** An address that lets everybody who has it load or send one file, for 25 hours. */
export const contentUrl = (
  deps: SigningDeps,
  origin: string,
  file: ContentFile & { readonly use: ContentUse },
): string => {
  const subject = `${file.kind}:${file.id}`
  const token = signForUrl(deps, { purpose: purposeOf(file.use), subject, lifetimeMs })
  return `${origin}/api/blob/v1/${token.reveal()}`
}

/** The file for which a token allows this use; undefined when it is forged, expired, or for another use. */
export function readContentToken(deps: SigningDeps, use: ContentUse, token: string): ContentFile | undefined {
  const verdict = verifySignedUrl(deps, purposeOf(use), secret(token))
  if (!verdict.ok) return undefined
  const [kind, id = ''] = verdict.claim.subject.split(':')
  return (kind === 'state' || kind === 'json') && isId('sv', id) ? { kind, id } : undefined
}
