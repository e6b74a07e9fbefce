import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { sharedFolder } from '../../test/support/folders.ts'
import { runServerCommand } from '../../test/support/server-command.ts'
import { ensureDevTls } from '../dev/dev-tls.ts'
import { systemClock } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'

// It starts many processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const program = join(import.meta.dirname, '..', 'main.ts')

const directory = sharedFolder()
let keyFile: string
let recoveryFile: string

const environment = () => ({
  HOLDFAST_DATA_DIR: join(directory, 'data'),
  HOLDFAST_LISTEN: '127.0.0.1:0',
})

/** The standard output of a server from its first start to its end. */
async function firstStart(config: string): Promise<string> {
  const child = spawn(process.execPath, [program, 'server', '--config', config], {
    env: { PATH: process.env.PATH, ...environment() },
  })
  let out = ''
  child.stdout.on('data', (piece) => {
    out += piece
  })
  child.stderr.on('data', (piece) => String(piece).includes('"msg":"ready"') && child.kill('SIGTERM'))
  await once(child, 'close')
  return out
}

async function run(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const { code, out, err } = await runServerCommand(
    [...args, '--config', join(directory, 'holdfast.yaml')],
    environment(),
  )
  return { code, text: out + err }
}

beforeAll(async () => {
  keyFile = join(directory, 'data', 'seal.key')
  recoveryFile = join(directory, 'recovery.key')
  const { serverCert, serverKey } = await ensureDevTls({ clock: systemClock, ids: randomIds }, directory, ['localhost'])
  const config = join(directory, 'holdfast.yaml')
  writeFileSync(config, `tls:\n  cert_file: ${serverCert}\n  key_file: ${serverKey}\n`)
  const [, key = ''] = /Recovery key {2}(\S+)/.exec(await firstStart(config)) ?? []
  writeFileSync(recoveryFile, `${key}\n`)
})

test('recover-seal-key: doctor reports a missing key file, and only the recovery key restores it', async () => {
  const before = readFileSync(keyFile, 'utf8')
  expect(await run('recover-seal-key', '--recovery-key', recoveryFile)).toMatchObject({
    code: 1,
    text: expect.stringContaining('Move it away first'),
  })
  rmSync(keyFile)
  const doctor = await run('doctor')
  expect([doctor.code, doctor.text]).toEqual([1, expect.stringMatching(/FAIL {2}Seal key +.*is missing/)])
  const wrong = join(directory, 'wrong.key')
  writeFileSync(wrong, randomIds.bytes(32).toString('base64'))
  expect((await run('recover-seal-key', '--recovery-key', wrong)).code).toBe(1)
  expect(await run('recover-seal-key', '--recovery-key', 'nowhere.key')).toEqual({
    code: 1,
    text: "holdfast: The file 'nowhere.key' with the recovery key cannot be read: it does not exist.\n",
  })
  expect((await run('recover-seal-key')).code).toBe(1)
  expect(existsSync(keyFile)).toBe(false)
  expect((await run('recover-seal-key', `--recovery-key=${recoveryFile}`)).code).toBe(0)
  expect(readFileSync(keyFile, 'utf8')).toBe(before)
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
})

// Only root can run it for somebody else.
test.runIf(process.getuid?.() === 0)(
  'recover-seal-key: what root leaves belongs to the owner of the folder',
  async () => {
    const [data, owner] = [join(directory, 'data'), 65_534]
    for (const path of [data, ...readdirSync(data).map((name) => join(data, name))]) chownSync(path, owner, owner)
    rmSync(keyFile, { force: true })
    expect((await run('recover-seal-key', '--recovery-key', recoveryFile)).code).toBe(0)
    const left = () => readdirSync(data).filter((name) => statSync(join(data, name)).uid !== owner)
    expect([statSync(keyFile).gid, left()]).toEqual([owner, []])
    expect((await run('disable-audit-device', 'none')).text).toContain('There is no audit device')
    expect(left()).toEqual([])
  },
)
