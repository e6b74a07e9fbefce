import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instant, parseInstant, toIso } from '../../kernel/clock.ts'
import type { Fault } from '../../kernel/failure.ts'
import { type ColumnsOf, columnsOfSome, type DescribedField, rowReader, rowWriter, type Stored } from '../field-set.ts'
import type { Attribute } from './attributes.ts'
import { attribute, changing, draftBody, fieldSet, resourceBody, spelled } from './index.ts'

const flags = fc.boolean()
const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\u0000'))
const wholes = fc.maxSafeInteger()
const modes = fc.constantFrom('remote', 'local')
const times = fc.integer({ min: 0, max: 4_102_444_800_000 }).map((at) => toIso(instant(at)))
const lists = fc.array(texts, { maxLength: 5 })
const noon = instant(43_200_000)
const item = attribute.text('Entry.')

type AnyField = Attribute<unknown> & DescribedField
type Kind = readonly [
  name: string,
  sent: fc.Arbitrary<unknown>,
  plain: AnyField,
  standard: AnyField,
  nullable: AnyField,
  both: AnyField,
]

const orNull = { nullable: true } as const

/** Every kind: required, with a default, nullable, and nullable with a default. */
const kinds: readonly Kind[] = [
  [
    'text',
    texts,
    attribute.text('T.'),
    attribute.text('T.', { default: 'a' }),
    attribute.text('T.', orNull),
    attribute.text('T.', { ...orNull, default: 'a' }),
  ],
  [
    'flag',
    flags,
    attribute.flag('F.'),
    attribute.flag('F.', { default: true }),
    attribute.flag('F.', orNull),
    attribute.flag('F.', { ...orNull, default: true }),
  ],
  [
    'whole',
    wholes,
    attribute.whole('W.'),
    attribute.whole('W.', { default: 7 }),
    attribute.whole('W.', orNull),
    attribute.whole('W.', { ...orNull, default: 7 }),
  ],
  [
    'choice',
    modes,
    attribute.choice('C.', ['remote', 'local']),
    attribute.choice('C.', ['remote', 'local'], { default: 'local' }),
    attribute.choice('C.', ['remote', 'local'], orNull),
    attribute.choice('C.', ['remote', 'local'], { ...orNull, default: 'local' }),
  ],
  [
    'spelled choice',
    modes,
    spelled(attribute.choice('C.', ['remote', 'local']), { remote: 'far', local: 'near' }),
    spelled(attribute.choice('C.', ['remote', 'local'], { default: 'local' }), { remote: 'far', local: 'near' }),
    spelled(attribute.choice('C.', ['remote', 'local'], orNull), { remote: 'far', local: 'near' }),
    spelled(attribute.choice('C.', ['remote', 'local'], { ...orNull, default: 'local' }), {
      remote: 'far',
      local: 'near',
    }),
  ],
  [
    'time',
    times,
    attribute.time('T.'),
    attribute.time('T.', { default: noon }),
    attribute.time('T.', orNull),
    attribute.time('T.', { ...orNull, default: noon }),
  ],
  [
    'list',
    lists,
    attribute.list('L.', item),
    attribute.list('L.', item, { default: ['a'] }),
    attribute.list('L.', item, orNull),
    attribute.list('L.', item, { ...orNull, default: ['a'] }),
  ],
]

const variants = ['plain', 'with a default', 'nullable', 'nullable with a default'] as const
const cases = kinds.flatMap(([name, sent, ...fields]) =>
  variants.map(
    (variant, index) => [`${name}, ${variant}`, { sent, variant, field: fields[index] as AnyField }] as const,
  ),
)

const read = (field: AnyField, raw: unknown): unknown => {
  const faults: Fault[] = []
  const value = field.read(raw, { pointer: '', label: 'It' }, faults)
  expect(faults).toEqual([])
  return value
}

/** What both engines can keep in a column. */
const isColumn = (value: unknown): boolean => value === null || typeof value === 'string' || typeof value === 'number'

test.each(cases)(
  '%s: what is sent is stored, kept in a row, read back, and shown as it was sent',
  (_, { field, ...given }) => {
    const set = fieldSet({ someField: field })
    const toRow = rowWriter([set], {})
    const fromRow = rowReader([set], {})
    const isNullable = given.variant.startsWith('nullable')
    fc.assert(
      fc.property(isNullable ? fc.option(given.sent) : given.sent, (sent) => {
        const stored = set.applied({ someField: read(field, sent) }, { someField: 'before' })
        const row = toRow(stored) as Record<string, unknown>
        expect(Object.keys(row)).toEqual(['some_field'])
        expect(isColumn(row.some_field)).toBe(true)
        expect(fromRow(row)).toEqual(stored)
        expect(columnsOfSome(set.fields, stored)).toEqual(row)
        const { 'some-field': shown } = set.toDocument(stored)
        const isReset = sent === null && given.variant.endsWith('default')
        expect(shown).toEqual(isReset ? set.toDocument({ someField: field.initial })['some-field'] : sent)
        expect(read(field, JSON.parse(JSON.stringify(shown)))).toEqual(stored.someField)
      }),
    )
  },
)

test.each(cases)(
  '%s: the first value is the default, else null, else left to the code that creates',
  (_, { field, variant }) => {
    const { initial } = fieldSet({ someField: field })
    if (variant === 'plain') expect(initial).toEqual({})
    else if (variant === 'nullable') expect(initial).toEqual({ someField: null })
    else
      expect(read(field, fieldSet({ someField: field }).toDocument(initial as never)['some-field'])).toEqual(
        initial.someField,
      )
  },
)

const basics = fieldSet({
  name: attribute.text('Name.', { required: true, maxLength: 5 }),
  autoApply: attribute.flag('Whether it applies.', { default: false, shown: 'Applies by itself.' }),
  description: attribute.text('What it is for.', { nullable: true }),
  paths: attribute.list('Paths.', item, { nullable: true, default: [] }),
})
const facts = fieldSet({
  createdAt: attribute.time('When it was made.'),
  clientId: attribute.text('Its client.', { column: 'oauth_client_id', shown: false }),
})

type Thing = Stored<typeof basics.fields> & Stored<typeof facts.fields> & { readonly id: string }

const thing: Thing = {
  id: 't-1',
  name: 'one',
  autoApply: true,
  description: null,
  paths: ['a'],
  createdAt: parseInstant('2026-01-01T00:00:00Z') ?? instant(0),
  clientId: 'oc-1',
}

interface ThingRow extends ColumnsOf<typeof basics.fields>, ColumnsOf<typeof facts.fields> {
  id: string
  name_key: string
}

test('several sets: one row holds the columns of all, and what is added by hand', () => {
  const toRow: (from: Thing) => ThingRow = rowWriter([basics, facts], {
    id: ({ id }) => id,
    name_key: ({ name }) => name.toUpperCase(),
  })
  const fromRow: (row: ThingRow) => Thing = rowReader([basics, facts], { id: ({ id }) => id })
  const row = toRow(thing)
  expect(row).toEqual({
    id: 't-1',
    name: 'one',
    name_key: 'ONE',
    auto_apply: 1,
    description: null,
    paths: '["a"]',
    created_at: 1_767_225_600_000,
    oauth_client_id: 'oc-1',
  })
  expect(fromRow(row)).toEqual(thing)
})

test('documents: fields that answers do not show are left out', () => {
  expect(facts.toDocument(thing)).toEqual({ 'created-at': '2026-01-01T00:00:00.000Z' })
  expect(Object.keys(facts.shown)).toEqual(['created-at'])
  expect(basics.shown['auto-apply']).toMatchObject({ type: 'boolean', description: 'Applies by itself.' })
})

test('applied: fields of other sets and those that were not sent stay', () => {
  const after = basics.applied({ autoApply: false, paths: null }, thing)
  expect(after).toEqual({ ...thing, autoApply: false, paths: [] })
  expect(basics.given({ paths: null, description: null })).toEqual({ paths: [], description: null })
})

test('made: what was sent, and the first values of the rest', () => {
  expect(basics.made({ name: 'two' })).toEqual({ name: 'two', autoApply: false, description: null, paths: [] })
  expect(basics.made({ name: 'two', autoApply: true, paths: null })).toMatchObject({ autoApply: true, paths: [] })
})

test('changing: nothing has to be sent, blanks are refused as before, and no default is promised', () => {
  const place = attribute.object('Place.', { far: attribute.flag('Far.', { default: true }) }, { nullable: true })
  const attributes = { ...basics.fields, place }
  const body = resourceBody('things', { attributes: changing(attributes) })
  const parse = (sent: object) =>
    body.parse({ data: { type: 'things', attributes: sent } }, { warn: () => undefined, params: {} }).attributes
  expect(parse({})).toEqual({})
  expect(() => parse({ name: '' })).toThrow("Name can't be blank")
  expect(JSON.stringify(body.schema)).not.toContain('default')
  expect(JSON.stringify(draftBody('things', { attributes }).schema)).toContain('default')
})

test('text: empty counts as null where the field says so', () => {
  const set = fieldSet({
    note: attribute.text('Note.', { nullable: true, emptyIsNull: true, check: () => 'is refused' }),
  })
  const body = draftBody('things', { attributes: set.fields })
  const parse = (note: unknown) =>
    body.parse({ data: { type: 'things', attributes: { note } } }, { warn: () => undefined, params: {} }).read
      .attributes
  expect(parse('')).toEqual({ note: null })
  expect(parse('x')).toEqual({})
})
