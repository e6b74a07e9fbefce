import { expect, test } from 'vitest'
import { Failure } from '../../kernel/failure.ts'
import { answerOne, answerPage, listQuery, parameter, showQuery, toOne } from './index.ts'
import { paginationOf } from './paging.ts'

const list = listQuery({
  sort: ['name', 'latest-change-at'],
  include: ['project', 'current_run.plan'],
  parameters: {
    search: parameter.text('search[name]', 'Part of the name.'),
    excluded: parameter.list('search[exclude-tags]', 'Tags.'),
    tagged: parameter.groups('filter[tagged]', ['key', 'value'], 'Bindings.'),
  },
})

const read = (query: string) => list.parse(new URLSearchParams(query))

/** Kind, parameter and detail of a refusal. */
const refusal = (query: string) => {
  try {
    read(query)
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown
    return { kind: thrown.kind, ...thrown.extras.faults?.[0] }
  }
}

test('a query with tens of thousands of parameters is parsed within five seconds', { timeout: 5_000 }, () => {
  expect(read(`${'search[name]=a&'.repeat(4_000)}${'a&'.repeat(30_000)}search[name]=b`).search).toBe('b')
})

test.each([
  ['', 1, 20],
  ['page[number]=3&page[size]=7', 3, 7],
  ['page%5Bnumber%5D=3&page%5Bsize%5D=7', 3, 7],
  ['page[size]=0', 1, 20],
  ['page[size]=-1', 1, 20],
  ['page[size]=101', 1, 100],
  ['page[size]=100', 1, 100],
  ['page[number]=0', 1, 20],
  ['page[number]=-2', 1, 20],
  ['page[number]=&page[size]=', 1, 20],
  ['page[number]=x&page[number]=2', 2, 20],
  ['page[number]=%2B3&page[size]=+4', 3, 4],
  ['page[number]=99999999999999999999', Number.MAX_SAFE_INTEGER, 20],
  ['page[size]=99999999999999999999', 1, 100],
  ['page[number]=999', 999, 20],
])('page: "%s" is read as page %i with size %i', (query, number, size) => {
  expect(read(query).page).toEqual({ number, size })
})

test.each([
  ['page[number]', 'abc'],
  ['page[number]', '1.5'],
  ['page[number]', '1e1'],
  ['page[number]', '0x10'],
  ['page[size]', 'all'],
  ['page[size]', 'null'],
  ['page[size]', '10,20'],
])('page: %s=%s is refused, since it is no whole number', (name, value) => {
  const detail = `Parameter ${name} must be a whole number, such as 1.`
  expect(refusal(`${name}=${value}`)).toEqual({ kind: 'malformed', parameter: name, detail })
})

test.each([
  { number: 1, size: 20, total: 0, pages: 1, prev: null, next: null },
  { number: 1, size: 20, total: 20, pages: 1, prev: null, next: null },
  { number: 1, size: 20, total: 21, pages: 2, prev: null, next: 2 },
  { number: 2, size: 20, total: 21, pages: 2, prev: 1, next: null },
  { number: 2, size: 5, total: 12, pages: 3, prev: 1, next: 3 },
  { number: 999, size: 100, total: 3, pages: 1, prev: null, next: null },
])('page: page $number of size $size over $total entries has $pages pages', (wanted) => {
  const { number, size, total, pages, prev, next } = wanted
  expect(paginationOf({ number, size }, total)).toEqual({
    'current-page': number,
    'page-size': size,
    'prev-page': prev,
    'next-page': next,
    'total-pages': pages,
    'total-count': total,
  })
})

test('include: dashes equal underscores, and an unknown path is 400 with "Invalid include parameter"', () => {
  expect([...read('include=current-run.plan,%20project').include]).toEqual(['current_run.plan', 'project'])
  const refused = refusal('include=project,owner')
  expect(refused).toMatchObject({ kind: 'malformed', parameter: 'include' })
  expect(refused?.detail).toMatch(/Invalid include parameter$/)
})

test('sort: a declared key in either direction is accepted, anything else is 400', () => {
  expect(read('sort=-latest-change-at').sort).toEqual({ key: 'latest-change-at', descending: true })
  expect(read('').sort).toBeUndefined()
  expect(refusal('sort=size')).toMatchObject({ kind: 'malformed', parameter: 'sort' })
})

test('parameters: blank means absent, unknown ones are ignored, dashes equal underscores', () => {
  expect(read('search[name]=%20&nonsense=1').search).toBeUndefined()
  expect(read('search[exclude_tags]=a,,%20b').excluded).toEqual(['a', 'b'])
  expect(read('search%5Bexclude-tags%5D=a').excluded).toEqual(['a'])
})

test('parameters: groups are ordered by index with gaps allowed; an index that is not a number is 400', () => {
  expect(read('filter[tagged][7][key]=b&filter[tagged][0][key]=a&filter[tagged][0][value]=').tagged).toEqual([
    { key: 'a' },
    { key: 'b' },
  ])
  expect(refusal('filter[tagged][x][key]=a')).toMatchObject({ kind: 'malformed', parameter: 'filter[tagged][x][key]' })
})

test('parameters: over 1,000 distinct entries or over 50 groups are 400', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`)
  expect(refusal(`search[exclude-tags]=${many(1_001)}`)).toMatchObject({
    kind: 'malformed',
    parameter: 'search[exclude-tags]',
  })
  expect(read(`search[exclude-tags]=${[...many(1_000), ...many(1_000)]}`).excluded).toHaveLength(1_000)
  const groups = many(51).map((key, index) => `filter[tagged][${index}][key]=${key}`)
  expect(refusal(groups.join('&'))).toMatchObject({ kind: 'malformed', parameter: 'filter[tagged]' })
  expect(read(groups.slice(1).join('&')).tagged).toHaveLength(50)
})

test('parameters: a NUL character is 400', () => {
  expect(refusal('search[name]=%00')).toMatchObject({ kind: 'malformed' })
})

const request = (query: string) => ({
  origin: 'https://holdfast.test',
  path: 'organizations/acme/workspaces',
  query: new URLSearchParams(query),
})

test('answer: page links are absolute, sorted and encoded, and repeat the other parameters', () => {
  const query = 'search[name]=a%20b&page[number]=2&page[size]=1'
  const reply = answerPage({ request: request(query), query: read(query) }, { resources: [], total: 3 })
  const at = (number: number) =>
    `https://holdfast.test/api/v2/organizations/acme/workspaces?page%5Bnumber%5D=${number}&page%5Bsize%5D=1&search%5Bname%5D=a%20b`
  expect(reply).toMatchObject({
    document: { data: [], links: { self: at(2), first: at(1), prev: at(1), next: at(3), last: at(3) } },
  })
})

test('answer: sparse fields keep type, id and self; included resources are unique, never the primary', () => {
  const resource = {
    type: 'workspaces',
    id: 'ws-1',
    attributes: { name: 'a', 'created-at': 'now' },
    relationships: { project: toOne('projects', 'prj-1'), organization: toOne('organizations', 'acme') },
    links: { self: '/x', 'self-html': '/y' },
  }
  const query = showQuery({ include: ['project'] }).parse(
    new URLSearchParams('fields[workspaces]=name,project&include=project'),
  )
  const project = { type: 'projects', id: 'prj-1' }
  const reply = answerOne({ request: request(''), query }, resource, { included: [project, resource, project] })
  expect(reply).toMatchObject({ kind: 'document', status: 200 })
  expect(reply.kind === 'document' && reply.document).toEqual({
    data: {
      type: 'workspaces',
      id: 'ws-1',
      attributes: { name: 'a' },
      relationships: { project: { data: { type: 'projects', id: 'prj-1' } } },
      links: { self: '/x' },
    },
    included: [project],
  })
})
