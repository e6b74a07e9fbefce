import { expect, test } from 'vitest'
import { tagsOf, textOf } from './tags.ts'

test.each([
  ['env=prod', 'env', 'prod'],
  [' env = prod ', 'env', 'prod'],
  ['env', 'env', ''],
  ['a=b=c', 'a', 'b=c'],
])('the tag “%s” has the key “%s” and the value “%s”', (text, key, value) => {
  expect(tagsOf([text])).toEqual([{ type: 'tag-bindings', attributes: { key, value } }])
})

test('a tag is written as it was typed', () => {
  expect(
    [
      { key: 'env', value: 'prod' },
      { key: 'edge', value: '' },
      { key: 'x', value: null },
    ].map(textOf),
  ).toEqual(['env=prod', 'edge', 'x'])
})
