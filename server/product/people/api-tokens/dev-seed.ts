import { serverAuthor } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { DevFacts, DevSeedContext } from '../../../kit/feature.ts'
import { administratorName, loadUserByName } from '../users/index.ts'
import { authenticateApiToken, issueToken } from './api-token-actions.ts'

/** A user token of the administrator; the one of an earlier start as long as it works. */
export async function seedUserToken(deps: Deps, { previous }: DevSeedContext): Promise<Partial<DevFacts>> {
  const kept = previous?.user_token
  if (kept && (await authenticateApiToken(deps, kept))) return { user_token: kept }
  const administrator = await loadUserByName(deps.db, administratorName)
  if (!administrator) return {}
  const { text } = await issueToken(deps, serverAuthor, {
    owner: { kind: 'user', id: administrator.id },
    organizationId: '',
    single: false,
    description: 'development',
  })
  return { user_token: text.reveal() }
}
