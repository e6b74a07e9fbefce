import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../scripts/setup/root.mjs'

/** A checkout with a small lock file and a space in its path, whose npm is a script that records how it was called. */
export type FakeCheckout = {
  root: string
  /** The arguments of every npm run so far, most important first. */
  npmRuns: () => string[]
  /**
   * What npm does on its next runs: install, install without the optional Node,
   * wait until told to install, or print this and fail.
   */
  setNpmBehaviour: (what: 'install' | 'lose-node' | 'wait' | { fail: string }) => void
  start: (...args: string[]) => Running
  /** The same with a process in between, as npm is. */
  startThroughNpm: (...args: string[]) => Running
  remove: () => void
}

/** A started `run.mjs`, with what it printed. */
export type Running = {
  child: ChildProcess
  output: () => string
  ended: Promise<{ code: number | null; signal: string | null }>
}

const nodePackage = 'node-pinned-for-tests'

/** Builds the checkout. The pinned Node is the one running the test, wrapped in a package of its own. */
export function fakeCheckout(): FakeCheckout {
  const root = mkdtempSync(join(tmpdir(), 'holdfast setup '))
  cpSync(join(ROOT, 'scripts'), join(root, 'scripts'), { recursive: true, filter: (file) => !file.endsWith('.ts') })
  pretendPlatform(root)
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeLockFile(root, '1.0.0')
  mkdirSync(join(root, 'server'))
  writeFileSync(join(root, 'server', 'main.ts'), serverProgram)
  writeFileSync(join(root, 'npm-cli.js'), npmProgram)
  const setMode = (mode: unknown) => {
    // Replaced atomically: a waiting npm reads it all the time.
    writeFileSync(join(root, 'npm-mode.new'), JSON.stringify(mode))
    renameSync(join(root, 'npm-mode.new'), join(root, 'npm-mode.json'))
  }
  setMode('install')
  return {
    root,
    npmRuns: () =>
      existsSync(join(root, 'npm.log')) ? readFileSync(join(root, 'npm.log'), 'utf8').trim().split('\n') : [],
    setNpmBehaviour: setMode,
    start: (...args) => startRun(root, args),
    startThroughNpm: (...args) => startRun(root, args, ['--eval', parentProgram, '--']),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Rewrites the lock file, as a change of a dependency would. */
export function writeLockFile(root: string, version: string): void {
  const platform = { optional: true, os: process.platform, cpu: process.arch }
  const packages = {
    '': { dependencies: { plain: version } },
    'node_modules/plain': { version },
    'node_modules/tester': { version: '2.0.0', dev: true },
    [`node_modules/${nodePackage}`]: { version: process.versions.node, ...platform },
    'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['no-such-system'] },
  }
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }))
}

function pretendPlatform(root: string): void {
  const file = join(root, 'scripts', 'setup', 'pinned-node.mjs')
  const name = `'${process.platform}-${process.arch}': '${nodePackage}',`
  writeFileSync(file, readFileSync(file, 'utf8').replace(/NODE_PACKAGES = \{[^}]*\}/, `NODE_PACKAGES = { ${name} }`))
}

function startRun(root: string, args: string[], before: string[] = []): Running {
  const npm = {
    npm_execpath: join(root, 'npm-cli.js'),
    npm_node_execpath: process.execPath,
    npm_lifecycle_event: 'start',
  }
  const child = spawn(process.execPath, [...before, join(root, 'scripts', 'run.mjs'), ...args], {
    env: { ...process.env, ...npm },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk
    })
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  return { child, output: () => text, ended }
}

const parentProgram = `
require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })
setInterval(() => undefined, 1000)
`

const npmProgram = `
import fs from 'node:fs'
import path from 'node:path'
const args = process.argv.slice(2)
fs.appendFileSync('npm.log', args.slice(0, 3).join(' ') + '\\n')
const readMode = () => JSON.parse(fs.readFileSync('npm-mode.json'))
while (readMode() === 'wait') await new Promise((resolve) => setTimeout(resolve, 20))
const mode = readMode()
if (mode.fail) { console.error(mode.fail); process.exit(1) }
const lock = JSON.parse(fs.readFileSync('package-lock.json')).packages
const kept = {}
for (const [key, entry] of Object.entries(lock)) {
  if (!key || key.endsWith('/elsewhere') || (entry.dev && args.includes('--omit=dev'))) continue
  if (mode === 'lose-node' && key.endsWith('/${nodePackage}')) continue
  kept[key] = entry
  fs.mkdirSync(path.join(key, 'bin'), { recursive: true })
  fs.writeFileSync(path.join(key, 'package.json'), JSON.stringify({ bin: { node: 'bin/node' } }))
  if (key.endsWith('/${nodePackage}')) { fs.rmSync(key + '/bin/node', { force: true }); fs.symlinkSync(process.execPath, key + '/bin/node') }
}
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: kept }))
`

const serverProgram = `
const [mode, ...args] = process.argv.slice(2)
console.log('server', mode, args.join(' '))
if (args[0] === 'cache') console.log(process.env.NODE_COMPILE_CACHE)
if (args[0] === 'launcher') console.log('launched by', process.env.HOLDFAST_LAUNCHER_PID)
if (args[0] === 'exit') process.exit(Number(args[1]))
if (args[0] === 'die') process.kill(process.pid, args[1])
if (args[0] === 'wait') {
  const stay = setInterval(() => undefined, 1000)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => { console.log('got', signal); clearInterval(stay); process.exitCode = 7 })
  console.log('waiting')
}
`
