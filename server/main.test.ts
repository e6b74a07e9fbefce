import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { mintCa, mintServer } from '../test/support/certificates.ts'
import type { CommandResult } from '../test/support/command-line.ts'
import { ownFolder } from '../test/support/folders.ts'
import { runServerCommand } from '../test/support/server-command.ts'
import { systemClock } from './kernel/clock.ts'

let directory: string
beforeEach(() => {
  directory = ownFolder()
})

const run = (args: readonly string[], environment: Record<string, string> = {}): Promise<CommandResult> =>
  runServerCommand(args, { HOLDFAST_DATA_DIR: directory, ...environment })

test('main: what a command writes and how it ends is what the process writes and how it ends', async () => {
  const started = (args: readonly string[]): Promise<CommandResult> =>
    new Promise((resolve) => {
      const environment = { PATH: process.env.PATH, HOLDFAST_DATA_DIR: directory }
      const child = execFile(
        process.execPath,
        [join(import.meta.dirname, 'main.ts'), ...args],
        { env: environment, cwd: directory },
        (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
      )
    })
  for (const args of [['version'], ['serve']]) expect(await started(args)).toEqual(await run(args))
})

test('main: a bad configuration exits with 2, reports every problem and starts nothing', async () => {
  const { code, out, err } = await run(['dev', '--workers=none'], { HOLDFAST_LISTEN: 'nowhere' })
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('The configuration has 2 problems')
  expect(err).toMatch(/HOLDFAST_LISTEN +listen: "nowhere" is not host:port/)
  expect(err).toMatch(/--workers +workers: "none"/)
  expect(err).toContain('Nothing was started.')
})

test('main: server mode without a certificate exits with 2 and names tls.cert_file', async () => {
  const { code, err } = await run(['server'])
  expect(code).toBe(2)
  expect(err).toContain('tls.cert_file')
})

test.each([[['--help']], [['config', '--help']], [['help']]])(
  'help: %j prints the usage and does nothing',
  async (args) => {
    const { code, out, err } = await run(args)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^Usage:\n {2}holdfast dev/)
  },
)

test.each([
  [['config', 'check', '-h'], 'holdfast config check [flags]'],
  [['doctor', '--help'], 'holdfast doctor [flags]'],
  [['help', 'create-root-token'], 'holdfast create-root-token [flags]'],
  [['help', 'disable-audit-device'], 'holdfast disable-audit-device PATH [flags]'],
  [['help', 'recover-seal-key'], 'holdfast recover-seal-key --recovery-key <path> [flags]'],
  [['help', 'server'], 'holdfast server [flags]'],
])('help: %j lists the flags of one command', async (args, first) => {
  const { code, out, err } = await run(args)
  expect({ code, err, first: out.split('\n')[0] }).toEqual({ code: 0, err: '', first })
  expect(out).toMatch(/^ {2}--config <path>$/m)
  expect(out).toMatch(/^ {2}--data-dir <path>$/m)
  expect(out.includes('--recovery-key <path>\n')).toBe(args.includes('recover-seal-key'))
})

test('config check: prints the effective settings and their sources, without secrets', async () => {
  const environment = { HOLDFAST_ROOT_TOKEN: 'hunter2', HOLDFAST_WORKERS: '3' }
  const { code, out, err } = await run(['config', 'check'], environment)
  expect(code).toBe(0)
  expect(out).toMatch(/^The configuration is OK \(dev mode\)\./)
  expect(out).toMatch(/workers +3 {2}\(HOLDFAST_WORKERS\)/)
  expect(err).toMatch(/^Warning: workers has no effect any more: one process serves\. Remove the setting\./)
  expect(out).toMatch(/root_token +\[redacted\] {2}\(HOLDFAST_ROOT_TOKEN\)/)
  expect(out).not.toContain('hunter2')
})

test('config check: unknown HOLDFAST_ variables are listed on stderr', async () => {
  const { code, err } = await run(['config', 'check'], { HOLDFAST_DATABASE_URL: 'postgres://x:hunter2@y/z' })
  expect([code, err]).toEqual([0, 'No setting, and ignored: HOLDFAST_DATABASE_URL.\n'])
})

test('config check: a file is checked as server mode would use it', async () => {
  const file = join(directory, 'holdfast.yaml')
  writeFileSync(file, 'listen: off\nhttp_listen: 127.0.0.1:8201\nedtion: hosted\n')
  const bad = await run(['config', 'check', '--config', file])
  expect(bad.code).toBe(1)
  expect(bad.err).toContain(`${file}:3`)
  expect(bad.err).toContain('there is no setting edtion')
  writeFileSync(file, 'listen: off\nhttp_listen: 127.0.0.1:8201\nedition: hosted\n')
  const good = await run(['config', 'check', '--config', file])
  expect(good.code).toBe(0)
  expect(good.out).toContain('(server mode)')
  expect(good.out).not.toContain('root_token')
})

test('config check: a server certificate that is not valid now is reported on stderr', async () => {
  const expired = mintServer(mintCa(), { notAfter: new Date(systemClock.now() - 3_600_000) })
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  writeFileSync(cert, expired.pem)
  writeFileSync(key, expired.keyPem)
  const { code, err } = await run(['config', 'check', '--server', '--tls-cert-file', cert, '--tls-key-file', key])
  expect([code, err]).toEqual([0, expect.stringMatching(/^Clients will refuse the server: .*cert\.pem expired at /)])
})

test('config check: TLS files that cannot be used are reported on stderr', async () => {
  const files = ['--tls-cert-file', '/none/a.pem', '--tls-key-file', '/none/b.pem']
  const { code, err } = await run(['config', 'check', '--server', ...files])
  expect([code, err]).toEqual([1, expect.stringMatching(/^tls\.cert_file: \/none\/a\.pem does not exist\./)])
})

test('config check: a database connection without TLS and a setting without effect are reported on stderr', async () => {
  const { code, out, err } = await run(['config', 'check'], {
    HOLDFAST_STORAGE: 'postgres://u:hunter2@db1,127.0.0.1,db2/d',
    HOLDFAST_FORWARDED_CLIENT_CERTIFICATE: 'rfc9440',
  })
  expect([code, out]).toEqual([0, expect.stringContaining('The configuration is OK')])
  expect(err.split('\n')).toEqual([
    expect.stringMatching(
      /^Warning: the connection to PostgreSQL on db1, db2 is not encrypted\. Add sslmode=verify-full/,
    ),
    expect.stringMatching(/^Warning: forwarded_client_certificate has no effect without trusted_proxies\. Name the/),
    '',
  ])
})

test.each([
  [['version'], 0],
  [['--help'], 0],
  [['dev', '--help'], 0],
  [['serve'], 2],
  [[], 2],
])('main: %j ends with %i', async (args, code) => {
  const ended = await run(args)
  expect(ended.code).toBe(code)
  expect(code === 0 ? ended.out : ended.err).not.toBe('')
})
