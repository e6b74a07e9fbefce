import { expect, test } from 'vitest'
import { ownCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintLeaf } from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import type { Log, LogFields } from '../../../../../kernel/log.ts'
import { warnOfExpiries } from './role-actions.ts'

const told: LogFields[] = []
const note = (fields: LogFields, message: string): void => {
  if (message === 'a CA certificate that a role trusts expires soon or has expired') told.push(fields)
}
const log: Log = { debug: note, info: note, warn: note, error: note, child: () => log }

eachEngine((engine) => {
  test('expiries: the job logs every CA that expires soon or expired lately, and no others', async () => {
    const app = await ownCertApp({ engine, log })
    const inDays = (days: number): Date => new Date(app.clock.now() + days * 86_400_000 + 60_000)
    const ca = (days: number) => mintCa({ notBefore: inDays(-99), notAfter: inDays(days) })
    await app.role('rolled', { certificate: ca(-40).pem + ca(400).pem })
    await app.role('Over', { certificate: ca(-2).pem })
    await app.role('soon', { certificate: ca(12).pem })
    await app.role('late', { certificate: ca(40).pem })
    await app.role('pinned', { certificate: mintLeaf(app.ca, { notAfter: inDays(3) }).pem })
    told.length = 0
    await warnOfExpiries(app.deps)
    const mount = 'auth/cert/'
    expect(told).toEqual([
      { mount, role: 'Over', days: -2 },
      { mount, role: 'soon', days: 12 },
    ])
  })
})
