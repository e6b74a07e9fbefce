import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { ownFolder } from '../support/folders.ts'
import { endGroup } from '../support/server-processes.ts'
import { copyCheckout } from './checkout.ts'

const run = promisify(execFile)

test('npm pack: the package installs into an empty folder, starts, and a certificate logs in', {
  timeout: 600_000,
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
  const holdfast = join(place, 'node_modules', '.bin', 'holdfast')
  expect((await run(holdfast, ['--version'])).stdout).toMatch(/^holdfast \d+\.\d+\.\d+ \(.*Node 26\./)

  const addresses = ['--listen', '127.0.0.1:0', '--http-listen', '127.0.0.1:0']
  const server = spawn(holdfast, ['dev', ...addresses], { cwd: place, stdio: 'ignore', detached: true })
  onTestFinished(() => endGroup(server))
  const announcement = join(place, 'data', 'dev.json')
  while (!existsSync(announcement) && server.exitCode === null) await sleep(50)
  const login = await run(holdfast, ['login', '--method=cert', 'name=dev', '--no-store', '--json'], { cwd: place })
  expect(JSON.parse(login.stdout).auth.token_policies).toEqual(['default'])
  const { pid } = JSON.parse(readFileSync(announcement, 'utf8'))
  process.kill(pid, 'SIGTERM')
  expect((await once(server, 'exit'))[0]).toBe(0)
})
