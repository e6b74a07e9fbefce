import type { Fault } from '../../../../kernel/failure.ts'
import type { VcsRepo } from '../workspace.ts'
import { faultAt, type RequestedVcsRepo } from './requested-settings.ts'

/** How documents show the connection behind a repository link. */
export type VcsConnection = {
  readonly tokenId: string
  readonly clientName: string | null
  readonly serviceProvider: string
  readonly httpUrl: string
}

const vcsFault = (key: string, detail: string): Fault => faultAt(`vcs-repo/${key}`, detail)

/** The text for a connection or repository that does not exist; it does not say which of the two. */
export const inaccessibleRepo: Fault = vcsFault(
  'identifier',
  "Identifier names a repository that doesn't exist or isn't accessible through this connection",
)

/** A repository link after a request; `newTokenId` is a connection that has to be checked, unless there are faults. */
type SettledVcsRepo = {
  readonly repo: VcsRepo | null
  readonly newTokenId: string | null
  readonly faults: readonly Fault[]
}

/**
 * Merges what was sent into the present link, which is undefined while the workspace is being created. An app
 * installation can replace the token on updates only. Clients send an empty object with any change of a workspace
 * without a repository: it changes nothing.
 */
export function settleVcsRepo(
  requested: RequestedVcsRepo | null | undefined,
  before: VcsRepo | null | undefined,
  newWebhookId: string,
): SettledVcsRepo {
  if (requested === null) return { repo: null, newTokenId: null, faults: [] }
  if (requested === undefined || (before !== undefined && saysNothing(requested)))
    return { repo: before ?? null, newTokenId: null, faults: [] }
  const creating = before === undefined
  const installation = creating ? undefined : requested.vcsAppInstallationId || undefined
  const token = requested.oauthTokenId || undefined
  const faults: Fault[] = []
  if (token && requested.vcsAppInstallationId) {
    faults.push(vcsFault('oauth-token-id', 'Oauth token id cannot be given together with vcs-app-installation-id'))
  }
  if (!before && !requested.identifier) faults.push(vcsFault('identifier', "Identifier can't be blank"))
  if (!before && !token && !installation) faults.push(vcsFault('oauth-token-id', "Oauth token id can't be blank"))
  if (faults.length > 0) return { repo: before ?? null, newTokenId: null, faults }
  const repo = mergeRepo(requested, before ?? null, { token, installation, newWebhookId })
  return { repo, newTokenId: token ?? null, faults }
}

const saysNothing = (requested: RequestedVcsRepo): boolean =>
  Object.values(requested).every((value) => value === undefined)

type Connection = {
  readonly token: string | undefined
  readonly installation: string | undefined
  readonly newWebhookId: string
}

function mergeRepo(requested: RequestedVcsRepo, before: VcsRepo | null, connection: Connection): VcsRepo {
  const { token, installation, newWebhookId } = connection
  const replaced = token !== undefined || installation !== undefined
  return {
    identifier: requested.identifier ?? before?.identifier ?? '',
    oauthTokenId: replaced ? (token ?? null) : (before?.oauthTokenId ?? null),
    installationId: replaced ? (installation ?? null) : (before?.installationId ?? null),
    branch: requested.branch === undefined ? (before?.branch ?? '') : (requested.branch ?? ''),
    ingressSubmodules: requested.ingressSubmodules ?? before?.ingressSubmodules ?? false,
    tagsRegex: requested.tagsRegex === undefined ? (before?.tagsRegex ?? null) : requested.tagsRegex || null,
    webhookId: before?.webhookId || newWebhookId,
  }
}
