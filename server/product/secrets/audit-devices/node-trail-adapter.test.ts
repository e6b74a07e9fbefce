import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { enableDevice, linesOf, logFolder, samplePolicy } from '../../../../test/support/audit-devices.ts'
import { auditEvent } from '../../../../test/support/audit-events.ts'
import { recordingLog } from '../../../../test/support/recording-log.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { verifyFiles } from '../../../crypto/line-chains/line-chain-verify.ts'
import { readStartNotes } from '../../../kit/start-notes.ts'
import { NodeTrail, nodeTrail } from './node-trail-adapter.ts'

const at = logFolder()

test('audit: a failed query for the devices does not make the next one fail', async () => {
  const app = await ownApp()
  const { db } = app.deps
  await enableDevice(app, 'file', { file_path: 'discard' })
  let looks = 0
  const selectFrom = (from: never) => {
    if (++looks === 1) throw new Error('the database is away')
    return db.selectFrom(from)
  }
  const trail = new NodeTrail({ ...app.deps, db: { selectFrom } as unknown as typeof db })
  const [first, second] = await Promise.allSettled([trail.syncDevices(), trail.syncDevices()])
  expect([first?.status, second?.status, looks > 1]).toEqual(['fulfilled', 'fulfilled', true])
  expect(trail.deviceAt('file/')).toBeDefined()
  await trail.close()
})

test('audit: two nodes that write to one file each keep their own valid chain', async () => {
  const app = await ownApp()
  await enableDevice(app, 'file', { file_path: at('shared') })
  await app.root.get('/v1/sys/policies/acl/default')
  const beside = await ownApp({ beside: app, settings: { dataDir: at('other') } })
  for (let n = 0; n < 3; n++)
    for (const node of [app, beside]) expect((await node.root.get('/v1/sys/policies/acl/default')).status).toBe(200)
  const { ok, chains } = await verifyFiles([at('shared')])
  expect([ok, chains.length]).toEqual([true, 2])
})

describe('when no device can record', () => {
  test('the request is not carried out and gets 500 with a general message', async () => {
    const app = await ownApp()
    expect((await enableDevice(app, 'full', { file_path: '/dev/full', skip_test: 'true' })).status).toBe(500)
    const answer = await app.root.put('/v1/sys/policies/acl/ops', { policy: samplePolicy })
    expect([answer.status, answer.body]).toEqual([500, { errors: ['internal error'] }])
    expect(await app.deps.db.selectFrom('policies').select('name').where('name', '=', 'ops').execute()).toEqual([])
    expect((await app.anonymous.get('/v1/sys/health')).status).toBe(200)
    expect((await app.anonymous.get('/api/v2/organizations')).status).toBe(500)
  })

  test('one working device is enough for a 200', async () => {
    const app = await ownApp()
    await enableDevice(app, 'good', { file_path: at('log') })
    await enableDevice(app, 'full', { file_path: '/dev/full', skip_test: 'true' })
    expect((await app.root.get('/v1/sys/policies/acl/default')).status).toBe(200)
  })

  test('a socket that stops reading makes requests get 500 after its write_timeout', async () => {
    const app = await ownApp()
    const sockets: Socket[] = []
    const server = createServer((socket) => void sockets.push(socket.pause()))
    await new Promise<void>((resolve) => server.listen(at('socket'), resolve))
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const options = { address: at('socket'), socket_type: 'unix', write_timeout: '50ms', log_raw: 'true' }
    expect((await enableDevice(app, 'socket', options, 'socket')).status).toBe(204)
    const long = 'x'.repeat(500_000)
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) {
      statuses.push((await app.root.put(`/v1/sys/policies/acl/p${n}`, { policy: `# ${long}\n${samplePolicy}` })).status)
    }
    expect(statuses).toContain(500)
    expect(statuses.every((status) => status === 204 || status === 500)).toBe(true)
  })

  test('a device that cannot be opened does not stop the start, refuses records, and recovers on reopen', async () => {
    const app = await ownApp()
    const folder = at('logs')
    await mkdir(folder)
    await enableDevice(app, 'file', { file_path: join(folder, 'log') })
    await rm(folder, { recursive: true })
    await writeFile(folder, 'a file in the way')
    const restarted = new NodeTrail({ ...app.deps, log: { ...app.deps.log, error: () => undefined } })
    await restarted.syncDevices()
    expect(restarted.active).toBe(true)
    await expect(restarted.request(auditEvent()).promise()).rejects.toThrow()
    await rm(folder)
    await restarted.reopen()
    await restarted.request(auditEvent()).promise()
    expect(await linesOf(join(folder, 'log'))).toHaveLength(1)
    await restarted.close()
  })

  test('after each unsealing the files of devices are opened again', async () => {
    const app = await ownApp()
    const folder = at('again')
    await mkdir(folder)
    await enableDevice(app, 'file', { file_path: join(folder, 'log') })
    await rename(join(folder, 'log'), join(folder, 'old'))
    await app.deps.node.announceUnsealed()
    expect((await app.root.get('/v1/sys/mounts')).status).toBe(200)
    expect(await linesOf(join(folder, 'log'))).toHaveLength(2)

    await rm(folder, { recursive: true })
    await writeFile(folder, 'a file in the way')
    await app.deps.node.announceUnsealed()
    expect((await app.root.get('/v1/sys/mounts')).status).toBe(500)
    await rm(folder)
    await nodeTrail(app.deps).reopen()
    expect((await app.root.get('/v1/sys/mounts')).status).toBe(200)
    expect(await linesOf(join(folder, 'log'))).toHaveLength(2)
  })
})

describe('a socket that cannot be reached', () => {
  /** A collector on this machine that stops when it is told to. */
  async function collector() {
    const sockets: Socket[] = []
    const server = createServer((socket) => void sockets.push(socket.resume()))
    const address = await new Promise<string>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`)),
    )
    const stop = async () => {
      for (const socket of sockets.splice(0)) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
    onTestFinished(() => void stop())
    return { address, stop }
  }

  test.each([
    ['where nobody listens', '127.0.0.1:9'],
    ['that is always denied', '169.254.169.254:514'],
    ['that is always denied, by name', 'metadata.test:514'],
  ])('audit: an address %s gets 400 also with skip_test, and no device is on', async (_what, address) => {
    const app = await ownApp({ outbound: { resolver: async () => [{ address: '169.254.169.254', family: 4 }] } })
    for (const socket_type of address.startsWith('127.') ? ['tcp'] : ['tcp', 'udp']) {
      const options = { address, socket_type, skip_test: 'true' }
      expect(await enableDevice(app, 'far', options, 'socket')).toMatchObject({
        status: 400,
        body: { errors: [expect.stringContaining('cannot be used')] },
      })
    }
    expect(await app.root.get('/v1/sys/audit')).toMatchObject({ status: 200, body: { data: {} } })
  })

  test('audit: as the only device it is removed by a root token alone, and the log has the accessor', async () => {
    const { log, text } = recordingLog()
    const app = await ownApp({ log })
    const { body } = await app.root.post('/v1/auth/token/create', { policies: ['root'] })
    await app.root.put('/v1/sys/policies/acl/all', { policy: 'path "*" { capabilities = ["delete", "sudo"] }' })
    const other = (await app.root.post('/v1/auth/token/create', { policies: ['all'] })).body.auth.client_token
    const { address, stop } = await collector()
    expect((await enableDevice(app, 'gone', { address }, 'socket')).status).toBe(204)
    await stop()
    expect((await app.root.get('/v1/sys/mounts')).status).toBe(500)
    expect((await app.root.delete('/v1/sys/audit/other')).status).toBe(500)
    expect((await app.anonymous.as(other).delete('/v1/sys/audit/gone')).status).toBe(500)
    const wrapped = { headers: { 'X-Service-Wrap-TTL': '60s' } }
    expect((await app.root.delete('/v1/sys/audit/gone', undefined, wrapped)).status).toBe(500)
    expect((await app.root.as(body.auth.client_token).delete('/v1/sys/audit/gone')).status).toBe(204)
    expect(text()).toContain(`"device":"gone/","accessor":"${body.auth.accessor}"`)
    expect((await readStartNotes(app.deps.settings.dataDir)).unrecordedRemovals).toEqual([
      { device: 'gone/', accessor: body.auth.accessor },
    ])
    expect((await app.root.get('/v1/sys/mounts')).status).toBe(200)
  })

  test('audit: beside another device that fails, or as a file, nothing is removed without a record', async () => {
    const app = await ownApp()
    const { address, stop } = await collector()
    const full = { file_path: '/dev/full', skip_test: 'true' }
    expect((await enableDevice(app, 'gone', { address }, 'socket')).status).toBe(204)
    expect((await enableDevice(app, 'full', full)).status).toBe(204)
    await stop()
    expect((await app.root.delete('/v1/sys/audit/gone')).status).toBe(500)
    expect((await app.root.delete('/v1/sys/audit/full')).status).toBe(500)
  })

  test('audit: server mode enables no device on this machine, and goes on with one from before', async () => {
    const before = await ownApp()
    const { address } = await collector()
    expect((await enableDevice(before, 'near', { address }, 'socket')).status).toBe(204)
    const { log, text } = recordingLog()
    const app = await ownApp({ beside: before, settings: { mode: 'server', nodeName: 'other' }, log })
    expect((await app.root.get('/v1/sys/mounts')).status).toBe(200)
    expect(text()).toMatch(/"device":"near\/".*outbound\.allow can permit.*could not be enabled anew/)
    expect(await enableDevice(app, 'new', { address: address.replace('.1:', '.2:') }, 'socket')).toMatchObject({
      status: 400,
      body: { errors: [expect.stringContaining('a loopback address')] },
    })
  })
})
