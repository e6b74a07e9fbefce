import { expect, test } from 'vitest'
import { parseTag, shownTags, tagChange, tagsProblem } from './tags.ts'

const binding = (key: string, value: string, from?: string) => ({
  type: 'effective-tag-bindings',
  id: key,
  attributes: { key, value },
  ...(from && { relationships: { 'inherited-from': { data: { type: 'projects', id: from } } } }),
})

test('tags: own, flat and inherited ones are told apart', () => {
  expect(shownTags([binding('env', 'prod'), binding('cost', '1', 'prj-1')], ['core', 'env'])).toEqual({
    own: [
      { key: 'env', value: 'prod' },
      { key: 'core', value: '' },
    ],
    inherited: [{ key: 'cost', value: '1' }],
  })
})

test.each([
  ['core', { key: 'core', value: '' }],
  [' env = prod ', { key: 'env', value: 'prod' }],
  ['a=b=c', { key: 'a', value: 'b=c' }],
])('tags: %j is read', (text, tag) => {
  expect(parseTag(text)).toEqual(tag)
})

test('tags: those with a value are bindings, the others stay what they were', () => {
  const own = [
    { key: 'env', value: 'prod' },
    { key: 'bound', value: '' },
    { key: 'core', value: '' },
    { key: 'old', value: '' },
  ]
  expect(tagChange(own, ['core', 'old'], ['env=test', 'bound', 'core', 'fresh'])).toEqual({
    bindings: [
      { key: 'env', value: 'test' },
      { key: 'bound', value: '' },
    ],
    added: ['fresh'],
    removed: ['old'],
  })
})

test.each([
  [['env=prod', 'core'], undefined],
  [['env=prod', 'env=test'], 'env is there twice.'],
  [['=prod'], 'A tag needs a name before the sign "=".'],
  [['a b'], 'a b has a sign that tags cannot have: letters, digits and _ . + - @ : are possible.'],
])('tags: what is wrong with %j', (texts, problem) => {
  expect(tagsProblem(texts)).toBe(problem)
})
