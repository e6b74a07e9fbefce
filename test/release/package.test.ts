import { execFile, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { ownFolder } from '../support/folders.ts'
import { endGroup } from '../support/server-processes.ts'
import { copyCheckout } from './checkout.ts'

const run = promisify(execFile)

/** The most that npm may install, in megabytes; Node's own package takes 211 of them. */
const mostMegabytes = 290

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

test('npm pack: the package installs into an empty folder, starts, a certificate logs in, and a state is written', {
  timeout: 900_000,
}, async () => {
  const folder = ownFolder()
  const [checkout, place] = [join(folder, 'checkout'), join(folder, 'place')]
  copyCheckout(checkout)
  mkdirSync(place)
  const npm = (args: readonly string[], cwd: string) => run('npm', [...args, '--no-audit', '--no-fund'], { cwd })
  await npm(['pack', '--pack-destination', place], checkout)
  const [file = ''] = (await run('ls', [place])).stdout.trim().split('\n')
  expect((await run('tar', ['-tzf', file], { cwd: place })).stdout).not.toMatch(/\.test\.|(?<!\.d)\.ts$/m)
  await npm(['install', '--prefer-offline', `./${file}`], place)
  const [size = ''] = (await run('du', ['-sm', 'node_modules'], { cwd: place })).stdout.split('\t')
  expect(Number(size)).toBeLessThan(mostMegabytes)
  const program = join(place, 'node_modules', '.bin', 'holdfast')
  expect((await run(program, ['--version'])).stdout).toMatch(/^holdfast \d+\.\d+\.\d+ \(.*Node 26\./)

  const addresses = ['--listen', '127.0.0.1:0', '--http-listen', '127.0.0.1:0']
  const server = spawn(program, ['dev', ...addresses], { cwd: place, stdio: 'ignore', detached: true })
  onTestFinished(() => endGroup(server))
  const announcement = join(place, 'data', 'dev.json')
  while (!existsSync(announcement) && server.exitCode === null) await sleep(50)
  const { pid, root_token: root, user_token: user } = JSON.parse(readFileSync(announcement, 'utf8'))
  const holdfast = async (token: string, ...args: readonly string[]) => {
    const env = { ...process.env, HOLDFAST_TOKEN: token }
    return JSON.parse((await run(program, [...args, '--json'], { cwd: place, env })).stdout || '{}')
  }
  const login = await holdfast('', 'login', '--method=cert', 'name=dev', '--no-store')
  expect(login.auth.token_policies).toEqual(['default'])

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
  const written = await holdfast(root, 'write', 'sys/storage/raft/snapshot-auto/config/cloud', 'interval=24h', ...azure)
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
