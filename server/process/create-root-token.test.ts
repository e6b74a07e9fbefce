import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { CommandResult } from '../../test/support/command-line.ts'
import { ownFolder } from '../../test/support/folders.ts'
import { runServerCommand } from '../../test/support/server-command.ts'
import { ownApp } from '../../test/support/shared.ts'

// It starts several processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const program = join(import.meta.dirname, '..', 'main.ts')

/** Runs the command. */
const run = (env: Record<string, string>, args: readonly string[] = []): Promise<CommandResult> =>
  runServerCommand(['create-root-token', ...args], env)

/** Runs it in a process of its own, with this on its standard input. */
const runWithInput = (env: Record<string, string>, input: string): Promise<CommandResult> =>
  new Promise((resolve) => {
    const args = [program, 'create-root-token', '--shares', '-']
    const child = execFile(process.execPath, args, { env: { PATH: process.env.PATH, ...env } }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? 0, out, err }),
    )
    child.stdin?.end(input)
  })

/** The address of a server in development mode that has been started for this test. */
async function startedServer(env: Record<string, string>, directory: string): Promise<string> {
  const server = spawn(process.execPath, [program, 'dev'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    server.kill('SIGTERM')
    if (server.exitCode === null) await once(server, 'exit')
  })
  const readFacts = () => JSON.parse(readFileSync(join(directory, 'dev.json'), 'utf8'))
  return (await vi.waitFor(readFacts, { timeout: 30_000 })).http_address
}

const environment = (directory: string) => ({
  HOLDFAST_DATA_DIR: directory,
  HOLDFAST_LISTEN: '127.0.0.1:0',
  HOLDFAST_HTTP_LISTEN: '127.0.0.1:0',
})

test('create-root-token: a running server accepts the token that the root key of its store has made', async () => {
  const directory = ownFolder()
  const env = environment(directory)
  expect(await run(env)).toEqual({ code: 1, out: '', err: 'holdfast: The store is empty.\n' })
  const address = await startedServer(env, directory)
  const { code, out, err } = await run(env)
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('never expires') })
  expect(out).toMatch(/^hfs\.\S+\n$/)
  const headers = { 'X-Service-Token': out.trim() }
  const answer = await fetch(`${address}/v1/auth/token/lookup-self`, { headers })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ data: { policies: ['root'], ttl: 0, orphan: true } })

  const key = join(directory, 'seal.key')
  const right = readFileSync(key, 'utf8')
  writeFileSync(key, Buffer.alloc(32, 7).toString('base64'))
  expect(await run(env)).toMatchObject({ code: 1, out: '', err: expect.stringContaining('does not open this store') })
  writeFileSync(key, right)
})

test('create-root-token: with a Shamir seal it takes as many key shares as are required', async () => {
  const app = await ownApp({ settings: { seal: { type: 'shamir', rootKey: { kind: 'file', path: '/nowhere' } } } })
  const { target } = app.deps.store
  if (target.engine !== 'sqlite') throw new Error('not the engine expected')
  const env = environment(dirname(target.file))
  expect(await run(env)).toMatchObject({ code: 1, err: expect.stringContaining('no keys yet') })
  const split = { secret_shares: 3, secret_threshold: 2 }
  const { keys } = (await app.anonymous.put('/v1/sys/init', split)).body as { keys: string[] }
  expect(await run(env)).toMatchObject({ code: 1, err: expect.stringContaining('--shares FILE') })
  const file = join(ownFolder(), 'shares.txt')
  const given = (...lines: readonly string[]) => {
    writeFileSync(file, `${lines.join('\n')}\n`)
    return run(env, ['--shares', file])
  }
  const tooFew = { code: 1, err: expect.stringContaining('2 key shares; 1 were given') }
  expect(await given(keys[0] ?? '')).toMatchObject(tooFew)
  expect(await runWithInput(env, `${keys[0]}\n`)).toMatchObject(tooFew)
  const mistyped = `${keys[1]?.startsWith('00') ? '11' : '00'}${keys[1]?.slice(2)}`
  expect(await given(keys[0] ?? '', mistyped)).toMatchObject({ code: 1, err: expect.stringContaining('not those') })
  writeFileSync(file, `${keys[2]}\n\n${keys[0]}\n`)
  const { code, out } = await run(env, [`--shares=${file}`])
  expect(code).toBe(0)
  for (const key of keys.slice(0, 2)) await app.anonymous.put('/v1/sys/unseal', { key })
  expect((await app.anonymous.as(out.trim()).get('/v1/sys/auth')).status).toBe(200)
})
