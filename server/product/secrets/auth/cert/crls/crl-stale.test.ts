import { expect, test } from 'vitest'
import { ownCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCrl } from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { recordingLog } from '../../../../../../test/support/recording-log.ts'

eachEngine((engine) => {
  test('crl: a list past its nextUpdate is stored and logged, and such lists are counted', async () => {
    const { log, text } = recordingLog()
    const app = await ownCertApp({ engine, log })
    const inDays = (days: number): Date => new Date(app.clock.now() + days * 86_400_000)
    const write = (name: string, nextUpdate: Date | null) =>
      app.root.post(`/v1/auth/cert/crls/${name}`, {
        crl: mintCrl(app.ca, { thisUpdate: inDays(-9), nextUpdate, revoked: [] }).pem,
      })
    await app.role('web', { certificate: app.ca.pem })
    expect((await write('fresh', inDays(2))).status).toBe(204)
    expect((await write('endless', null)).status).toBe(204)
    expect(text()).not.toContain('out of date')
    expect((await write('old', inDays(-2))).status).toBe(204)
    expect(text()).toContain('a stored revocation list is out of date')
    app.clock.advance('72h')
    await expect.poll(() => app.deps.metrics.render()).toContain('holdfast_cert_crls_stale{mount="auth/cert/"} 2')
  })
})
