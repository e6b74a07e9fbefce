import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { archiveOf } from '../../test/support/archives.ts'
import { runCommand } from '../../test/support/command-line.ts'
import { sharedFolder } from '../../test/support/folders.ts'
import { organization, person, workspaceIn } from '../../test/support/platform.ts'
import { enableRuns, executed } from '../../test/support/runs.ts'
import { shared, sharedApp } from '../../test/support/shared.ts'

const app = sharedApp()
const ann = shared(() => person(app, 'ann'))
const ben = shared(() => person(app, 'ben'))
const acme = shared(async () => {
  const made = await organization(ann, 'acme')
  await enableRuns(made)
  return made
})
const directory = sharedFolder()
const archive = shared(async () => {
  writeFileSync(join(directory, 'app.tar.gz'), archiveOf())
  return { name: 'app.tar.gz' }
})

const runAs = (token: string, line: readonly string[]) => {
  return runCommand(['run', ...line], {
    environment: { HOLDFAST_ADDR: app.url, HOLDFAST_TOKEN: token, HOLDFAST_ORGANIZATION: acme.name },
    directory,
  })
}
const run = (line: string) => runAs(ann.token, line.split(' '))

const idOf = (out: string): string => /run-[A-Za-z0-9]{16}/.exec(out)?.[0] ?? ''

/** A planned run of a new workspace, that waits for approval. */
async function planned(name: string): Promise<string> {
  await workspaceIn(acme, { name })
  const id = idOf((await run(`start ${name} --configuration ${archive.name}`)).out)
  await executed(app.deps, id, 'claim')
  const counts = { additions: 1, changes: 2, destructions: 0, imports: 0, outputChanges: 0 }
  await executed(app.deps, id, 'finish', {
    result: { outcome: 'finished', hasChanges: true, counts, planDigest: 'ab' },
  })
  return id
}

test('refusals say what to do', async () => {
  await workspaceIn(acme, { name: 'empty' })
  expect(await run('show empty')).toMatchObject({ code: 2, err: expect.stringContaining('holdfast run start empty') })
  expect(await run('start empty')).toMatchObject({ code: 2, err: expect.stringContaining('422') })
  expect(await run('start nowhere')).toMatchObject({ code: 2, err: expect.stringContaining("no workspace 'nowhere'") })
  expect(await run('start empty --configuration absent.tar.gz')).toMatchObject({
    code: 1,
    err: expect.stringContaining('absent.tar.gz cannot be read: it does not exist'),
  })
  expect(await run('logs empty --phase both')).toMatchObject({ code: 2 })
})

test('a run is started from an archive, found by its workspace, and canceled', async () => {
  await workspaceIn(acme, { name: 'shop' })
  const started = await runAs(ann.token, [
    ...['start', 'shop', '--configuration', archive.name, '--message', 'larger disks', '--plan-only'],
    ...['--target', 'a.b', '--target', 'c.d', '--json'],
  ])
  expect(started).toMatchObject({ code: 0, err: '' })
  const made = JSON.parse(started.out)
  expect(made).toMatchObject({ 'plan-only': true, message: 'larger disks', 'target-addrs': ['a.b', 'c.d'] })
  expect(JSON.parse((await run('show shop --json')).out)).toMatchObject({
    id: made.id,
    'waits-for': expect.any(String),
  })
  expect((await run('show shop --field id')).out.trim()).toBe(made.id)
  expect((await run('list --workspace shop')).out).toContain(made.id)
  expect((await run('list --status applied')).out).not.toContain(made.id)
  expect(await runAs(ben.token, ['show', made.id])).toMatchObject({ code: 2 })
  expect(await run(`discard ${made.id}`)).toMatchObject({ code: 2, err: expect.stringContaining('409') })
  expect(await run('cancel shop --force')).toMatchObject({ code: 1, err: expect.stringContaining('--yes') })
  expect(await run('cancel shop')).toMatchObject({ code: 0, out: `Canceled: ${made.id}\n` })
  expect((await run('show shop --field status')).out.trim()).toBe('canceled')
})

test('a plan is approved with the digest that was shown, or discarded', async () => {
  const id = await planned('prices')
  expect((await run('show prices')).out).toContain('1 to add, 2 to change, 0 to destroy')
  expect(await run('approve prices')).toMatchObject({ code: 1, err: expect.stringContaining('--yes') })
  expect(await run('approve prices --yes --comment fine')).toMatchObject({ code: 0, out: `Approved: ${id}\n` })
  expect((await run('show prices --field status')).out.trim()).toBe('apply_queued')
  const other = await planned('stock')
  expect(await run(`discard ${other}`)).toMatchObject({ code: 0, out: `Discarded: ${other}\n` })
  expect(await run(`approve ${other} --yes`)).toMatchObject({ code: 2, err: expect.stringContaining('is discarded') })
})
