import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { enableDevice, linesOf, logFolder, recordsOf, samplePolicy } from '../../../../test/support/audit-devices.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { recordingLog } from '../../../../test/support/recording-log.ts'
import { ownApp, sharedApp } from '../../../../test/support/shared.ts'
import { verifyFiles } from '../../../crypto/line-chains/line-chain-verify.ts'

const at = logFolder()

eachEngine((engine) => {
  test('audit: a device is enabled, listed, records request and response, and is disabled', async () => {
    const app = await ownApp({ engine })
    expect(await app.root.get('/v1/sys/audit')).toMatchObject({ status: 200, body: { data: {} } })
    const options = { file_path: at('log') }
    expect((await enableDevice(app, 'file', options)).status).toBe(204)
    const info = { path: 'file/', type: 'file', description: 'test', options, local: false, failing: false }
    expect((await app.root.get('/v1/sys/audit')).body).toMatchObject({ data: { 'file/': info }, 'file/': info })

    const { headers } = await app.root.put('/v1/sys/policies/acl/ops', { policy: samplePolicy })
    const [request, response] = await recordsOf(at('log'), 'sys/policies/acl/ops')
    expect(request).toMatchObject({ type: 'request', request: { id: headers['x-request-id'], operation: 'update' } })
    expect(response).toMatchObject({ type: 'response', auth: { policies: ['root'], display_name: 'root' } })

    expect((await app.root.delete('/v1/sys/audit/file')).status).toBe(204)
    const before = (await linesOf(at('log'))).length
    await app.root.put('/v1/sys/policies/acl/ops', { policy: samplePolicy })
    expect((await linesOf(at('log'))).length).toBe(before)
    expect((await app.root.delete('/v1/sys/audit/file')).status).toBe(204)
    expect((await app.root.get('/v1/sys/audit')).body.data).toEqual({})
  })

  test('audit: options that choose records get 400, and others that are unknown are stored with a warning', async () => {
    const app = await ownApp({ engine })
    for (const option of ['filter', 'fallback']) {
      const { status, body } = await enableDevice(app, 'file', { file_path: at('log'), [option]: 'true' })
      expect([status, body.errors[0]]).toEqual([400, expect.stringContaining(`'${option}' is not supported`)])
    }
    expect((await app.root.get('/v1/sys/audit')).body.data).toEqual({})
    const options = { file_path: at('log'), log_row: 'true', compress: 'x' }
    const { status, body } = await enableDevice(app, 'file', options)
    expect([status, body.warnings]).toEqual([200, ['These options are stored without effect: compress, log_row.']])
    expect((await app.root.get('/v1/sys/audit')).body.data['file/'].options).toEqual(options)
  })

  test('audit: the log tells of a device that was disabled, and not of one that was never there', async () => {
    const { log, text } = recordingLog()
    const app = await ownApp({ engine, log })
    expect((await app.root.delete('/v1/sys/audit/none')).status).toBe(204)
    expect(text()).not.toContain('disabled')
    await enableDevice(app, 'file', { file_path: at('log') })
    await app.root.delete('/v1/sys/audit/file')
    expect(text()).toContain('audit device disabled')
  })

  test('audit: the log warns of other nodes, which must be able to write to a device too', async () => {
    const { log, text } = recordingLog()
    const app = await ownApp({ engine, log })
    const nodes = vi.spyOn(app.deps.store, 'nodes')
    const warned = async (count: number | Error, file_path: string) => {
      if (count instanceof Error) nodes.mockRejectedValueOnce(count)
      else nodes.mockResolvedValueOnce(count)
      const before = text().length
      expect((await enableDevice(app, 'file', { file_path })).status).toBe(204)
      await app.root.delete('/v1/sys/audit/file')
      return text().slice(before).includes('every other node must be able to write to it too')
    }
    expect(await warned(1, at('one'))).toBe(false)
    expect(await warned(2, at('two'))).toBe(true)
    expect(await warned(new Error('away'), at('unknown'))).toBe(true)
    expect(await warned(2, 'discard')).toBe(false)
  })

  test('audit: of concurrent callers that enable one path exactly one gets 204', async () => {
    const app = await ownApp({ engine })
    const answers = await Promise.all([1, 2, 3, 4].map((n) => enableDevice(app, 'file', { file_path: at(`log${n}`) })))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400, 400, 400])
    expect(Object.keys((await app.root.get('/v1/sys/audit')).body.data)).toEqual(['file/'])
  })

  test('audit: another process starts and stops recording when a device is enabled and disabled', async () => {
    const app = await ownApp({ engine })
    const other = await ownApp({ engine, beside: app, settings: { nodeName: 'other' } })
    await app.root.get('/v1/sys/policies/acl/default')
    await other.root.get('/v1/sys/policies/acl/default')
    await enableDevice(app, 'file', { file_path: at('log') })
    const recorded = async () => (await recordsOf(at('log'), 'sys/policies/acl/other')).length
    await expect
      .poll(async () => {
        await other.root.get('/v1/sys/policies/acl/other')
        return recorded()
      })
      .toBeGreaterThan(0)
    expect(await verifyFiles([at('log')])).toMatchObject({ ok: true, chains: [{}, {}] })
    await app.root.delete('/v1/sys/audit/file')
    await expect
      .poll(async () => {
        const before = await recorded()
        await other.root.get('/v1/sys/policies/acl/other')
        return (await recorded()) - before
      })
      .toBe(0)
  })

  test('audit: after an unseal a device hashes with the same salt, which is stored encrypted', async () => {
    const app = await ownApp({ engine })
    await enableDevice(app, 'file', { file_path: at('log') })
    const hash = async () => (await app.root.post('/v1/sys/audit-hash/file', { input: 'abc' })).body.data.hash
    const before = await hash()
    await app.deps.node.announceUnsealed()
    expect(await hash()).toBe(before)
    const [row] = await app.deps.db.selectFrom('audit_devices').selectAll().execute()
    expect(Buffer.from(row?.salt ?? []).length).toBeGreaterThan(32)
  })
})

describe('refusals', () => {
  const app = sharedApp()

  test.each([
    ['no type', '', { file_path: 'x' }, /type/],
    ['an unknown type', 'kafka', {}, /kafka/],
    ['no file', 'file', {}, /file_path/],
    ['an executable mode', 'file', { file_path: '/tmp/x', mode: '0755' }, /executable/],
    ['an executable mode of nothing', 'file', { file_path: 'discard', mode: '0755' }, /executable/],
    ['a mode that is not a number', 'file', { file_path: '/tmp/x', mode: 'rw' }, /octal/],
    ['no address', 'socket', {}, /address/],
    ['a socket with a user', 'socket', { address: 'me@127.0.0.1:514', skip_test: 'true' }, /host:port/],
    ['a socket with a password', 'socket', { address: 'tcp://me:hunter2@h:1' }, /'tcp:\/\/me:\[redacted\]@h:1'/],
    ['a socket nobody reads', 'socket', { address: '127.0.0.1:1' }, /cannot be used/],
    ['another format', 'file', { file_path: 'x', format: 'xml' }, /json/],
    ['a flag that is none', 'file', { file_path: 'x', log_raw: 'perhaps' }, /log_raw/],
    ['a directory that cannot be made', 'file', { file_path: '/dev/null/x/y' }, /cannot be used/],
    ['a device that is full', 'file', { file_path: '/dev/full' }, /cannot be used/],
  ])('audit enable: %s gets 400 and stores no device', async (_what, type, options, text) => {
    const answer = await enableDevice(app, 'bad', options, type)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toMatch(text)
    expect((await app.root.get('/v1/sys/audit')).body.data).toEqual({})
  })

  test('audit: credentials in an option are not shown', async () => {
    const options = { file_path: 'discard', collector: 'https://me:hunter2@h/x' }
    expect((await enableDevice(app, 'a', options)).status).toBe(200)
    const { data } = (await app.root.get('/v1/sys/audit')).body
    expect(data['a/'].options).toEqual({ file_path: 'discard', collector: 'https://me:[redacted]@h/x' })
    await app.root.delete('/v1/sys/audit/a')
  })

  test('audit enable: a path in use and a file in use get 400', async () => {
    expect((await enableDevice(app, 'a', { file_path: at('log') })).status).toBe(204)
    const taken = { status: 400, body: { errors: ['path is already in use at a/'] } }
    expect(await app.root.put('/v1/sys/audit/a', { type: 'file', options: { file_path: at('o') } })).toMatchObject(
      taken,
    )
    const twin = await enableDevice(app, 'b', { file_path: `${at()}/./log` })
    expect(twin).toMatchObject({ status: 400, body: { errors: [expect.stringContaining("'a/'")] } })
    await app.root.delete('/v1/sys/audit/a')
    expect((await enableDevice(app, 'a', { file_path: 'discard' })).status).toBe(204)
    expect((await enableDevice(app, 'b', { file_path: 'DISCARD' })).status).toBe(400)
    await app.root.delete('/v1/sys/audit/a')
  })

  test('audit enable: the file of another device reached by a symlink gets 400', async () => {
    expect((await enableDevice(app, 'a', { file_path: at('log') })).status).toBe(204)
    await symlink(at('log'), at('link'))
    await symlink(at(), at('folder'))
    for (const file_path of [at('link'), join(at('folder'), 'log')]) {
      const twin = await enableDevice(app, 'b', { file_path })
      expect(twin).toMatchObject({ status: 400, body: { errors: [expect.stringContaining("'a/'")] } })
    }
    await app.root.delete('/v1/sys/audit/a')
    expect(await verifyFiles([at('log')])).toMatchObject({ ok: true })
  })

  test('audit-hash: an unknown device and a missing input get 400', async () => {
    const absent = await app.root.post('/v1/sys/audit-hash/file', { input: 'x' })
    expect(absent).toMatchObject({ status: 400, body: { errors: [expect.stringContaining('unknown audit backend')] } })
    await enableDevice(app, 'file', { file_path: 'discard' })
    expect((await app.root.post('/v1/sys/audit-hash/file', {})).status).toBe(400)
    await app.root.delete('/v1/sys/audit/file')
  })

  test('audit: listing, enabling and disabling without a token get 403', async () => {
    expect((await app.anonymous.get('/v1/sys/audit')).status).toBe(403)
    expect((await app.anonymous.put('/v1/sys/audit/x', { type: 'file' })).status).toBe(403)
    expect((await app.anonymous.delete('/v1/sys/audit/x')).status).toBe(403)
  })
})
