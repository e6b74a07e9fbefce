import type { Deps } from '../../../../kit/deps.ts'
import type { DevFacts, DevSeedContext } from '../../../../kit/feature.ts'
import type { Mount } from '../../../../kit/mount.ts'
import { enableAuth } from '../../mounts/index.ts'
import { writeRole } from './roles/role-actions.ts'
import type { RoleInput } from './roles/role-fields.ts'
import { findRole } from './roles/role-store.ts'

const roleName = 'dev'

/** The policy that lets it read the secret of development mode; the engine writes it. */
const policies = ['dev']

/** Development mode: a mount, and a role that lets the demo client certificate log in. */
export async function seedDevRole(deps: Deps, { caCertificate, previous }: DevSeedContext): Promise<Partial<DevFacts>> {
  const mount = await ensureMount(deps)
  const role = await findRole(deps.db, mount.id, roleName)
  const write = (input: RoleInput) =>
    writeRole(deps, mount, { name: roleName, input, checkLink: async () => undefined })
  if (!role) await write({ certificate: caCertificate, token_ttl: 3600, token_policies: policies })
  // CAs that somebody added to the role stay; only a role without the demo CA is written again.
  else if (!role.certificate.includes(caCertificate.trim())) await write({ certificate: caCertificate })
  if (role && previous?.secret === undefined)
    await write({ token_policies: [...new Set([...role.tokenPolicies, ...policies])] })
  return { cert_role: roleName }
}

async function ensureMount(deps: Deps): Promise<Mount> {
  const known = await deps.mounts.find('auth/cert/')
  return known ?? (await enableAuth(deps, 'cert', { type: 'cert', description: 'Login with client certificates.' }))
}
