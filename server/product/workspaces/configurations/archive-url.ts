import { signForUrl, verifySignedUrl } from '../../../crypto/signed-urls.ts'
import { isId } from '../../../kernel/ids.ts'
import { secret } from '../../../kernel/secret.ts'
import type { ConfigurationId } from './configuration.ts'

/** What an address allows. */
export type ArchiveUse = 'get' | 'put'

const hour = 3_600_000

/** Downloads begin at once; uploads may be repeated for as long as a command line could be at work. */
const lifetimes: Readonly<Record<ArchiveUse, number>> = { get: 60_000, put: 25 * hour }

const purposeOf = (use: ArchiveUse): string => `configuration-archive:${use}`

type SigningDeps = Parameters<typeof signForUrl>[0]

/** An address that lets everybody who has it load or send one archive. */
export function archiveUrl(deps: SigningDeps, origin: string, use: ArchiveUse, id: ConfigurationId): string {
  const token = signForUrl(deps, { purpose: purposeOf(use), subject: id, lifetimeMs: lifetimes[use] })
  return `${origin}/api/configurations/v1/${token.reveal()}`
}

/** The version for which a token allows this use; undefined when it is forged, expired, or for another use. */
export function readArchiveToken(deps: SigningDeps, use: ArchiveUse, token: string): ConfigurationId | undefined {
  const verdict = verifySignedUrl(deps, purposeOf(use), secret(token))
  return verdict.ok && isId('cv', verdict.claim.subject) ? verdict.claim.subject : undefined
}
