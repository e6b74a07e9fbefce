import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auditEvent } from '../../test/support/audit-events.ts'
import { ownFolder } from '../../test/support/folders.ts'
import { verifyFiles } from '../crypto/line-chains/line-chain-verify.ts'
import { Acceptance } from '../kernel/acceptance.ts'
import { systemClock } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'
import { secret } from '../kernel/secret.ts'
import { createMetrics, type Metrics } from '../kit/metrics.ts'
import { createOutbound } from '../outbound/fetch.ts'
import { AuditBroker } from './broker.ts'
import { type AuditDevice, openDevice } from './device.ts'

let directory: string
let logged: Record<string, unknown>[]
let broker: AuditBroker
let metrics: Metrics
const outbound = createOutbound({ clock: systemClock })

beforeEach(async () => {
  directory = ownFolder()
  logged = []
  metrics = createMetrics()
  const log = { error: (fields: Record<string, unknown>) => void logged.push(fields) }
  broker = new AuditBroker({ clock: systemClock, ids: randomIds, log, metrics })
})

afterEach(async () => {
  await broker.close()
})

function fileDevice(path: string, filePath: string): Promise<AuditDevice> {
  const options = { file_path: filePath }
  const config = { path, type: 'file', options, salt: secret(randomIds.bytes(32)) }
  const places = { dataDir: join(directory, 'data'), programDir: join(directory, 'program') }
  const deps = { clock: systemClock, ids: randomIds, outbound, slot: 'w0', version: '0.0.0', places }
  return openDevice(deps, config, { test: false })
}

const logPath = (name: string) => join(directory, name)
const linesOf = async (name: string) => (await readFile(logPath(name), 'utf8')).split('\n').filter(Boolean)

test('broker: without devices recording does nothing and does not fail', async () => {
  expect(broker.active).toBe(false)
  await broker.request(auditEvent()).promise()
  await broker.response(auditEvent()).promise()
})

test('broker: every device gets every record, hashed with its own salt', async () => {
  await broker.add(await fileDevice('a/', logPath('a')))
  await broker.add(await fileDevice('b/', logPath('b')))
  await broker.request(auditEvent()).promise()
  await broker.response(auditEvent({ error: 'permission denied' })).promise()
  const [[a], [b]] = [await linesOf('a'), await linesOf('b')]
  const tokenOf = (line = '') => JSON.parse(line).auth.client_token
  expect(tokenOf(a)).toBe(broker.devices.get('a/')?.hash('hfs.token'))
  expect(tokenOf(a)).not.toBe(tokenOf(b))
  expect(await linesOf('a')).toHaveLength(2)
})

test('broker: headers with secrets are not recorded, even if the store asks for it', async () => {
  await broker.add(await fileDevice('a/', logPath('a')))
  const names = ['x-holdfast-seal-key', 'X-Holdfast-Recovery-Key', 'proxy-authorization', 'x-csrf-token', 'cookie']
  broker.setHeaders(new Map([...names, 'X-Trace'].map((name) => [name, { hmac: false }])))
  const sent = Object.fromEntries([...names, 'x-trace'].map((name) => [name.toLowerCase(), 'a value']))
  const event = auditEvent()
  await broker.request({ ...event, request: { ...event.request, headers: sent } }).promise()
  const [line = ''] = await linesOf('a')
  expect(JSON.parse(line).request.headers).toEqual({ 'x-trace': ['a value'] })
})

test('broker: one working device is enough, and each failure of another is logged', async () => {
  await broker.add(await fileDevice('full/', '/dev/full'))
  await broker.add(await fileDevice('good/', logPath('good')))
  await broker.request(auditEvent()).promise()
  await broker.response(auditEvent()).promise()
  expect(await linesOf('good')).toHaveLength(2)
  expect(logged).toHaveLength(2)
  expect(logged[0]).toMatchObject({ device: 'full/', error: expect.stringContaining('ENOSPC') })
  expect(JSON.stringify(logged)).not.toContain('hfs.token')
})

test('broker: if no device can record, request and response fail with audit.not-recorded', async () => {
  await broker.add(await fileDevice('full/', '/dev/full'))
  const notRecorded = { kind: 'internal', code: 'audit.not-recorded' }
  await expect(broker.request(auditEvent()).promise()).rejects.toMatchObject(notRecorded)
  await expect(broker.response(auditEvent()).promise()).rejects.toMatchObject(notRecorded)
  await broker.remove('full/')
  await broker.request(auditEvent()).promise()
})

test('broker: recording both writes two lines, the first with the time of the request', async () => {
  await broker.add(await fileDevice('a/', logPath('a')))
  await broker.both(auditEvent({ error: 'not found' })).promise()
  const [request, response] = (await linesOf('a')).map((line) => JSON.parse(line))
  expect(request).toMatchObject({ type: 'request', time: '2023-11-14T22:13:20.000000000Z' })
  expect(response).toMatchObject({ type: 'response', error: 'not found' })
  await broker.add(await fileDevice('a/', '/dev/full'))
  await expect(broker.both(auditEvent()).promise()).rejects.toMatchObject({ code: 'audit.not-recorded' })
})

test('broker: a removed device has written all records it was given', async () => {
  await broker.add(await fileDevice('a/', logPath('a')))
  const running = Promise.all(Array.from({ length: 100 }, () => broker.request(auditEvent()).promise()))
  await broker.remove('a/')
  await running
  expect(await linesOf('a')).toHaveLength(100)
  expect(await verifyFiles([logPath('a')])).toMatchObject({ ok: true })
})

test('broker: configured headers are written whatever their case', async () => {
  await broker.add(await fileDevice('a/', logPath('a')))
  broker.setHeaders(new Map([['X-Trace', { hmac: false }]]))
  await broker.request(auditEvent({ request: { headers: { 'x-trace': 'abc' } } })).promise()
  expect(JSON.parse((await linesOf('a'))[0] ?? '').request.headers).toEqual({ 'x-trace': ['abc'] })
})

/** Adds a device on a disk that is full. */
async function addToDisk(name: string): Promise<{ isFull: boolean }> {
  const disk = { isFull: true }
  const device = await fileDevice(`${name}/`, logPath(name))
  const refuse = () => Acceptance.of(Promise.reject(new Error('no room')))
  await broker.add({ ...device, write: (record) => (disk.isFull ? refuse() : device.write(record)) })
  return disk
}

test('broker: while no device takes records it cannot record, and one that works again is noticed by itself', async () => {
  expect(await broker.canRecord()).toBe(true)
  const disk = await addToDisk('file')
  await expect(broker.both(auditEvent()).promise()).rejects.toThrow()
  expect(await broker.canRecord()).toBe(false)
  expect(await metrics.render()).toMatch(/^holdfast_audit_failures_total\{device="file\/"\} 2$/m)
  disk.isFull = false
  await expect.poll(() => broker.canRecord(), { timeout: 5_000 }).toBe(true)
  expect(await linesOf('file')).toEqual([expect.stringContaining('sys/audit/test')])
  disk.isFull = true
  await expect(broker.both(auditEvent()).promise()).rejects.toThrow()
  await broker.add(await fileDevice('other/', logPath('other')))
  expect(await broker.canRecord()).toBe(true)
})

test('broker: a request that is recorded shows that records are taken again', async () => {
  const disk = await addToDisk('file')
  await expect(broker.both(auditEvent()).promise()).rejects.toThrow()
  expect(await broker.canRecord()).toBe(false)
  disk.isFull = false
  await broker.both(auditEvent()).promise()
  expect(await broker.canRecord()).toBe(true)
})
