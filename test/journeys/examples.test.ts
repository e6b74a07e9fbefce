import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ROOT } from '../../scripts/setup/root.mjs'
import { emptyPostgres } from '../support/databases.ts'
import { s3Fake, s3Identity } from '../support/fakes/s3-fake.ts'
import { temporaryFolder } from '../support/folders.ts'
import { freePort } from '../support/free-port.ts'
import { endGroup } from '../support/server-processes.ts'

const examples = globSync('*/run.sh', { cwd: join(ROOT, 'examples') }).map((file) => dirname(file))

const has = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

/** Why an example cannot run here. */
const lacks: Readonly<Record<string, () => string | false>> = {
  'certificate-login-in-ci': () => !has('openssl') && 'needs openssl',
  'workspace-with-state': () => !has('tofu') && !has('terraform') && 'needs tofu or terraform',
  'three-nodes': () =>
    (!inject('postgresUrl') && 'needs PostgreSQL') || (!(has('openssl') && has('curl')) && 'needs openssl and curl'),
}

/** What the reader of an example brings. */
type Brought = { readonly args?: readonly string[]; readonly environment?: Record<string, string> }

/** What takes what was brought away again. */
const undo: (() => unknown)[] = []

const brings: Readonly<Record<string, () => Promise<Brought>>> = {
  'snapshot-to-s3': async () => {
    const store = await s3Fake(s3Identity)
    undo.push(() => store.close())
    const { bucket, accessKey, secret, region } = s3Identity
    const place = { S3_ENDPOINT: `http://${store.endpoint}`, S3_BUCKET: bucket, S3_REGION: region }
    return { environment: { ...place, S3_KEY: accessKey, S3_SECRET: secret } }
  },
  'three-nodes': async () => {
    const { url, remove } = await emptyPostgres()
    undo.push(remove)
    const ports = [await freePort(), await freePort(), await freePort()]
    return { args: [url], environment: { PORTS: ports.join(' ') } }
  },
}

/** The folder of a dev server, and what is on the PATH of those who stand in it. */
const folder = temporaryFolder()
const environment: NodeJS.ProcessEnv = {
  PATH: [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: folder,
  CHECKPOINT_DISABLE: '1',
}

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'))
  symlinkSync(join(ROOT, 'scripts/holdfast.mjs'), join(folder, 'bin', 'holdfast'))
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'))
  const args = ['dev', '--listen', '127.0.0.1:0', '--http-listen', 'off']
  const server = spawn('holdfast', args, { cwd: folder, env: environment, stdio: 'ignore' })
  undo.push(() => server.kill())
  while (!existsSync(join(folder, 'data/dev.json')) && server.exitCode === null) await sleep(50)
})

afterAll(async () => {
  for (const action of undo.toReversed()) await action()
  rmSync(folder, { recursive: true, force: true })
})

test('every example has a README and a script, and the list names it', () => {
  expect(examples.length).toBeGreaterThanOrEqual(6)
  const folders = globSync('*/', { cwd: join(ROOT, 'examples') }).map((name) => name.replace(/\/$/, ''))
  expect(folders.toSorted()).toEqual(examples.toSorted())
  expect(examples.filter((name) => !existsSync(join(ROOT, 'examples', name, 'README.md')))).toEqual([])
})

// Together: the longest waits for half a minute until a node counts as gone.
test.concurrent.for(examples)(
  'example %s: its script works',
  { timeout: 240_000 },
  async (name, { skip, expect: here, onTestFinished }) => {
    const missing = lacks[name]?.()
    if (missing) skip(missing)
    const { args = [], environment: more = {} } = (await brings[name]?.()) ?? {}
    const script = join('examples', name, 'run.sh')
    const child = spawn(script, args, { cwd: folder, env: { ...environment, ...more }, detached: true })
    onTestFinished(() => endGroup(child))
    let told = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (told += text))
    const [code] = await once(child, 'close')
    here(code, told).toBe(0)
  },
)
