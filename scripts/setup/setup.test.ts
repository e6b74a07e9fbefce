import { expect, test } from 'vitest'
import { programFor } from './command-line.mjs'
import { isAtLeast, OLDEST_RUNNER, starterProblem } from './node-version.mjs'
import { npmCommand } from './npm.mjs'
import { testArguments } from './test-plan.mjs'

test.each([
  ['20.19.0', true],
  ['20.20.2', true],
  ['26.10.0', true],
  ['20.18.3', false],
  ['18.20.0', false],
  ['v14.21.3', false],
])('node %s may start the project: %s', (version, expected) => {
  expect(starterProblem(version) === undefined).toBe(expected)
})

test('with an old Node the message names the needed version and the running one', () => {
  expect(starterProblem('18.20.0')).toMatch(/needs Node 20\.19\.0 or newer.*this is 18\.20\.0/)
})

test.each([
  ['26.10.0', true],
  ['26.12.1', true],
  ['27.0.0', true],
  ['26.9.0', false],
  ['26.8.2', false],
  ['24.20.0', false],
])('node %s can be used instead of the pinned one: %s', (version, expected) => {
  expect(isAtLeast(version, OLDEST_RUNNER)).toBe(expected)
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

test('npm: a start through another package manager uses the npm on the PATH', () => {
  expect(npmCommand({ npm_execpath: '/usr/lib/yarn.js' })).toMatchObject({ command: 'npm', before: [] })
})

test('test: missing parts are skipped and named; projects chosen by hand are kept', () => {
  const root = process.cwd()
  const lines: string[] = []
  const parts = [{ project: 'browser', folder: 'scripts', lacks: () => 'Chromium' }]
  expect(testArguments(root, ['lock'], (line) => lines.push(line), parts)).toEqual(['--project=server', 'lock'])
  expect(lines).toEqual(['Skipped: browser tests need Chromium.'])
  expect(testArguments(root, ['--project=faults'], (line) => lines.push(line), parts)).toEqual(['--project=faults'])
})
