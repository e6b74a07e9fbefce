import { expect, test } from 'vitest'
import { fateOf, hasHugeNumber, lineProblem, linesOf, parseValue, textOf, valueFrom } from './values.ts'

test('a secret of texts is lines, and lines are a secret again', () => {
  const value = { user: 'app', pem: 'one\ntwo\n', empty: '' }
  expect(valueFrom(linesOf(value) ?? [])).toEqual(value)
  expect(valueFrom([{ name: '', text: '' }])).toEqual({})
  expect(linesOf({ port: 5432 })).toBeUndefined()
  expect([textOf('a'), textOf(1), textOf(null)]).toEqual(['a', '1', 'null'])
})

test.each([
  [[], 'Give it a key first.'],
  [[{ name: '', text: '' }], 'Give it a key first.'],
  [[{ name: '', text: 'a' }], 'A value has no key yet.'],
  [
    [
      { name: 'a', text: '' },
      { name: 'a', text: '' },
    ],
    'The key a is there twice.',
  ],
  [
    [
      { name: 'a', text: '' },
      { name: '', text: '' },
    ],
    undefined,
  ],
])('lines %j: %s', (lines, problem) => {
  expect(lineProblem(lines)).toBe(problem)
})

test('JSON must be an object, and what is wrong with it does not repeat it', () => {
  expect(parseValue('{"a": {"b": 1}}')).toEqual({ value: { a: { b: 1 } } })
  expect(parseValue('[1]')).toEqual({ problem: 'It must be an object: {"key": "value"}.' })
  expect(parseValue('{"password": hunter2')).toEqual({ problem: 'It is not JSON yet.' })
})

test('numbers that a browser would change are noticed', () => {
  expect(hasHugeNumber(JSON.parse('{"a": [{"b": 12345678901234567890}]}'))).toBe(true)
  expect(hasHugeNumber({ a: [1, 2.5, null, 'x', Number.MAX_SAFE_INTEGER] })).toBe(false)
})

test.each([
  [{ deletion_time: '', destroyed: false }, true, 'current'],
  [{ deletion_time: '', destroyed: false }, false, 'kept'],
  [{ deletion_time: '2026-01-01T00:00:00Z', destroyed: false }, true, 'deleted'],
  [{ deletion_time: '2027-01-01T00:00:00Z', destroyed: false }, true, 'current'],
  [{ deletion_time: '2026-01-01T00:00:00Z', destroyed: true }, true, 'destroyed'],
] as const)('a version %j is %s: %s', (version, isCurrent, fate) => {
  expect(fateOf(version, isCurrent, Date.parse('2026-06-01T00:00:00Z'))).toBe(fate)
})
