import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type CertApp, ownCertApp, sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintLeaf } from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { storeRoles } from '../../../../../../test/support/many-roles.ts'
import { readChain } from '../../../../../pki/paths/presented-chain.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { blankRole } from '../roles/role.ts'
import { findRoleVersion, swapRole } from '../roles/role-store.ts'
import { readTrust } from '../roles/role-trust.ts'
import { RoleDirectory, type RoleGroup } from './role-directory-actions.ts'

const mountId = async (app: CertApp): Promise<string> => (await app.deps.mounts.find('auth/cert/'))?.id ?? ''

eachEngine((engine) => {
  const app = sharedCertApp({ engine })
  const count = 2_000
  beforeAll(async () => {
    const certificate = app.ca.pem
    await storeRoles(app.deps.db, await mountId(app), count, (index) => ({
      certificate,
      allowedCommonNames: [`host-${index}`],
    }))
  }, 60_000)

  test('directory: 200 concurrent logins over thousands of unloaded roles each get the right role', async () => {
    const leaves = Array.from({ length: 200 }, (_, index) => app.leaf({ commonName: `host-${index * 7}` }))
    const before = process.memoryUsage().rss
    const answers = await Promise.all(leaves.map((leaf) => app.login(leaf)))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(answers.map((answer) => answer.body.auth.metadata.cert_name)).toEqual(
      leaves.map((_, index) => `role-${String(index * 7).padStart(6, '0')}`),
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
  }, 60_000)

  test('directory: with roles loaded, none is read again to log in, with or without a role name', async () => {
    const directory = new RoleDirectory(app.deps, await mountId(app), 1_000)
    const chain = readChain(app.leaf({ commonName: 'host-5' }).der, [])
    const named = await directory.findByName('role-000005')
    const [unnamed] = await directory.findIssuing(chain, 'fitting')
    expect([named?.role.allowedCommonNames, unnamed?.items.length]).toEqual([['host-5'], count])
    // Another load would have made other objects.
    expect(await directory.findByName('role-000005')).toBe(named)
    expect((await directory.findIssuing(chain, 'fitting'))[0]).toBe(unnamed)
  })

  test('directory: a change to one of thousands of roles takes effect at the next login', async () => {
    const leaf = app.leaf({ commonName: 'newcomer' })
    expect((await app.login(leaf)).status).toBe(400)
    await app.role('role-000009', { allowed_common_names: 'newcomer' })
    expect((await app.login(leaf)).status).toBe(200)
    await app.role('role-000009', { allowed_common_names: 'host-9' })
    expect((await app.login(leaf)).status).toBe(400)
  })

  test('directory: a role that joins thousands can be used at the next login, until it is deleted', async () => {
    const leaf = app.leaf({ commonName: 'latecomer' })
    expect((await app.login(leaf)).status).toBe(400)
    await app.role('late', { certificate: app.ca.pem, allowed_common_names: 'latecomer' })
    expect((await app.login(leaf)).status).toBe(200)
    await app.root.delete('/v1/auth/cert/certs/late')
    expect((await app.login(leaf)).status).toBe(400)
  })
})

test('directory: among 400 CAs of one name the role of the issuing CA is found', async () => {
  const app = await ownCertApp()
  const cas = Array.from({ length: 400 }, () => mintCa({ commonName: 'Twin CA' }))
  await storeRoles(app.deps.db, await mountId(app), cas.length, (index) => ({ certificate: cas[index]?.pem ?? '' }))
  for (const index of [0, 150, 399]) {
    const leaf = mintLeaf(cas[index] ?? app.ca)
    expect((await app.login(leaf)).body.auth.metadata.cert_name).toBe(`role-${String(index).padStart(6, '0')}`)
  }
  const began = performance.now()
  expect((await app.login(mintLeaf(mintCa({ commonName: 'Twin CA' })))).status).toBe(400)
  expect(performance.now() - began).toBeLessThan(10_000)
}, 30_000)

eachEngine((engine) => {
  test('directory: a role changed while it is loaded is read wholly old or wholly new, never mixed', async () => {
    const app = await ownCertApp({ engine })
    const mount = await mountId(app)
    const cas = Array.from({ length: 90 }, () => mintCa({ commonName: 'Twin CA' }))
    const successor = mintCa({ commonName: 'Twin CA' })
    const [before, after] = [{ allowedCommonNames: ['before'] }, { allowedCommonNames: ['after'] }]
    await storeRoles(app.deps.db, mount, cas.length, (index) => ({ certificate: cas[index]?.pem ?? '', ...before }))
    const known = await findRoleVersion(app.deps.db, mount, 'role-000089')
    // Names no known key, so that the role is looked for among all CAs of that name.
    const leaf = mintLeaf(successor, { authorityKeyId: Buffer.from('00', 'hex') })
    const loading = new RoleDirectory(app.deps, mount, 1_000).findIssuing(readChain(leaf.der, []), 'other')
    // Roles are loaded by name: the last one is changed while the others are on their way.
    const last = { ...blankRole('role-000089'), certificate: successor.pem, ...after }
    const change = { role: last, trust: readTrust(successor.pem), version: known?.version, at: 0 }
    expect(await inTransaction(app.deps.db, (tx) => swapRole(tx, mount, change))).toBe(true)
    const found = (await loading).flatMap(({ items }) => items).find(({ role }) => role.name === last.name)
    const owner = found?.role.allowedCommonNames[0] === 'after' ? successor : cas[89]
    expect(found?.trust.certificates[0]?.der).toEqual(owner?.der)
  })
})

test('directory: concurrent callers that find nothing loaded share one load of the roles', async () => {
  const app = await ownCertApp()
  const mount = await mountId(app)
  await storeRoles(app.deps.db, mount, 250, () => ({ certificate: app.ca.pem }))
  const directory = new RoleDirectory(app.deps, mount, 1_000)
  const chain = readChain(app.leaf().der, [])
  const found = await Promise.all(Array.from({ length: 200 }, () => directory.findIssuing(chain, 'fitting')))
  expect(found[0]?.[0]?.items).toHaveLength(250)
  // A second load would have made another object.
  expect(new Set(found.flat()).size).toBe(1)
})

test('directory: a certificate whose authority key identifier differs from that of its CA can log in', async () => {
  const app = await ownCertApp()
  const issuer = mintCa({ commonName: 'Odd CA', subjectKeyId: Buffer.from('01', 'hex') })
  await app.role('odd', { certificate: issuer.pem })
  const leaf = mintLeaf(issuer, { authorityKeyId: Buffer.from('02', 'hex') })
  expect((await app.login(leaf)).status).toBe(200)
})

test('directory: unknown key identifiers under a trusted CA find its roles and load them only once', async () => {
  const app = await ownCertApp()
  const mount = await mountId(app)
  await storeRoles(app.deps.db, mount, 250, () => ({ certificate: app.ca.pem }))
  const directory = new RoleDirectory(app.deps, mount, 1_000)
  const forged = (): Buffer => mintLeaf(app.ca, { authorityKeyId: randomBytes(20) }).der
  const found: RoleGroup[] = []
  for (let round = 0; round < 20; round++)
    found.push(...(await directory.findIssuing(readChain(forged(), [forged(), forged()]), 'other')))
  expect(found[0]?.items).toHaveLength(250)
  // Every identifier gets the one group that was loaded, so unknown identifiers take no memory.
  expect(new Set(found).size).toBe(1)
})

test('directory: logins of 50 unknown CAs get 400, and a trusted certificate still logs in', async () => {
  const app = await ownCertApp()
  await app.role('web', { certificate: app.ca.pem })
  const strangers = Array.from({ length: 50 }, (_, index) => mintLeaf(mintCa({ commonName: `Stranger ${index}` })))
  const answers = await Promise.all(strangers.map((leaf) => app.login(leaf)))
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([400]))
  expect((await app.login(app.leaf())).status).toBe(200)
})
