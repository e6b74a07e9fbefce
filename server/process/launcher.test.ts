import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import type { DevJson } from '../dev/index.ts'
import { tryListening } from '../http/listener/index.ts'

const root = join(import.meta.dirname, '..', '..')

let directory: string
const pids: number[] = []
beforeEach(() => {
  directory = ownFolder()
})
afterEach(() => {
  for (const pid of pids.splice(0)) endIfRunning(pid)
})

function endIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself, as it should.
  }
}

/** A dev server that another program starts, and what both of them log. */
async function startThrough(program: readonly string[], environment: Record<string, string> = {}) {
  const child: ChildProcess = spawn(process.execPath, [...program, 'dev'], {
    env: {
      PATH: process.env.PATH,
      HOLDFAST_DATA_DIR: directory,
      HOLDFAST_LISTEN: 'off',
      HOLDFAST_HTTP_LISTEN: '127.0.0.1:0',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  pids.push(child.pid ?? 0)
  // The stream ends with the last process that holds it.
  const logged = child.stderr ? text(child.stderr) : Promise.resolve('')
  const file = join(directory, 'dev.json')
  while (!existsSync(file) && child.exitCode === null) await setTimeout(20)
  const facts: DevJson = JSON.parse(readFileSync(file, 'utf8'))
  pids.push(facts.pid)
  return { child, logged, facts, file }
}

/** A parent that is no launcher: it knows nothing of the server it has started. */
const stranger = [
  '--eval',
  `require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })
   setInterval(() => undefined, 1000)`,
  '--',
  join(root, 'server', 'main.ts'),
]

const posixTest = test.skipIf(process.platform === 'win32')

posixTest.each([
  ['holdfast', join(root, 'scripts', 'holdfast.mjs')],
  ['the client', join(root, 'cli', 'main.ts')],
])('launcher: if %s is killed, the server stops in order', async (_name, program) => {
  const { child, logged, facts, file } = await startThrough([program])
  expect(facts.pid).not.toBe(child.pid)
  child.kill('SIGKILL')
  const lines = (await logged).split('\n')
  const told = lines.filter((line) => line.includes('"msg":"the process that started this server is gone"'))
  expect(told).toEqual([expect.stringContaining(`"launcher":${child.pid}`)])
  expect(lines).toContainEqual(expect.stringContaining('"msg":"stopped"'))
  expect(lines.join('\n')).not.toContain('HOLDFAST_LAUNCHER_PID')
  expect(existsSync(file)).toBe(false)
  const { port } = new URL(String(facts.http_address))
  await tryListening({ host: '127.0.0.1', port: Number(port), name: 'http', setting: 'http_listen' })
})

posixTest('launcher: a server whose parent is no launcher outlives it', async () => {
  const { child, facts } = await startThrough(stranger, { HOLDFAST_LAUNCHER_PID: String(process.pid) })
  child.kill('SIGKILL')
  await once(child, 'exit')
  await setTimeout(1_200)
  expect((await fetch(`${facts.http_address}/healthz`)).status).toBe(200)
})
