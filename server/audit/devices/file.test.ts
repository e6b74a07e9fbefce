import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdir, readdir, readFile, readlink, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ownFolder } from '../../../test/support/folders.ts'
import { verifyFiles } from '../../crypto/line-chains/line-chain-verify.ts'
import { systemClock } from '../../kernel/clock.ts'
import { randomIds } from '../../kernel/ids.ts'
import { secret } from '../../kernel/secret.ts'
import { createOutbound } from '../../outbound/fetch.ts'
import { type OpenedDevice, openDevice } from '../device.ts'
import { readDeviceOptions } from '../device-options.ts'
import { testRecord } from '../record.ts'

let directory: string
let path: string
const opened: OpenedDevice[] = []
const deps = {
  clock: systemClock,
  ids: randomIds,
  outbound: createOutbound({ clock: systemClock }),
  slot: 'w0',
  version: '0.0.0',
  places: { dataDir: '/nowhere/data', programDir: '/nowhere/program' },
}
const salt = secret(randomIds.bytes(32))

beforeEach(async () => {
  directory = ownFolder()
  path = join(directory, 'audit.log')
})

afterEach(async () => {
  for (const device of opened.splice(0)) await device.close()
})

async function openFile(options: Record<string, string> = {}, slot = 'w0', test = false): Promise<OpenedDevice> {
  const config = { path: 'file/', type: 'file', options: { file_path: path, ...options }, salt }
  const device = await openDevice({ ...deps, slot }, config, { test })
  opened.push(device)
  return device
}

const someRecord = () => testRecord(systemClock.now(), randomIds.uuid())
const takeMany = (device: OpenedDevice, count: number) =>
  Promise.all(Array.from({ length: count }, () => device.write(someRecord()).promise()))
const linesOf = async (file = path) => (await readFile(file, 'utf8')).split('\n').filter(Boolean)

test('file device: records are written as chained JSON lines to a file of mode 0600', async () => {
  const device = await openFile()
  await takeMany(device, 100)
  expect(await linesOf()).toHaveLength(100)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await verifyFiles([path], { expect: [device.head()] })).toMatchObject({ ok: true, foreignLines: 0 })
})

test('file device: concurrent records keep their order', async () => {
  const device = await openFile()
  const ids = Array.from({ length: 200 }, () => randomIds.uuid())
  await Promise.all(ids.map((id) => device.write(testRecord(systemClock.now(), id)).promise()))
  expect((await linesOf()).map((line) => JSON.parse(line).request.id)).toEqual(ids)
})

test('file device: enabling writes a test record unless skip_test is set', async () => {
  await openFile({}, 'w0', true)
  const [line] = await linesOf()
  expect(JSON.parse(line ?? '')).toMatchObject({ type: 'request', request: { path: 'sys/audit/test' } })
  await openFile({ skip_test: 'true' }, 'w1', true)
  expect(await linesOf()).toHaveLength(1)
})

test('file device: the chain continues after a restart, even behind a torn line', async () => {
  const first = await openFile()
  await takeMany(first, 3)
  await first.close()
  // A line that is complete except for its line break was not acknowledged either.
  await appendFile(path, (await linesOf()).at(-1)?.replace('"seq":3', '"seq":4') ?? '')
  const second = await openFile()
  await takeMany(second, 3)
  expect(second.head()).toMatchObject({ chain: first.head().chain, seq: 6 })
  expect(await verifyFiles([path], { expect: [second.head()] })).toMatchObject({ ok: true, lines: 7, foreignLines: 1 })
})

test('file device: a line that another process is just writing is not taken for a torn one', async () => {
  const first = await openFile({}, 'w1')
  await takeMany(first, 3)
  const line = `${(await linesOf()).at(-1)}\n`
  await appendFile(path, line.slice(0, 100))
  const opening = openFile()
  await sleep(5)
  await appendFile(path, line.slice(100))
  await takeMany(await opening, 3)
  expect(await readFile(path, 'utf8')).not.toContain('(torn)')
})

test('file device: rotation under load loses no record, and the chain continues in the new file', async () => {
  const device = await openFile()
  await takeMany(device, 10)
  const running = takeMany(device, 50)
  await rename(path, `${path}.1`)
  await device.reopen()
  await running
  await takeMany(device, 10)
  const counts = [(await linesOf(`${path}.1`)).length, (await linesOf()).length]
  expect(counts[0] ?? 0).toBeGreaterThanOrEqual(10)
  expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(70)
  expect(await verifyFiles([`${path}.1`, path], { expect: [device.head()] })).toMatchObject({ ok: true, lines: 70 })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('file device: if reopening fails, the old file stays in use', async () => {
  const device = await openFile()
  await rename(path, `${path}.1`)
  await mkdir(path)
  await expect(device.reopen()).rejects.toMatchObject({ code: 'audit.not-a-file' })
  await takeMany(device, 2)
  expect(await linesOf(`${path}.1`)).toHaveLength(2)
})

const openFiles = async () => {
  const links = await readdir('/proc/self/fd')
  const targets = await Promise.all(links.map((link) => readlink(`/proc/self/fd/${link}`).catch(() => '')))
  return targets.filter((target) => target === path).length
}

test.runIf(existsSync('/proc/self/fd'))(
  'file device: concurrent reopens leave one file open, and none after a close',
  async () => {
    const device = await openFile()
    await Promise.all(Array.from({ length: 5 }, () => device.reopen()))
    expect(await openFiles()).toBe(1)
    await takeMany(device, 1)
    await Promise.all([device.reopen(), device.close(), device.reopen()])
    expect(await openFiles()).toBe(0)
    await expect(device.write(someRecord()).promise()).rejects.toThrow('it is closed')
  },
)

test('file device: on a full disk records are refused and the sequence number does not advance', async () => {
  path = '/dev/full'
  await expect(openFile({}, 'w0', true)).rejects.toMatchObject({ code: 'audit.not-written' })
  const device = await openFile()
  for (let n = 0; n < 2; n++) await expect(device.write(someRecord()).promise()).rejects.toThrow(/ENOSPC/)
  expect(device.head().seq).toBe(0)
})

test.each([
  ['executable for the owner', { mode: '0700' }],
  ['executable for others', { mode: '601' }],
  ['set-user-id', { mode: '4600' }],
  ['no mode at all', { mode: 'rw' }],
])('file device: the mode %s is refused', async (_name, options) => {
  await expect(openFile(options)).rejects.toMatchObject({ kind: 'invalid', code: 'audit.bad-option' })
})

test('file device: the mode is applied, 0000 keeps the old one, and an executable file is refused', async () => {
  await writeFile(path, '', { mode: 0o644 })
  await openFile({ mode: '0000' })
  expect((await stat(path)).mode & 0o777).toBe(0o644)
  await openFile({ mode: '0640' })
  expect((await stat(path)).mode & 0o777).toBe(0o640)
  await chmod(path, 0o755)
  await expect(openFile({ mode: '0600' })).rejects.toMatchObject({ code: 'audit.executable' })
  expect((await stat(path)).mode & 0o777).toBe(0o755)
})

test('file device: directories and pipes are refused without blocking', async () => {
  await expect(openFile({ file_path: directory })).rejects.toMatchObject({ code: 'audit.not-a-file' })
  await promisify(execFile)('mkfifo', [path])
  await expect(openFile()).rejects.toMatchObject({ code: 'audit.not-a-file' })
})

test('file device: missing directories are created, and a failure names the path', async () => {
  path = join(directory, 'deep', 'er', 'audit.log')
  await takeMany(await openFile(), 1)
  path = join(path, 'below-a-file')
  await expect(openFile()).rejects.toThrow(path)
})

test('file device: the prefix stands before each line and is covered by the chain', async () => {
  const device = await openFile({ prefix: '@cee: ' })
  await takeMany(device, 2)
  const lines = await linesOf()
  expect(lines.every((line) => line.startsWith('@cee: {'))).toBe(true)
  expect((await verifyFiles([path])).ok).toBe(true)
  await writeFile(path, (await readFile(path, 'utf8')).replace('@cee', '@ceo'))
  expect((await verifyFiles([path])).firstBreak).toMatchObject({ firstLine: 1, line: 2, reason: 'changed' })
})

test.each([
  '/etc/cron.d/audit',
  '/var/spool/cron/root',
  '/root/.bashrc',
  '/home/ann/.ssh/authorized_keys',
  '/usr/lib/x',
])('file device: with a prefix, %s is refused because other programs read it', async (file_path) => {
  const options = { file_path, prefix: '* * * * * root id #' }
  expect(() => readDeviceOptions('file', options)).toThrow('other programs')
  expect(readDeviceOptions('file', { file_path }).target).toMatchObject({ path: file_path })
})

/** The start of a program that writes to a device in a process of its own. */
const program = `
  import { openDevice } from '${import.meta.dirname}/../device.ts'
  import { testRecord } from '${import.meta.dirname}/../record.ts'
  import { systemClock } from '${import.meta.dirname}/../../kernel/clock.ts'
  import { randomIds } from '${import.meta.dirname}/../../kernel/ids.ts'
  import { secret } from '${import.meta.dirname}/../../kernel/secret.ts'
  const [file_path, slot] = process.argv.slice(1)
  const config = { path: 'file/', type: 'file', options: { file_path }, salt: secret(Buffer.alloc(32)) }
  const places = { dataDir: '/nowhere/data', programDir: '/nowhere/program' }
  const deps = { clock: systemClock, ids: randomIds, slot, version: '0.0.0', places }
  const device = await openDevice(deps, config, { test: false })`

describe.runIf(existsSync('/usr/bin/prlimit')).each([
  ['file device', false, ''],
  ['file device that is opened anew meanwhile', false, 'await device.reopen()'],
  ['stdout device that leads to a file', true, ''],
] as const)('%s', (_name, isStdout, meanwhile) => {
  test('a disk that is full, gains a few bytes and then space loses no acknowledged record', async () => {
    const script = `${program}
      import { execFileSync } from 'node:child_process'
      const allow = (bytes) => execFileSync('/usr/bin/prlimit', ['--pid', process.pid, '--fsize=' + bytes + ':'])
      const taken = []
      const take = async (id) => {
        await device.write(testRecord(systemClock.now(), id)).promise().then(() => taken.push(id), () => undefined)
      }
      for (let n = 0; n < 20; n++) await take('full-' + n)
      for (let bytes = 1; bytes < 12; bytes++) {
        allow(8192 + bytes)
        await take('nearly-' + bytes)
        ${meanwhile}
      }
      allow(1_000_000)
      for (let n = 0; n < 3; n++) await take('free-' + n)
      console.error(JSON.stringify(taken))`
    // A file of this process may grow to 8 KiB; the signal that comes with more is ignored, as on a full disk.
    const limited = `trap '' XFSZ; ulimit -S -f 8; exec "$0" "$@" >"$LOG"`
    const device = isStdout ? 'stdout' : path
    const args = ['-c', limited, process.execPath, '--input-type=module', '-e', script, device, 'w0']
    const LOG = isStdout ? path : '/dev/null'
    const { stderr } = await promisify(execFile)('bash', args, { env: { ...process.env, LOG } })
    const taken = JSON.parse(stderr) as string[]
    expect(taken.slice(-3)).toEqual(['free-0', 'free-1', 'free-2'])
    const whole = (await linesOf()).filter((line) => line.endsWith('}'))
    expect(whole.map((line) => JSON.parse(line).request.id)).toEqual(taken)
    expect(await verifyFiles([path])).toMatchObject({ ok: true })
  })
})

test('file device: several processes write one file, each its own chain', async () => {
  const script = `${program}
    for (let round = 0; round < 50; round++) {
      const records = Array.from({ length: 10 }, () => testRecord(systemClock.now(), 'x'.repeat(round * 100)))
      await Promise.all(records.map((record) => device.write(record).promise()))
    }
    await device.close()`
  const run = (slot: string) => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, path, slot])
  await Promise.all(['w0', 'w1', 'w2'].map(run))
  const report = await verifyFiles([path])
  expect(report).toMatchObject({ ok: true, lines: 1500, foreignLines: 0 })
  expect(report.chains.map(({ last }) => last)).toEqual([500, 500, 500])
})

test('file device: a directory that cannot be created is refused when the device is opened', async () => {
  await expect(openFile({ file_path: '/proc/holdfast/audit.log' })).rejects.toThrow('cannot be opened')
})
