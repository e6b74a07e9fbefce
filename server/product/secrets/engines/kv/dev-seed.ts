import type { Deps } from '../../../../kit/deps.ts'
import type { DevFacts, DevSeedContext } from '../../../../kit/feature.ts'
import { enableEngine } from '../../mounts/index.ts'
import { ensurePolicy } from '../../policies/index.ts'
import { writeSecret } from './kv-actions.ts'
import { findSecretId } from './kv-store.ts'

const reader = `# The demo client certificate may read what is in secret/.
path "secret/data/*" {
  capabilities = ["read"]
}

path "secret/metadata/*" {
  capabilities = ["read", "list"]
}
`

/** Development mode, once: a mount for secrets, one to read, and the policy of the demo role that may read it. */
export async function seedSecret(deps: Deps, { previous }: DevSeedContext): Promise<Partial<DevFacts>> {
  const made = { secret: 'secret/hello' }
  // What somebody has removed since stays removed.
  if (previous?.secret !== undefined) return made
  await ensurePolicy(deps, 'dev', reader)
  const known = await deps.mounts.find('secret/')
  const mount = known?.path === 'secret/' ? known : await enableEngine(deps, 'secret', newMount)
  if (mount.type !== 'kv' || mount.options?.version !== '2') return made
  const spot = { mountId: mount.id, path: 'hello' }
  if ((await findSecretId(deps.db, spot)) !== undefined) return made
  const author = { actor: 'holdfast dev', entity_id: '', operation: 'write' }
  await writeSecret(deps, spot, { value: { greeting: 'Hello from Holdfast' }, cas: undefined, author })
  return made
}

const newMount = { type: 'kv', description: 'key/value secret storage', options: { version: '2' } }
