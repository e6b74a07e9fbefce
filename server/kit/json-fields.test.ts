import { expect, test } from 'vitest'
import { field } from './fields.ts'
import { jsonFields } from './json-fields.ts'

const fields = jsonFields(
  {
    displayName: field.text('Name, unless it is set.', { shown: 'Name.' }),
    tokenTtl: field.seconds('Lifetime.'),
    maxRetries: field.whole('Retries.', { default: 4 }),
    renewable: field.flag('Whether it can be renewed.', { default: true }),
    allowedNames: field.list('Names.'),
    metadata: field.textMap('Metadata.'),
    type: field.text('Type.'),
  },
  { names: { type: 'token_type' }, stored: { type: (sent: string) => sent.length } },
)

const stored = {
  displayName: 'web',
  tokenTtl: 60,
  maxRetries: 0,
  renewable: false,
  allowedNames: ['a'],
  metadata: { a: 'b' },
  type: 7,
}

test('names: underscores, or what the description says', () => {
  const names = ['display_name', 'token_ttl', 'max_retries', 'renewable', 'allowed_names', 'metadata', 'token_type']
  expect(Object.keys(fields.body)).toEqual(names)
  expect(Object.keys(fields.shown)).toEqual(names)
  expect(Object.keys(fields.toDocument(stored))).toEqual(names)
})

test('first values: the default, or nothing of its kind', () => {
  expect(fields.initial).toEqual({
    displayName: '',
    tokenTtl: 0,
    maxRetries: 4,
    renewable: true,
    allowedNames: [],
    metadata: {},
    type: '',
  })
})

test('given: what was not sent is absent, zero and false are not, and some are stored in another form', () => {
  expect(fields.given({})).toEqual({})
  expect(fields.given({ max_retries: 0, renewable: false, token_type: 'batch' })).toEqual({
    maxRetries: 0,
    renewable: false,
    type: 5,
  })
})

test('answers: the schema says what a read shows, without what only writes have', () => {
  expect(fields.shown.display_name).toEqual({ type: 'string', description: 'Name.' })
  expect(fields.shown.max_retries).toEqual({ type: 'integer', description: 'Retries.' })
  expect(fields.toDocument(stored)).toMatchObject({ display_name: 'web', metadata: { a: 'b' }, token_type: 7 })
})
