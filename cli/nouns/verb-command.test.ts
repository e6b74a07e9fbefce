import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { runCommand } from '../../test/support/command-line.ts'
import { createProgram } from '../program.ts'
import { exampleOf } from './verb-command.ts'

const silent = {
  out: () => undefined,
  err: () => undefined,
  environment: {},
  directory: '',
  home: '',
  readInput: async () => '',
  isTerminal: false,
  isOutputTerminal: false,
}

const leaves = (command: Command, path: readonly string[]): (readonly [string, Command])[] =>
  command.commands.length === 0
    ? [[path.join(' '), command]]
    : command.commands.flatMap((below) => leaves(below, [...path, below.name()]))

test('every verb of a noun has an example, which is about it and has flags that it takes', async () => {
  const verbs = leaves(await createProgram(silent, ['completion']), []).filter(([, command]) => exampleOf(command))
  expect(verbs.length).toBeGreaterThan(60)
  const wrong = verbs.flatMap(([path, command]) => {
    const example = exampleOf(command) ?? ''
    const known = new Set(command.options.map(({ long }) => long))
    const unknown = [...example.matchAll(/ (--[a-z][\w-]*)/g)].filter(([, flag]) => !known.has(flag))
    return example.startsWith(path) && unknown.length === 0 ? [] : [`${path}: ${example}`]
  })
  expect(wrong).toEqual([])
})

test('help of a verb ends with its example, and groups its fields', async () => {
  const { code, out } = await runCommand(['workspace', 'create', '--help'], {})
  expect(code).toBe(0)
  expect(out).toMatch(/\nFields:\n[\s\S]* --auto-apply .*\n[\s\S]*\nConnection and output:\n/)
  expect(out).toMatch(/\nExample:\n {2}\$ holdfast workspace create app-new .*\n$/)
})

test.each([
  ['workspace', 1, 'Usage: holdfast workspace'],
  ['workspace lsit', 1, '(Did you mean list?)'],
  ['workspace show', 1, "Missing required argument 'workspace'"],
  ['workspace move app', 1, "Required option '--project <project>' not specified"],
  ['workspace list --format xml', 1, "'xml' is not a format"],
  ['user create ann --email', 1, "Option '--email <text>' argument missing"],
  ['organization create acme --session-timeout soon', 1, "--session-timeout takes a number, not 'soon'"],
  ['token create --meta team', 1, "--meta takes key=value, not 'team'"],
  ['workspace list', 1, 'No server answers at http://127.0.0.1:9'],
])('holdfast %s exits with %i', async (line, code, told) => {
  const ended = await runCommand(line.split(' '), { environment: { HOLDFAST_ADDR: 'http://127.0.0.1:9' } })
  expect(ended).toMatchObject({ code, out: '', err: expect.stringContaining(told) })
})
