import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type FakeCheckout, fakeCheckout, type Running, writeManifests } from '../test/support/fake-checkout.ts'

let checkout: FakeCheckout
beforeEach(() => {
  checkout = fakeCheckout()
})
afterEach(() => checkout.remove())

const finish = async (running: Running) => ({ ...(await running.ended), output: running.output() })
const stampFile = () => join(checkout.root, 'node_modules', '.holdfast-setup.json')

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
  expect(first.output).toContain('Installed 2 packages')
  expect(checkout.npmRuns()).toEqual(['ci --omit=dev --include=optional'])

  const second = await finish(checkout.start('start'))
  expect(second).toMatchObject({ code: 0, output: 'server dev \n' })
  expect(checkout.npmRuns()).toHaveLength(1)
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
  writeManifests(checkout.root, '1.1.0')
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0 })
  expect(checkout.npmRuns()[1]).toBe('install --no-save --omit=dev')
})

test('start: a complete node_modules without our stamp is accepted without an install', async () => {
  await finish(checkout.start('setup'))
  rmSync(stampFile())
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0, output: 'server dev \n' })
  expect(checkout.npmRuns()).toHaveLength(1)
  expect(existsSync(stampFile())).toBe(true)
})

test('start: after an interrupted install, npm ci is run again', async () => {
  await finish(checkout.start('start'))
  rmSync(stampFile())
  rmSync(join(checkout.root, 'node_modules', '.package-lock.json'))
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0 })
  expect(checkout.npmRuns()[1]).toBe('ci --omit=dev --include=optional')
})

test.each([
  ['npm error code ENOTFOUND', 'registry cannot be reached (ENOTFOUND)'],
  ['npm error code ENOSPC\nnpm error nospc no space left on device', 'The disk is full'],
  ['npm error code EACCES\nnpm error path /home/x', 'may not write where it needs to (EACCES)'],
  ['npm error code EINTEGRITY', 'differs from what package-lock.json promises'],
  ['npm error code SELF_SIGNED_CERT_IN_CHAIN', 'certificate is not trusted'],
  ['npm warn EBADENGINE noise\nnpm error something new', 'npm said:\n\n  npm error something new'],
])('start: npm fails with %j, and the reason is explained without a stack', async (printed, expected) => {
  checkout.setNpmBehaviour({ fail: printed })
  const { code, output } = await finish(checkout.start('start'))
  expect(code).toBe(1)
  expect(output).toContain(expected)
  expect(output).not.toContain('EBADENGINE')
  expect(output).not.toContain('    at ')
  expect(existsSync(stampFile())).toBe(false)
})

test('start: if package.json and lock file disagree, npm is not run', async () => {
  writeManifests(checkout.root, '1.1.0', '1.0.0')
  const { code, output } = await finish(checkout.start('start'))
  expect(code).toBe(1)
  expect(output).toContain("disagree about 'plain'")
  expect(checkout.npmRuns()).toEqual([])
})

test('start: if the pinned Node is not installed, the install is retried once and this Node is used', async () => {
  checkout.setNpmBehaviour('lose-node')
  const { code, output } = await finish(checkout.start('start'))
  expect(checkout.npmRuns()).toHaveLength(2)
  expect(output).toContain('Did not arrive: node-pinned-for-tests')
  expect(code).toBe(0)
})

test('start: if the pinned Node is not installed and this one is too old, the message names both', async () => {
  checkout.setNpmBehaviour('lose-node')
  const file = join(checkout.root, 'scripts', 'setup', 'node-version.mjs')
  writeFileSync(file, readFileSync(file, 'utf8').replace("OLDEST_RUNNER = '26.10.0'", "OLDEST_RUNNER = '99.0.0'"))
  const { code, output } = await finish(checkout.start('start'))
  expect(code).toBe(1)
  expect(output).toContain('the package node-pinned-for-tests was not installed')
  expect(output).toContain('install Node 99.0.0 or newer')
  expect(existsSync(stampFile())).toBe(false)
})

test('start: of two at the same time one installs and the other waits for it', async () => {
  checkout.setNpmBehaviour('wait')
  const runs = [checkout.start('start'), checkout.start('start')]
  await Promise.race(runs.map((running) => until(running, 'Another start (process ')))
  checkout.setNpmBehaviour('install')
  expect(await Promise.all(runs.map(finish))).toMatchObject([{ code: 0 }, { code: 0 }])
  expect(checkout.npmRuns()).toHaveLength(1)
})

test('start: a lock left by a process that died is taken over', async () => {
  const { hostname } = await import('node:os')
  writeFileSync(join(checkout.root, '.holdfast-setup.lock'), `999999999 ${hostname()}\n`)
  expect(await finish(checkout.start('start'))).toMatchObject({ code: 0 })
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
    output: expect.stringContaining('start, test, setup'),
  })
})
