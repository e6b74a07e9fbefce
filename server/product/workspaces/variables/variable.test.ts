import { expect, test } from 'vitest'
import { includedProblem, usageFaults, variableFaults } from './variable.ts'
import { maxValueBytes, variableKeyProblem, variableValueProblem } from './variable-fields.ts'

const mebibyte = 1024 * 1024

test.each([
  ['as many as may be', { count: 1_000, bytes: 0 }, undefined],
  ['one too many', { count: 1_001, bytes: 0 }, '/data'],
  ['values as large as may be', { count: 1, bytes: 4 * mebibyte }, undefined],
  ['values that are too large together', { count: 1, bytes: 4 * mebibyte + 1 }, '/data/attributes/value'],
  ['both too many and too large', { count: 1_001, bytes: 4 * mebibyte + 1 }, '/data'],
])('usage: a workspace with %s', (_what, usage, pointer) => {
  expect(usageFaults(usage)).toEqual(
    pointer === undefined ? [] : [{ detail: expect.any(String), pointer, code: 'variables.too-many' }],
  )
})

test.each([
  [16 * mebibyte, undefined],
  [16 * mebibyte + 1, expect.stringContaining('too large')],
])('usage: %i bytes of variables in one answer', (bytes, problem) => {
  expect(includedProblem({ bytes })).toEqual(problem)
})

test.each([
  ['region', undefined],
  ['A=B', undefined],
  ['größe', undefined],
  ['', 'blank'],
  [' \t', 'blank'],
  ['a b', 'spaces'],
  ['a ', 'spaces'],
  ['a\u00a0b', 'spaces'],
  ['a\nb', 'spaces'],
  ['a\u0000', 'control'],
  ['a\u0085b', 'control'],
])('key: %j', (key, problem) => {
  expect(variableKeyProblem(key)).toEqual(problem && expect.stringContaining(problem))
})

test.each([
  ['x', maxValueBytes, undefined],
  ['x', maxValueBytes + 1, 'is too long, the maximum is 256 KiB'],
  ['ä', maxValueBytes / 2, undefined],
  ['ä', maxValueBytes / 2 + 1, 'is too long, the maximum is 256 KiB'],
])('value: of "%s", %i times', (character, times, problem) => {
  expect(variableValueProblem(character.repeat(times))).toBe(problem)
})

const [key, sensitive, only] = ['key', 'sensitive', 'apply-only'].map((name) => `/data/attributes/${name}`)

test.each([
  ['an input with = in its key', { key: 'A=B', category: 'input' }, {}, undefined, []],
  ['an environment variable with = in its key', { key: 'A=B', category: 'env' }, {}, undefined, [key]],
  ['one that becomes sensitive', { key: 'A', category: 'env' }, { sensitive: true }, { sensitive: false }, []],
  ['one that stays sensitive', { key: 'A', category: 'env' }, { sensitive: true }, { sensitive: true }, []],
  ['a sensitive one of which other fields change', { key: 'A', category: 'env' }, {}, { sensitive: true }, []],
  ['one that never was sensitive', { key: 'A', category: 'env' }, { sensitive: false }, { sensitive: false }, []],
  ['a new one that is not sensitive', { key: 'A', category: 'env' }, { sensitive: false }, undefined, []],
  ['one that only applies see', { key: 'A', category: 'env', applyOnly: true }, {}, undefined, []],
  ['an input that only applies see', { key: 'A', category: 'input', applyOnly: true }, {}, undefined, [only]],
  [
    'one that stops being sensitive',
    { key: '=', category: 'env' },
    { sensitive: false },
    { sensitive: true },
    [key, sensitive],
  ],
] as const)('faults: of %s', (_what, settings, requested, before, pointers) => {
  expect(variableFaults({ applyOnly: false, ...settings }, requested, before).map(({ pointer }) => pointer)).toEqual(
    pointers,
  )
})
