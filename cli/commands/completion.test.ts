import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runCommand } from '../../test/support/command-line.ts'
import { doc, organization, person } from '../../test/support/platform.ts'
import { ownApp } from '../../test/support/shared.ts'

const scriptFor = async (shell: string): Promise<string> => {
  const { code, out, err } = await runCommand(['completion', shell], {})
  expect([code, err]).toEqual([0, ''])
  return out
}

/** What bash offers for a line that ends where the last word does. */
async function offered(...words: string[]): Promise<string[]> {
  const line = ['holdfast', ...words].map((word) => `'${word}'`).join(' ')
  const asked = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _holdfast; echo "\${COMPREPLY[@]}"`
  const script = `${await scriptFor('bash')}\n${asked}\n`
  return execFileSync('bash', ['--norc'], { input: script, encoding: 'utf8' }).trim().split(' ')
}

/** The commands that the help lists at a place. */
async function helped(...words: string[]): Promise<string[]> {
  const { out } = await runCommand([...words, '--help'], {})
  return out.split('\n').flatMap((line) => /^ {2}([a-z]\S*)/.exec(line)?.[1] ?? [])
}

test('bash: offers the commands that the help lists, on both levels', async () => {
  expect((await helped()).length).toBeGreaterThan(10)
  expect(await offered('')).toEqual(await helped())
  expect(await offered('snapshot', '')).toEqual(await helped('snapshot'))
  expect(await offered('sna')).toEqual(['snapshot'])
})

test('bash: flags and choices are offered for their own command only, also after flags with values', async () => {
  expect(await offered('import', 'tfe', '--dr')).toEqual(['--dry-run'])
  expect(await offered('read', '--token', 'list', '--fie')).toEqual(['--field'])
  expect(await offered('status', '--fie')).toEqual([''])
  expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish'])
})

test('bash: commands of the server, topics of help and values of options are offered', async () => {
  expect(await offered('config', '')).toEqual(['check', 'help'])
  expect(await offered('config', 'check', '--')).toEqual(['--config', '--server', '--dev'])
  expect(await offered('recover-seal-key', '--rec')).toEqual(['--recovery-key'])
  expect(await offered('help', 'doc')).toEqual(['doctor'])
  expect(await offered('snapshot', 'help', 'ver')).toEqual(['verify'])
  expect(await offered('login', '--method', '')).toEqual(['cert', 'token'])
  expect(await offered('read', '--format', 'j')).toEqual(['json'])
  expect(await offered('read', '--format', '=')).toEqual(['table', 'json', 'yaml'])
  expect(await offered('read', '--format', '=', 'y')).toEqual(['yaml'])
})

test('bash: names come from the server, where one may follow', async () => {
  const app = await ownApp()
  const ann = await person(app, 'ann')
  const acme = await organization(ann, 'acme')
  for (const name of ['app-one', 'app-two', 'other'])
    await ann.post(`/api/v2/organizations/${acme.name}/workspaces`, doc('workspaces', { name }))
  const env = { PATH: process.env.PATH, HOLDFAST_ADDR: app.url, HOLDFAST_TOKEN: ann.token }
  const program = `holdfast() { '${process.execPath}' '${join(import.meta.dirname, '..', 'main.ts')}' "$@"; }`
  const script = await scriptFor('bash')
  const after = async (...words: string[]): Promise<string[]> => {
    const line = ['holdfast', ...words].map((word) => `'${word}'`).join(' ')
    const asked = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _holdfast; echo "\${COMPREPLY[@]}"`
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', `${program}\n${script}\n${asked}`], { env })
    return stdout.trim().split(' ').sort()
  }
  expect(await after('workspace', 'show', 'app')).toEqual(['app-one', 'app-two'])
  expect(await after('state', 'pull', '--organization', '')).toEqual(['acme'])
  expect(await after('variable', 'list', '--workspace', 'oth')).toEqual(['other'])
  expect(await after('workspace', 'show', '--organization', 'acme', 'oth')).toEqual(['other'])
})

test.each(['zsh', 'fish'])('%s: every command and flag of the help is in the script', async (shell) => {
  const script = await scriptFor(shell)
  for (const name of [...(await helped()), ...(await helped('snapshot')), 'dry-run', 'client-cert', 'table json yaml'])
    expect(script).toContain(name)
  expect(script).toContain(' names --begun')
  expect(script).not.toContain('undefined')
})

test('completion: an unknown shell is refused with a list of the known ones', async () => {
  const { code, err } = await runCommand(['completion', 'ksh'], {})
  expect([code, err]).toEqual([1, expect.stringContaining('Allowed choices are bash, zsh, fish.')])
})
