import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../scripts/setup/root.mjs'
import { testClient } from '../support/client.ts'
import { ownFolder, sharedFolder } from '../support/folders.ts'
import { endGroup } from '../support/server-processes.ts'
import { copyCheckout } from './checkout.ts'
import { pathOf } from './guide-place.ts'

const run = promisify(execFile)
const platform = 'linux-x64'
const isHere = `${process.platform}-${process.arch}` === platform

/** The most that an unpacked archive may take, in megabytes. */
const mostMegabytes = 180

/** What makes an empty root: `chroot` for the superuser, `bwrap` for others. */
const tool = process.getuid?.() === 0 && pathOf('chroot') ? 'chroot' : pathOf('bwrap') && 'bwrap'

/** The user that runs there. */
const user = 10_001

/** The archive as a checkout in this folder makes it. */
async function release(folder: string): Promise<string> {
  copyCheckout(folder)
  await run(process.execPath, ['scripts/release.ts', platform], { cwd: folder })
  return join(folder, 'release')
}

describe.runIf(isHere && pathOf('tar') && pathOf('npm'))('npm run release (needs linux-x64, tar and npm)', () => {
  const folder = sharedFolder()
  let made = ''

  beforeAll(async () => {
    made = await release(join(folder, 'first'))
  }, 900_000)

  const textOf = (file: string): string => readFileSync(join(made, file), 'utf8')

  test('a second run in another folder gives the same bytes', { timeout: 900_000 }, async () => {
    const again = await release(join(ownFolder(), 'a folder elsewhere'))
    const files = readdirSync(made).sort()
    expect(readdirSync(again).sort()).toEqual(files)
    expect(files).toEqual([
      expect.stringMatching(/^SHA256SUMS$/),
      expect.stringMatching(/^holdfast-.*-linux-x64\.cdx\.json$/),
      expect.stringMatching(/^holdfast-.*-linux-x64\.tar\.gz$/),
    ])
    for (const file of files)
      expect(readFileSync(join(made, file)).equals(readFileSync(join(again, file))), file).toBe(true)
    await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: made })
  })

  test('the list of what is in it names each package, and each has its licence', { timeout: 120_000 }, async () => {
    const place = ownFolder()
    const unpacked = await unpackInto(made, place)
    expect(Number((await run('du', ['-sm', unpacked])).stdout.split('\t')[0])).toBeLessThan(mostMegabytes)
    const [list = ''] = readdirSync(made).filter((file) => file.endsWith('.cdx.json'))
    type Component = { readonly name: string; readonly version: string }
    const listed = (JSON.parse(textOf(list)).components as Component[]).map(({ name, version }) => `${name} ${version}`)
    const licences = readFileSync(join(unpacked, 'licences', 'README'), 'utf8')
    const [, ...packages] = licences.trim().split('\n')
    expect(packages.map((line) => line.split(':')[0]).filter((each = '') => !listed.includes(each))).toEqual([])
    for (const name of ['@azure/storage-blob', '@azure/identity', 'openpgp', 'pg'])
      expect(licences).toContain(`\n${name} `)
    expect(licences).not.toMatch(/^(vitest|typescript) /m)
  })

  test.runIf(tool)(
    'it runs where nothing else is, as another user, and a certificate logs in (needs root and chroot, or bwrap)',
    { timeout: 120_000 },
    async () => {
      const root = ownFolder()
      await run('chmod', ['755', root])
      for (const each of ['opt', 'work', 'tmp']) mkdirSync(join(root, each))
      const unpacked = await unpackInto(made, join(root, 'opt'))
      const needed = await librariesOf(join(unpacked, 'lib', 'node'))
      // What docs/running.md and the image name, besides what comes with glibc.
      const others = [...needed.keys()].filter((name) => !/^(libc|libm|libdl|libpthread|ld-linux.*)\.so/.test(name))
      expect(others.sort()).toEqual(['libatomic.so.1', 'libgcc_s.so.1', 'libstdc++.so.6'])
      const programs = ['/bin/sh', '/usr/bin/dirname', '/usr/bin/readlink']
      const libraries = (await Promise.all(programs.map(librariesOf))).flatMap((each) => [...each.values()])
      for (const file of new Set([...programs, ...needed.values(), ...libraries])) {
        mkdirSync(join(root, dirname(file)), { recursive: true })
        copyFileSync(file, join(root, file))
      }
      if (tool === 'chroot') chownSync(join(root, 'work'), user, user)

      const holdfast = join('/', 'opt', unpacked.slice(join(root, 'opt').length), 'bin', 'holdfast')
      const start = (...args: string[]) => spawnInside(root, [holdfast, ...args])
      expect(await outputOf(start('--version'))).toMatch(/^holdfast .*Node 26\..*linux-x64\)\n$/)
      const server = start('dev', '--listen', '127.0.0.1:0', '--http-listen', '127.0.0.1:0')
      onTestFinished(() => endGroup(server))
      const announcement = join(root, 'work', 'data', 'dev.json')
      while (!existsSync(announcement) && server.exitCode === null) await sleep(50)
      const facts = JSON.parse(readFileSync(announcement, 'utf8'))
      const read = (file: string): string => readFileSync(join(root, file), 'utf8')
      const identity = { ca: read(facts.ca_cert), cert: read(facts.client_cert), key: read(facts.client_key) }
      const client = testClient({ url: facts.address, identity })
      onTestFinished(() => client.close())
      const login = await client.post('/v1/auth/cert/login', { name: 'dev' })
      expect(login.body.auth.token_policies).toEqual(['default'])
      if (tool === 'chroot') expect(readFileSync(`/proc/${facts.pid}/status`, 'utf8')).toMatch(/^Uid:\s+10001\s/m)
      process.kill(facts.pid, 'SIGTERM')
      expect((await once(server, 'exit'))[0]).toBe(0)
    },
  )
})

/** Unpacks the archive into a folder; returns where it is then. */
async function unpackInto(made: string, place: string): Promise<string> {
  const [archive = ''] = readdirSync(made).filter((file) => file.endsWith('.tar.gz'))
  await run('tar', ['-xzf', join(made, archive), '-C', place])
  return join(place, archive.replace('.tar.gz', ''))
}

/** The libraries that a program needs, directly or not, by name. */
async function librariesOf(program: string): Promise<Map<string, string>> {
  const { stdout } = await run('ldd', [program])
  const files = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, file = '']) => file)
  return new Map(files.map((file) => [file.split('/').at(-1) ?? '', file]))
}

/** Starts a program in another root, as another user, with no variable but the folder of its data. */
function spawnInside(root: string, command: readonly string[]): ChildProcess {
  const [program, args] =
    tool === 'chroot'
      ? ['chroot', [`--userspec=${user}:${user}`, root]]
      : ['bwrap', ['--unshare-user', '--uid', `${user}`, '--gid', `${user}`, '--bind', root, '/']]
  const env = { PATH: process.env.PATH, HOLDFAST_DATA_DIR: '/work/data' }
  return spawn(program, [...args, ...command], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
}

async function outputOf(child: ChildProcess): Promise<string> {
  let text = ''
  child.stdout?.on('data', (piece) => {
    text += piece
  })
  await once(child, 'close')
  return text
}
