import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { emptyPostgres } from '../support/databases.ts'
import { ownFolder } from '../support/folders.ts'
import { freePort } from '../support/free-port.ts'
import { endGroup } from '../support/server-processes.ts'
import { copyCheckout } from './checkout.ts'
import { translated } from './guide-text.ts'
import type { Guide } from './guides.ts'

/** Where a program of the PATH is. */
export const pathOf = (program: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file))

/** A fresh checkout, with the folders of a machine beside it, and commands that run there. */
export async function preparedPlace({ prepare, postgres = false }: Guide) {
  const folder = ownFolder()
  const [checkout, output, bin] = [join(folder, 'holdfast'), join(folder, 'output'), join(folder, 'bin')]
  copyCheckout(checkout)
  for (const each of ['output', 'bin', 'home', 'etc', 'log', 'root']) mkdirSync(join(folder, each))
  symlinkSync(join(checkout, 'scripts/holdfast.mjs'), join(bin, 'holdfast'))
  const terraform = pathOf('terraform')
  if (!pathOf('tofu') && terraform) symlinkSync(terraform, join(bin, 'tofu'))
  const [https, http, other] = [await freePort(), await freePort(), await freePort()]
  const words = {
    'runuser -u holdfast -- ': '',
    '-o holdfast ': '',
    '-g holdfast ': '',
    '0.0.0.0:8200': `127.0.0.1:${https}`,
    'holdfast.example.com:8200': `localhost:${https}`,
    'https://holdfast.example.com': `http://127.0.0.1:${http}`,
    ':8200': `:${https}`,
    ':8201': `:${http}`,
    8209: `${other}`,
    '/etc/holdfast': join(folder, 'etc'),
    '/etc/prometheus': join(folder, 'etc'),
    '/var/lib/holdfast': join(folder, 'data'),
    '/var/log/holdfast': join(folder, 'log'),
    '/var/backups/holdfast': join(folder, 'backups'),
    '/root/': `${join(folder, 'root')}/`,
  }
  const write = (file: string, text: string | Buffer): void =>
    writeFileSync(resolve(checkout, translated(file, words)), typeof text === 'string' ? translated(text, words) : text)
  for (const [file, text] of Object.entries(prepare?.() ?? {})) write(file, text)
  const env = {
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: join(folder, 'home'),
    GNUPGHOME: join(folder, 'home'),
    OUTPUT: output,
    HOLDFAST_HTTP_LISTEN: `127.0.0.1:${http}`,
    CHECKPOINT_DISABLE: '1',
    ...(postgres ? { database: await ownDatabase() } : {}),
  }
  const run = async (script: string) => {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', translated(script, words)], {
      cwd: checkout,
      env,
      stdio: 'ignore',
      detached: true,
    })
    onTestFinished(() => endGroup(child))
    const [code] = await once(child, 'exit')
    const textOf = (name: string) =>
      existsSync(join(output, name)) ? readFileSync(join(output, name), 'utf8') : undefined
    return { code, textOf }
  }
  return { write, run }
}

/** The address of an empty PostgreSQL that goes with the test. */
async function ownDatabase(): Promise<string> {
  const { url, remove } = await emptyPostgres()
  onTestFinished(remove)
  return url
}
