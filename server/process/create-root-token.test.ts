import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import { ownApp } from '../../test/support/shared.ts'

// It starts several processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const program = join(import.meta.dirname, '..', 'main.ts')

type Outcome = { readonly code: number; readonly out: string; readonly err: string }

/** Runs the command; `input` is what is typed. */
const run = (env: NodeJS.ProcessEnv, args: readonly string[] = [], input = ''): Promise<Outcome> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [program, 'create-root-token', ...args], { env }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? 0, out, err }),
    )
    child.stdin?.end(input)
  })

/** The address of a server in development mode that has been started for this test. */
async function startedServer(env: NodeJS.ProcessEnv, directory: string): Promise<string> {
  const server = spawn(process.execPath, [program, 'dev'], { env, stdio: 'ignore' })
  onTestFinished(async () => {
    server.kill('SIGTERM')
    if (server.exitCode === null) await once(server, 'exit')
  })
  const readFacts = () => JSON.parse(readFileSync(join(directory, 'dev.json'), 'utf8'))
  return (await vi.waitFor(readFacts, { timeout: 30_000 })).http_address
}

const environment = (directory: string) => ({
  PATH: process.env.PATH,
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
  const given = (...lines: readonly string[]) => run(env, ['--shares', '-'], `${lines.join('\n')}\n`)
  expect(await given(keys[0] ?? '')).toMatchObject({
    code: 1,
    err: expect.stringContaining('2 key shares; 1 were given'),
  })
  const mistyped = `${keys[1]?.startsWith('00') ? '11' : '00'}${keys[1]?.slice(2)}`
  expect(await given(keys[0] ?? '', mistyped)).toMatchObject({ code: 1, err: expect.stringContaining('not those') })
  const file = join(ownFolder(), 'shares.txt')
  writeFileSync(file, `${keys[2]}\n\n${keys[0]}\n`)
  const { code, out } = await run(env, [`--shares=${file}`])
  expect(code).toBe(0)
  for (const key of keys.slice(0, 2)) await app.anonymous.put('/v1/sys/unseal', { key })
  expect((await app.anonymous.as(out.trim()).get('/v1/sys/auth')).status).toBe(200)
})
