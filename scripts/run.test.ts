import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type FakeCheckout, fakeCheckout, type Running, writeLockFile } from '../test/support/fake-checkout.ts'

let checkout: FakeCheckout
beforeEach(() => {
  checkout = fakeCheckout()
})
afterEach(() => checkout.remove())

const finish = async (running: Running) => ({ ...(await running.ended), output: running.output() })
const lockFile = () => join(checkout.root, '.holdfast-setup.lock')

/** Makes the scripts believe that this Node is too old for the server. */
function pretendOldNode(): void {
  const file = join(checkout.root, 'scripts', 'setup', 'node-version.mjs')
  writeFileSync(file, readFileSync(file, 'utf8').replace("OLDEST_RUNNER = '26.10.0'", "OLDEST_RUNNER = '99.0.0'"))
}

async function until(running: Running, text: string): Promise<void> {
  while (!running.output().includes(text)) {
    const news = [running.child.stdout, running.child.stderr].map((stream) => stream && once(stream, 'data'))
    await Promise.race([...news, running.ended])
    if (running.child.exitCode !== null && !running.output().includes(text)) throw new Error(running.output())
  }
}

test('start: the first one installs without development packages, the second installs nothing', async () => {
  const first = await finish(checkout.start('start', '--port', '0'))
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining('server dev --port 0') })
  expect(first.output).toContain('Installing packages')
  expect(checkout.npmRuns()).toEqual(['ci --omit=dev --include=optional'])

  const second = await finish(checkout.start('start'))
  expect(second).toMatchObject({ code: 0, output: 'server dev \n' })
  expect(checkout.npmRuns()).toHaveLength(1)
  expect(existsSync(lockFile())).toBe(false)
})

test('start: the compile cache is in node_modules, unless NODE_COMPILE_CACHE names another folder', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [given, found] of [
    [undefined, join(checkout.root, 'node_modules', '.cache', 'holdfast')],
    ['/elsewhere', '/elsewhere'],
  ]) {
    vi.stubEnv('NODE_COMPILE_CACHE', given)
    expect((await finish(checkout.start('start', 'cache'))).output).toContain(`\n${found}\n`)
  }
})

test('setup after start: development packages are added to the present ones, and start accepts them', async () => {
  await finish(checkout.start('start'))
  expect(await finish(checkout.start('setup'))).toMatchObject({ code: 0 })
  expect(checkout.npmRuns()[1]).toBe('install --no-save --include=dev')
  await finish(checkout.start('start'))
  expect(checkout.npmRuns()).toHaveLength(2)
})

test('start: a changed lock file is installed', async () => {
  await finish(checkout.start('start'))
  writeLockFile(checkout.root, '1.1.0')
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0 })
  expect(checkout.npmRuns()[1]).toBe('install --no-save --omit=dev')
})

test('start: a package that is missing in node_modules is installed again', async () => {
  await finish(checkout.start('start'))
  rmSync(join(checkout.root, 'node_modules', 'plain'), { recursive: true })
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0 })
  expect(checkout.npmRuns()[1]).toBe('install --no-save --omit=dev')
})

test('start: after an interrupted install, npm ci is run again', async () => {
  await finish(checkout.start('start'))
  rmSync(join(checkout.root, 'node_modules', '.package-lock.json'))
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0 })
  expect(checkout.npmRuns()[1]).toBe('ci --omit=dev --include=optional')
})

test('start: if npm fails, its own lines are shown with advice and without a stack, and the next start tries again', async () => {
  checkout.setNpmBehaviour({ fail: 'npm error code ENOTFOUND' })
  const { code, output } = await finish(checkout.start('start'))
  expect(code).toBe(1)
  expect(output).toMatch(/npm error code ENOTFOUND\n\nInstalling failed; above is what npm says\. Check that/)
  expect(output).not.toContain('    at ')
  checkout.setNpmBehaviour('install')
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0 })
})

test('start: if the pinned Node is not installed, this Node is used if it is new enough', async () => {
  checkout.setNpmBehaviour('lose-node')
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0 })
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0 })
  expect(checkout.npmRuns()).toHaveLength(1)
})

test('start: if the pinned Node is missing and this one too old, both are named, and the next start tries again', async () => {
  checkout.setNpmBehaviour('lose-node')
  pretendOldNode()
  const { code, output } = await finish(checkout.start('start'))
  expect(code).toBe(1)
  expect(output).toContain('node-pinned-for-tests is missing or does not run')
  expect(output).toContain(`install Node 99.0.0 or newer yourself; this one is ${process.versions.node}`)
  checkout.setNpmBehaviour('install')
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0 })
})

test('start: a pinned Node that does not run on this machine counts as missing', async () => {
  await finish(checkout.start('start'))
  const binary = join(checkout.root, 'node_modules', 'node-pinned-for-tests', 'bin', 'node')
  rmSync(binary)
  writeFileSync(binary, 'made for another system')
  chmodSync(binary, 0o755)
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0, output: 'server dev \n' })
  pretendOldNode()
  expect((await finish(checkout.start('start'))).output).toContain('is missing or does not run')
})

test('start: of two at the same time one installs and the other waits for it', async () => {
  checkout.setNpmBehaviour('wait')
  const runs = [checkout.start('start'), checkout.start('start')]
  await Promise.race(runs.map((running) => until(running, 'Another start is installing')))
  checkout.setNpmBehaviour('install')
  expect(await Promise.all(runs.map(finish))).toMatchObject([{ code: 0 }, { code: 0 }])
  expect(checkout.npmRuns()).toHaveLength(1)
})

test('start: a lock that nobody has touched for a while is taken over', async () => {
  writeFileSync(lockFile(), '')
  utimesSync(lockFile(), 0, 0)
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0 })
})

test('start: of two that take over the same abandoned lock, the second has it', async () => {
  writeFileSync(lockFile(), 'gone')
  utimesSync(lockFile(), 0, 0)
  const running = checkout.start('start')
  await vi.waitUntil(() => readFileSync(lockFile(), 'utf8') !== 'gone', { timeout: 20_000, interval: 1 })
  writeFileSync(lockFile(), 'another')
  await until(running, 'Another start is installing')
  expect(checkout.npmRuns()).toEqual([])
  rmSync(lockFile())
  expect(await finish(running)).toMatchObject({ code: 0 })
})

test('start: a signal during an install ends npm, too, and the next start installs', async () => {
  checkout.setNpmBehaviour('wait')
  const running = checkout.start('start')
  await vi.waitUntil(() => checkout.npmRuns().length > 0)
  running.child.kill('SIGTERM')
  expect(await finish(running)).toMatchObject({ code: 1, output: expect.stringContaining('stopped by SIGTERM') })
  checkout.setNpmBehaviour('install')
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0 })
})

test.skipIf(process.getuid?.() === 0)('start: who may not install here is told so', async () => {
  chmodSync(checkout.root, 0o500)
  const { code, output } = await finish(checkout.start('start'))
  chmodSync(checkout.root, 0o700)
  expect([code, output]).toEqual([1, expect.stringContaining('Run as the owner of')])
})

test('start: the exit code of the server is the exit code of the command', async () => {
  expect(await finish(checkout.start('start', 'exit', '3'))).toMatchObject({ code: 3, signal: null })
})

test('start: when a server dies by a signal, the command ends by the same signal', async () => {
  expect(await finish(checkout.start('start', 'die', 'SIGKILL'))).toMatchObject({ signal: 'SIGKILL' })
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'start: %s is forwarded to the server once, and its exit code is passed on',
  async (signal) => {
    const running = checkout.start('start', 'wait')
    await until(running, 'waiting')
    running.child.kill(signal)
    running.child.kill(signal)
    const { code, output } = await finish(running)
    expect(output.match(new RegExp(`got ${signal}`, 'g'))).toHaveLength(1)
    expect(code).toBe(7)
  },
)

test('start: if npm is killed, the server gets SIGTERM', async () => {
  const running = checkout.startThroughNpm('start', 'wait')
  await until(running, 'waiting')
  running.child.kill('SIGKILL')
  expect((await finish(running)).output).toContain('got SIGTERM')
})

test('start: the server is told which process passes signals on to it', async () => {
  const running = checkout.start('start', 'launcher')
  expect((await finish(running)).output).toContain(`launched by ${running.child.pid}\n`)
})

test('run: an unknown command is refused with the known ones', async () => {
  expect(await finish(checkout.start('strat'))).toMatchObject({
    code: 1,
    output: expect.stringContaining('start, test, ui, build, setup'),
  })
})
