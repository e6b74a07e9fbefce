import { expect, test } from 'vitest'
import { ownCertApp } from '../../../../../test/support/cert-login.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { writeConfig } from './config/config-actions.ts'
import { writeRole } from './roles/role-actions.ts'

eachEngine((engine) => {
  test('mounts: writing a role or the config of a removed mount fails with mount.gone and stores nothing', async () => {
    const app = await ownCertApp({ engine })
    const mount = await app.deps.mounts.find('auth/cert/')
    if (!mount) throw new Error('There is no mount to remove.')
    expect((await app.root.delete('/v1/sys/auth/cert')).status).toBe(204)
    const gone = expect.objectContaining({ code: 'mount.gone' })
    const late = { name: 'late', input: { certificate: app.ca.pem }, checkLink: async () => undefined }
    await expect(writeRole(app.deps, mount, late)).rejects.toEqual(gone)
    await expect(writeConfig(app.deps, mount.id, { disable_binding: true })).rejects.toEqual(gone)
    for (const table of ['cert_roles', 'cert_role_anchors', 'cert_config'] as const)
      expect(await app.deps.db.selectFrom(table).select('mount_id').execute()).toEqual([])
  })
})
