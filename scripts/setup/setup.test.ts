import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { programFor } from './holdfast.mjs'
import { isAtLeast } from './node-version.mjs'

test.each([
  ['20.19.0', '20.19.0', true],
  ['20.20.2', '20.19.0', true],
  ['26.10.0', '20.19.0', true],
  ['20.18.3', '20.19.0', false],
  ['18.20.0', '20.19.0', false],
  ['9.11.2', '20.19.0', false],
  ['26.12.1', '26.10.0', true],
  ['27.0.0', '26.10.0', true],
  ['26.9.0', '26.10.0', false],
])('node %s is at least %s: %s', (version, oldest, expected) => {
  expect(isAtLeast(version, oldest)).toBe(expected)
})

test('with an old Node, commands end with the needed version and the running one', () => {
  const program = `import { refuseOldNode } from '${import.meta.resolve('./node-version.mjs')}'; refuseOldNode('18.20.0')`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/needs Node 20\.19\.0 or newer.*this is 18\.20\.0/)])
})

test.each([
  [['dev'], 'server/main.ts'],
  [['server', '--config', 'x.yaml'], 'server/main.ts'],
  [['config', 'check'], 'server/main.ts'],
  [['doctor'], 'server/main.ts'],
  [['recover-seal-key', '--recovery-key', 'x'], 'server/main.ts'],
  [['create-root-token'], 'server/main.ts'],
  [['disable-audit-device', 'file'], 'server/main.ts'],
  [['help', 'doctor'], 'server/main.ts'],
  [['help', 'config', 'check'], 'server/main.ts'],
  [['help', 'config'], 'cli/main.ts'],
  [['help'], 'cli/main.ts'],
  [['config', 'show'], 'cli/main.ts'],
  [['login'], 'cli/main.ts'],
  [[], 'cli/main.ts'],
])('holdfast %j is run by %s', (args, expected) => {
  expect(programFor(args)).toBe(expected)
})
