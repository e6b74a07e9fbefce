import { describe, expect, test } from 'vitest'
import { defineEndpoints, type Endpoint, endpoint, open } from '../endpoint.ts'
import { nothing } from '../reply.ts'
import {
  attribute,
  documentSchema,
  listBody,
  listQuery,
  looseBody,
  pageSchema,
  parameter,
  relation,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
} from './index.ts'
import { warningsOfUnknown } from './unknown-names.ts'

const silent = { attributes: { books: { operations: [false] } }, parameters: ['stray'] }

const book = resourceSchema('books', {
  attributes: {
    title: shown.text('Its title.'),
    'created-at': shown.time('When.'),
    cover: shown.members('Its cover.', { url: shown.text('Where.') }),
  },
  relationships: { author: 'Who wrote it.', shelf: 'Where it stands.' },
})

const parts = {
  attributes: {
    title: attribute.text('Its title.'),
    autoLend: attribute.flag('Whether anybody may have it.', { aliases: ['lend-freely'] }),
    cover: attribute.object('Its cover.', { colour: attribute.text('Its colour.') }),
    chapters: attribute.list('Its chapters.', attribute.text('A chapter.')),
  },
  relationships: {
    author: relation.one('people', 'Who wrote it.'),
    labels: relation.items('labels', 'What it is about.', { attributes: { word: attribute.text('A word.') } }),
  },
}

const about = { summary: 'A.', access: open('a test'), handle: () => nothing() }
const [list, change, label, lend, remove, every] = defineEndpoints('api/v2', [
  endpoint({
    ...about,
    id: 'books.list',
    route: 'GET /books',
    query: listQuery({
      include: ['author'],
      sort: ['title'],
      parameters: {
        title: parameter.text('search[title]', 'Part of the title.'),
        lent: parameter.flag('filter[lent-out]', 'Lent or not.'),
        tagged: parameter.groups('filter[tagged]', ['key', 'value'], 'Tags.'),
      },
    }),
    returns: { 200: pageSchema(book) },
  }),
  endpoint({
    ...about,
    id: 'books.change',
    route: 'PATCH /books/:id',
    query: showQuery(),
    body: resourceBody('books', parts),
    returns: { 200: documentSchema(book), 404: null },
  }),
  endpoint({
    ...about,
    id: 'books.label',
    route: 'POST /books/:id/labels',
    body: listBody('labels', { attributes: { word: attribute.text('A word.') } }),
  }),
  endpoint({
    ...about,
    id: 'books.lend',
    route: 'POST /books/:id/lend',
    body: looseBody({ reason: attribute.text('Why.') }),
  }),
  endpoint({ ...about, id: 'books.remove', route: 'DELETE /books/:id', returns: { 204: null } }),
  endpoint({ ...about, id: 'books.every', route: 'GET /every' }),
]) as [Endpoint, Endpoint, Endpoint, Endpoint, Endpoint, Endpoint]

const ofQuery = (to: Endpoint, query: string) =>
  warningsOfUnknown(to, { query: new URLSearchParams(query), fields: {} }, silent)

const ofBody = (to: Endpoint, fields: Record<string, unknown>) =>
  warningsOfUnknown(to, { query: new URLSearchParams(), fields }, silent)

describe('parameters', () => {
  test.each([
    '',
    'page[number]=1&page[size]=2&include=author&sort=-title',
    'search[title]=a&filter[lent_out]=true&filter[lent-out]=true',
    'filter[tagged][0][key]=a&filter[tagged][0][value]=b&filter[tagged][7][key]=c',
    'fields[books]=title&fields[people]=name',
    'stray=1',
  ])('that are known give no warning: %s', (query) => {
    expect(ofQuery(list, query)).toEqual([])
  })

  test.each([
    ['search[titel]=a', "Unknown parameter 'search[titel]' is ignored. Did you mean 'search[title]'?"],
    ['serach[title]=a', "Unknown parameter 'serach[title]' is ignored. Did you mean 'search[title]'?"],
    ['filter[title]=a', "Unknown parameter 'filter[title]' is ignored. Did you mean 'search[title]'?"],
    ['title=a', "Unknown parameter 'title' is ignored. Did you mean 'search[title]'?"],
    ['filter[lent]=true', "Unknown parameter 'filter[lent]' is ignored."],
    ['filter[foo]=a', "Unknown parameter 'filter[foo]' is ignored."],
    [
      'filter[tagged][0][kye]=a',
      "Unknown parameter 'filter[tagged][0][kye]' is ignored. Did you mean 'filter[tagged][0][key]'?",
    ],
    ['filter[tagged][0]=a', "Unknown parameter 'filter[tagged][0]' is ignored."],
    ['field[books]=title', "Unknown parameter 'field[books]' is ignored."],
    ['q=', "Unknown parameter 'q' is ignored."],
    ['constructor=1', "Unknown parameter 'constructor' is ignored."],
  ])('that are unknown are told: %s', (query, warning) => {
    expect(ofQuery(list, query)).toEqual([warning])
  })

  test.each([
    ['remove', () => remove],
    ['every', () => every],
  ])('are all unknown where none is declared: %s', (_, to) => {
    expect(ofQuery(to(), 'page[size]=2&fields[books]=title')).toEqual([
      "Unknown parameter 'page[size]' is ignored.",
      "Unknown parameter 'fields[books]' is ignored.",
    ])
  })
})

describe('documents', () => {
  const document = (data: object) => ({ data: { type: 'books', id: 'b-1', ...data } })

  test.each<[string, object]>([
    ['known attributes', { attributes: { title: 'a', 'auto-lend': true, chapters: ['a'] } }],
    ['other spellings and names', { attributes: { autoLend: true, auto_lend: true, lendFreely: true } }],
    [
      'what answers show',
      { attributes: { 'created-at': 'x', cover: { url: 'x', colour: 'red' } }, links: { self: '/' } },
    ],
    ['what the relationships of answers show', { relationships: { shelf: { data: null, links: { related: '/' } } } }],
    ['linkage', { relationships: { author: { data: { type: 'people', id: 'p-1', meta: {} }, meta: {} } } }],
    [
      'all that is known of a related resource',
      {
        relationships: {
          author: { data: { type: 'people', id: 'p-1', attributes: { age: 7 }, relationships: { x: 1 } } },
        },
      },
    ],
    ['what clients send of their own accord', { attributes: { operations: false } }],
    ['nothing', {}],
  ])('with %s give no warning', (_, data) => {
    expect(ofBody(change, document(data))).toEqual([])
  })

  test.each<[object, string]>([
    [{ attributes: { titel: 'a' } }, "Unknown attribute 'titel' is ignored. Did you mean 'title'?"],
    [{ attributes: { auto_lned: true } }, "Unknown attribute 'auto_lned' is ignored. Did you mean 'auto-lend'?"],
    [{ attributes: { operations: true } }, "Unknown attribute 'operations' is ignored."],
    [{ attributes: { publisher: 'x' } }, "Unknown attribute 'publisher' is ignored."],
    [{ attributes: { type: 'x' } }, "Unknown attribute 'type' is ignored."],
    [{ attributes: { constructor: 'x' } }, "Unknown attribute 'constructor' is ignored."],
    [
      { attributes: { cover: { color: 'red' } } },
      "Unknown attribute 'color' at /data/attributes/cover is ignored. Did you mean 'colour'?",
    ],
    [{ relationships: { authr: { data: null } } }, "Unknown relationship 'authr' is ignored. Did you mean 'author'?"],
    [
      { relationships: { labels: { data: [{ type: 'labels', attributes: { wrod: 'x' } }] } } },
      "Unknown attribute 'wrod' at /data/relationships/labels/data/*/attributes is ignored. Did you mean 'word'?",
    ],
    [{ atributes: { title: 'a' } }, "Unknown member 'atributes' is ignored. Did you mean 'attributes'?"],
  ])('tell of unknown names: %j', (data, warning) => {
    expect(ofBody(change, document(data))).toEqual([warning])
  })

  test('that are lists tell of an unknown name once', () => {
    const entry = { type: 'labels', attributes: { wrod: 'x' } }
    expect(ofBody(label, { data: [entry, entry] })).toEqual([
      "Unknown attribute 'wrod' at /data/*/attributes is ignored. Did you mean 'word'?",
    ])
  })

  test.each([
    { resaon: 'x' },
    { data: { attributes: { resaon: 'x' } } },
    { data: { type: 'books', attributes: { reason: 'x', resaon: 'x' } } },
  ])('may be plain: %j', (body) => {
    const [warning, ...others] = ofBody(lend, body)
    expect(warning).toMatch(/^Unknown (attribute|member) 'resaon' is ignored. Did you mean 'reason'\?$/)
    expect(others).toEqual([])
  })

  test.each([{}, { data: null }, { data: { type: 'books' } }, { data: { attributes: {}, relationships: {} } }])(
    'where none is wanted give no warning while they say nothing: %j',
    (body) => {
      expect(ofBody(remove, body)).toEqual([])
    },
  )

  test.each<[Record<string, unknown>, string]>([
    [{ force: true }, "Unknown member 'force' is ignored."],
    [{ data: { type: 'books', force: true } }, "Unknown member 'force' is ignored."],
    [{ data: { type: 'books', attributes: { force: true } } }, "Unknown attribute 'force' is ignored."],
    [{ data: { relationships: { shelf: { data: null } } } }, "Unknown relationship 'shelf' is ignored."],
  ])('where none is wanted tell of everything else: %j', (body, warning) => {
    expect(ofBody(remove, body)).toEqual([warning])
  })
})

test('at most ten names are told, and how many more there are', () => {
  const attributes = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`x${index}`, 1]))
  const warnings = ofBody(change, { data: { type: 'books', attributes } })
  expect(warnings).toHaveLength(11)
  expect(warnings.at(-1)).toBe('15 more names are unknown and ignored.')
})

test('long names are cut', () => {
  expect(ofQuery(every, `${'x'.repeat(5_000)}=1`)).toEqual([`Unknown parameter '${'x'.repeat(100)}' is ignored.`])
})

test('a hundred thousand unknown names are read within five seconds', { timeout: 5_000 }, () => {
  const names = Array.from({ length: 100_000 }, (_, index) => [`name-${index}`, 1])
  expect(ofBody(change, { data: { type: 'books', attributes: Object.fromEntries(names) } })).toHaveLength(11)
})
