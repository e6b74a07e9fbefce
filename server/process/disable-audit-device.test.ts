import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import { runServerCommand } from '../../test/support/server-command.ts'

// It starts several processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const program = join(import.meta.dirname, '..', 'main.ts')

/** A collector that takes one connection and is gone then. */
async function shortLivedCollector(): Promise<string> {
  const server = createServer((socket) => {
    socket.destroy()
    server.close()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function run(env: Record<string, string>, ...args: readonly string[]): Promise<readonly [number, string]> {
  const { code, out, err } = await runServerCommand(['disable-audit-device', ...args], env)
  return [code, out + err]
}

test('disable-audit-device: ends the failure of a running server whose only device cannot write', async () => {
  const directory = ownFolder()
  const env = {
    HOLDFAST_DATA_DIR: directory,
    HOLDFAST_LISTEN: '127.0.0.1:0',
    HOLDFAST_HTTP_LISTEN: '127.0.0.1:0',
  }
  expect(await run(env, 'broken')).toEqual([1, 'holdfast: The store is empty.\n'])
  const server = spawn(process.execPath, [program, 'dev'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    server.kill('SIGTERM')
    if (server.exitCode === null) await once(server, 'exit')
  })
  const readFacts = () => JSON.parse(readFileSync(join(directory, 'dev.json'), 'utf8'))
  const { http_address: address, root_token: token } = await vi.waitFor(readFacts, { timeout: 30_000 })
  const ask = async (method: string, path: string, body?: object): Promise<number> => {
    const sent = body ? { body: JSON.stringify(body) } : {}
    return (await fetch(`${address}/v1/${path}`, { method, headers: { 'X-Service-Token': token }, ...sent })).status
  }
  const options = { address: await shortLivedCollector(), skip_test: 'true' }
  await ask('PUT', 'sys/audit/broken', { type: 'socket', options })
  expect([await ask('GET', 'sys/auth'), await ask('DELETE', 'sys/audit/other')]).toEqual([500, 500])
  expect(await run(env)).toEqual([1, expect.stringContaining('Name the device first')])
  expect(await run(env, 'other')).toEqual([1, expect.stringContaining('Enabled: broken/')])
  expect(await run(env, 'broken')).toEqual([0, expect.stringContaining("device 'broken' is disabled. None is enabled")])
  await vi.waitFor(async () => expect(await ask('GET', 'sys/auth')).toBe(200), { timeout: 20_000 })
  expect(await ask('GET', 'sys/audit')).toBe(200)
})
