import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../test/support/command-line.ts'
import { sharedFolder } from '../../test/support/folders.ts'
import { organization, person } from '../../test/support/platform.ts'
import { shared, sharedApp } from '../../test/support/shared.ts'
import { differences } from './state-diff.ts'

const app = sharedApp()
const ann = shared(() => person(app, 'ann'))
const ben = shared(() => person(app, 'ben'))
const acme = shared(() => organization(ann, 'acme'))
const directory = sharedFolder()

const runAs = (token: string, line: string, input = '') =>
  runCommand(line.split(' '), {
    environment: { HOLDFAST_ADDR: app.url, HOLDFAST_TOKEN: token, HOLDFAST_ORGANIZATION: acme.name },
    directory,
    readInput: async () => input,
  })
const run = (line: string, input?: string) => runAs(ann.token, line, input)

const resource = (name: string, attributes: object, key?: string) => ({
  mode: 'managed',
  type: 'null_resource',
  name,
  provider: 'provider["registry.example.com/null"]',
  instances: [{ schema_version: 0, attributes, ...(key !== undefined && { index_key: key }) }],
})

const stateText = (serial: number, resources: readonly object[], outputs: object = {}): string =>
  JSON.stringify({ version: 4, terraform_version: '1.9.4', serial, lineage: 'one-line', outputs, resources })

test('differences: by address, with the names of attributes and without values', () => {
  const old = {
    resources: [resource('a', { id: '1', size: 1 }), resource('b', { id: '2' }, 'x')],
    outputs: { url: { value: 'old' } },
  }
  const now = {
    resources: [resource('a', { id: '1', size: 2 }), resource('c', { id: '3' })],
    outputs: { url: { value: 'new' } },
  }
  expect(differences(old, now)).toEqual([
    { change: 'changed', address: 'null_resource.a', attributes: 'size' },
    { change: 'removed', address: 'null_resource.b["x"]', attributes: '' },
    { change: 'added', address: 'null_resource.c', attributes: '' },
    { change: 'changed', address: 'output.url', attributes: 'value' },
  ])
  expect(differences({}, {})).toEqual([])
})

test('state: push, list, show, pull, outputs, diff and rollback', async () => {
  await run('workspace create app')
  expect(await runAs(ben.token, 'state pull app')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining("There is no workspace 'app'"),
  })
  expect(await run('state pull app')).toMatchObject({ code: 2, out: '' })
  const [first, second] = [
    stateText(1, [resource('a', { id: '1' })], { url: { value: 'https://one', type: 'string' } }),
    stateText(2, [resource('a', { id: '1' }), resource('b', { id: '2' })], {
      url: { value: 'https://two', type: 'string' },
    }),
  ]
  writeFileSync(join(directory, 'first.tfstate'), first)
  expect(await run(`state push app ${join(directory, 'first.tfstate')}`)).toMatchObject({
    code: 0,
    out: 'Pushed: serial 1 of app\n',
    err: '',
  })
  expect((await run('state push app -', second)).code).toBe(0)
  expect(await run('state push app -', first)).toMatchObject({ code: 2, err: expect.stringContaining('41') })
  expect(await run('state push app -', '{}')).toMatchObject({
    code: 1,
    err: expect.stringContaining('has no serial and lineage'),
  })
  expect(await run('state push app -', first.replace('}', ''))).toMatchObject({
    code: 1,
    err: expect.stringContaining('is no state'),
  })
  expect(JSON.parse((await run('workspace show app --json')).out).locked).toBe(false)
  const versions = JSON.parse((await run('state list app --json')).out)
  expect(versions.map(({ serial }: { serial: number }) => serial)).toEqual([2, 1])
  expect((await run('state show app')).out).toMatch(/\nresource-count +2\n/)
  expect((await run(`state show app ${versions[1].id}`)).out).toMatch(/serial +1\n/)
  expect((await run('state pull app')).out).toBe(second)
  expect((await run('state pull app 1')).out).toBe(first)
  expect(await run('state pull app 9')).toMatchObject({
    code: 2,
    err: expect.stringContaining('no version with serial 9'),
  })
  expect(await run('state pull app newest')).toMatchObject({
    code: 1,
    err: expect.stringContaining('its serial or id'),
  })
  expect((await run('state outputs app')).out).toMatch(/\nurl +string +false +https:\/\/two\n/)
  const compared = await run('state diff app')
  expect(compared.out).toMatch(/\nadded +null_resource\.b\nchanged +output\.url +value\n/)
  expect(compared.err).toBe('Serial 1 is compared with 2.\n')
  expect((await run('state diff app 2 2')).err).toContain('Nothing differs.')
  expect(await run('state rollback app 1')).toMatchObject({ code: 1, err: expect.stringContaining('Add --yes') })
  expect((await run('state rollback app 1 --yes')).out).toBe('Rolled back: app to serial 1\n')
  expect((await run('state pull app')).out).toBe(first)
})

test('state push: a lock of somebody else is respected, and one of your own is used and kept', async () => {
  await run('workspace create held')
  await run('workspace lock held')
  const text = stateText(1, [])
  expect(await run('state push held -', text)).toMatchObject({ code: 2, err: expect.stringContaining('409') })
  expect((await run('state push held - --no-lock', text)).code).toBe(0)
  expect(JSON.parse((await run('workspace show held --json')).out).locked).toBe(true)
  expect(await run('state push held - --no-lock --force', text)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Add --yes'),
  })
  await run('workspace unlock held')
  expect((await run('state push held - --force --yes', stateText(0, []).replace('one-line', 'another'))).code).toBe(0)
})
