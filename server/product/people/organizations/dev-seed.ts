import { serverAuthor } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { DevFacts } from '../../../kit/feature.ts'
import { administratorName, loadUserByName } from '../users/index.ts'
import { createOrganization } from './organization-actions.ts'
import { firstTool, toSettings } from './organization-endpoints.ts'
import { loadOrganizationByName } from './organization-store.ts'

const name = 'demo'

/** Makes the organization that development mode shows, owned by the administrator. */
export async function seedDemo(deps: Deps): Promise<Partial<DevFacts>> {
  if (await loadOrganizationByName(deps.db, name)) return { organization: name }
  const owner = await loadUserByName(deps.db, administratorName)
  if (!owner) return {}
  const requested = toSettings({ attributes: { name, email: owner.email }, relationships: {} })
  const draft = { ...requested, requireNoFaults: () => undefined }
  await createOrganization(deps, serverAuthor, { owner, draft, defaultTool: firstTool })
  return { organization: name }
}
