import { expect, test } from 'vitest'
import { keyProblem, type VariableValues, valueProblem } from './variable.ts'

const variable = (values: Partial<VariableValues>): VariableValues => ({
  key: 'region',
  value: '',
  category: 'terraform',
  hcl: false,
  sensitive: false,
  description: '',
  ...values,
})

test.each([
  ['a plain name', {}, undefined],
  ['nothing yet', { key: '' }, undefined],
  ['a space', { key: 'a b' }, 'spaces'],
  ['an equals sign in an input', { key: 'a=b' }, undefined],
  ['an equals sign in an environment', { key: 'a=b', category: 'env' }, '"="'],
  ['a name that is taken', { key: 'taken' }, 'already'],
  ['a name that is taken in the other category', { key: 'taken', category: 'env' }, undefined],
])('name of a variable: %s', (_name, values, problem) => {
  const found = keyProblem(variable(values), [variable({ key: 'taken' })])
  expect(found ?? '').toContain(problem ?? '')
  expect(found === undefined).toBe(problem === undefined)
})

test.each([
  ['plain text is not read', { value: '[' }, undefined],
  ['a list', { value: '["a", "b]"]', hcl: true }, undefined],
  ['a map with a quoted quote', { value: '{ a = "x\\"y" }', hcl: true }, undefined],
  ['an open bracket', { value: '["a"', hcl: true }, 'A [ is not closed.'],
  ['a bracket too many', { value: '"a"]', hcl: true }, 'A ] closes nothing.'],
  ['an open quote', { value: '"a', hcl: true }, 'A quote is not closed.'],
  ['too much', { value: 'x'.repeat(256 * 1024 + 1) }, 'It can have at most 256 KiB.'],
])('value of a variable: %s', (_name, values, problem) => {
  expect(valueProblem(variable(values))).toBe(problem)
})
