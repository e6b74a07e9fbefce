import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
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

/** The most that npm may install, in megabytes, of which Node's own package takes 211; and that an archive unpacks to. */
const most = { installed: 290, unpacked: 180 }

/** What makes an empty root: `chroot` for the superuser, `bwrap` for others. */
const tool = process.getuid?.() === 0 && pathOf('chroot') ? 'chroot' : pathOf('bwrap') && 'bwrap'

/** The user that runs there. */
const user = 10_001

const state = JSON.stringify({
  version: 4,
  terraform_version: '1.10.0',
  serial: 1,
  lineage: 'own',
  outputs: {},
  resources: [],
})
const stateVersion = {
  data: {
    type: 'state-versions',
    attributes: { serial: 1, lineage: 'own', md5: hash('md5', state), state: Buffer.from(state).toString('base64') },
  },
}

/** True if npm can fetch what it installs. */
const reachesRegistry = (): boolean =>
  spawnSync('npm', ['view', 'pg', 'version', '--fetch-retries=0', '--fetch-timeout=20000']).status === 0

/** What is released, as a checkout in this folder makes it. */
async function release(folder: string): Promise<string> {
  await run(process.execPath, ['scripts/release.ts', platform], { cwd: folder })
  return join(folder, 'release')
}

const isPossible = isHere && pathOf('tar') && pathOf('npm') && reachesRegistry()

describe.runIf(isPossible)('npm run release (needs linux-x64, tar, npm and its registry)', () => {
  const folder = sharedFolder()
  const [checkout, elsewhere] = [join(folder, 'first'), join(folder, 'a folder elsewhere')]
  let made = ''

  beforeAll(async () => {
    copyCheckout(checkout)
    copyCheckout(elsewhere)
    // Pages that are built already are packed as they are; the second run builds its own.
    const pages = join('web', 'dist')
    if (existsSync(join(ROOT, pages))) cpSync(join(ROOT, pages), join(checkout, pages), { recursive: true })
    made = await release(checkout)
  }, 900_000)

  const textOf = (file: string): string => readFileSync(join(made, file), 'utf8')

  test('the package installs into an empty folder, starts, a certificate logs in, and a state is written', {
    timeout: 900_000,
  }, async () => {
    const place = ownFolder()
    const [packed = ''] = readdirSync(made).filter((file) => file.endsWith('.tgz'))
    const file = join(made, packed)
    expect((await run('tar', ['-tzf', file])).stdout).not.toMatch(/\.test\.|(?<!\.d)\.ts$/m)
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', file], { cwd: place })
    const [size = ''] = (await run('du', ['-sm', 'node_modules'], { cwd: place })).stdout.split('\t')
    expect(Number(size)).toBeLessThan(most.installed)
    const program = join(place, 'node_modules', '.bin', 'holdfast')
    expect((await run(program, ['--version'])).stdout).toMatch(/^holdfast \d+\.\d+\.\d+ \(.*Node 26\./)

    const addresses = ['--listen', '127.0.0.1:0', '--http-listen', '127.0.0.1:0']
    const server = spawn(program, ['dev', ...addresses], { cwd: place, stdio: 'ignore', detached: true })
    onTestFinished(() => endGroup(server))
    const announcement = join(place, 'data', 'dev.json')
    while (!existsSync(announcement) && server.exitCode === null) await sleep(50)
    const { pid, http_address, root_token: root, user_token: user } = JSON.parse(readFileSync(announcement, 'utf8'))
    expect((await fetch(`${http_address}/app/assets/mark.svg`)).status).toBe(200)
    const holdfast = async (token: string, ...args: readonly string[]) => {
      const env = { ...process.env, HOLDFAST_TOKEN: token }
      return JSON.parse((await run(program, [...args, '--json'], { cwd: place, env })).stdout || '{}')
    }
    const login = await holdfast('', 'login', '--method=cert', 'name=dev', '--no-store')
    expect(login.auth.token_policies).toEqual(['default', 'dev'])

    const workspace = await holdfast(user, 'read', 'api/v2/organizations/demo/workspaces/first-steps')
    const at = `api/v2/workspaces/${workspace.data.id}`
    writeFileSync(join(place, 'state.json'), JSON.stringify(stateVersion))
    await holdfast(user, 'write', '-f', `${at}/actions/lock`)
    await holdfast(user, 'write', `${at}/state-versions`, '@state.json')
    await holdfast(user, 'write', '-f', `${at}/actions/unlock`)
    const current = await holdfast(user, 'read', `${at}/current-state-version`)
    expect(current.data.attributes).toMatchObject({ serial: 1, md5: hash('md5', state) })

    const azure = [
      'storage_type=cloudC-store',
      'path_prefix=holdfast/',
      'cloudC_container_name=backups',
      'cloudC_account_name=a',
      'cloudC_account_key=YQ==',
    ]
    const lacking = /npm install @azure\/identity@4 @azure\/storage-blob@12/
    const written = await holdfast(
      root,
      'write',
      'sys/storage/raft/snapshot-auto/config/cloud',
      'interval=24h',
      ...azure,
    )
    expect(written.warnings.join()).toMatch(lacking)
    writeFileSync(
      join(place, 'holdfast.yaml'),
      `data_dir: ${join(place, 'data')}\nlisten: off\nhttp_listen: 127.0.0.1:0\n`,
    )
    const doctor = await run(program, ['doctor', '--config', 'holdfast.yaml'], { cwd: place }).catch((failed) => failed)
    expect(doctor.stdout).toMatch(/Packages.*snapshots cannot be stored by cloud/)
    expect(doctor.stdout).toMatch(lacking)

    process.kill(pid, 'SIGTERM')
    expect((await once(server, 'exit'))[0]).toBe(0)
  })

  test('a second run in another folder gives the same bytes', { timeout: 900_000 }, async () => {
    const again = await release(elsewhere)
    const files = readdirSync(made).sort()
    expect(readdirSync(again).sort()).toEqual(files)
    expect(files).toEqual([
      expect.stringMatching(/^SHA256SUMS$/),
      expect.stringMatching(/^holdfast-.*-linux-x64\.cdx\.json$/),
      expect.stringMatching(/^holdfast-.*-linux-x64\.tar\.gz$/),
      expect.stringMatching(/^holdfast-[\d.]+\.tgz$/),
    ])
    const isSame = (file: string) => readFileSync(join(made, file)).equals(readFileSync(join(again, file)))
    expect(files.filter((file) => !isSame(file))).toEqual([])
    await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: made })
  })

  test('the list of what is in it names each package, and each has its licence', { timeout: 120_000 }, async () => {
    const place = ownFolder()
    const unpacked = await unpackInto(made, place)
    expect(Number((await run('du', ['-sm', unpacked])).stdout.split('\t')[0])).toBeLessThan(most.unpacked)
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
      expect(login.body.auth.token_policies).toEqual(['default', 'dev'])
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
