import { expect, test } from 'vitest'
import { toMany, toOne, withoutCycles } from './resource-documents.ts'

const related = '/api/v2/organizations/acme'

test('included: a relationship that closes a cycle loses its data and keeps its link', () => {
  const organization = { type: 'organizations', id: 'acme', relationships: { project: toOne('projects', 'prj-1') } }
  const project = {
    type: 'projects',
    id: 'prj-1',
    relationships: { organization: toOne('organizations', 'acme', related) },
  }
  expect(withoutCycles([organization, project])).toEqual([
    organization,
    { ...project, relationships: { organization: { links: { related } } } },
  ])
})

test('included: cycles to itself and through a list are cut; other relationships stay', () => {
  const self = { type: 'a', id: '1', relationships: { self: toOne('a', '1') } }
  const list = { type: 'b', id: '1', relationships: { many: toMany('c', ['1', '2']) } }
  const back = { type: 'c', id: '1', relationships: { owner: toOne('b', '1'), other: toOne('a', '1') } }
  const leaf = { type: 'c', id: '2', relationships: { none: toOne('b', null), outside: toOne('z', '9') } }
  expect(withoutCycles([self, list, back, leaf])).toEqual([
    { ...self, relationships: { self: {} } },
    list,
    { ...back, relationships: { owner: {}, other: toOne('a', '1') } },
    leaf,
  ])
})

test('included: two resources that share a third are not a cycle', () => {
  const shared = { type: 'c', id: '1' }
  const one = { type: 'a', id: '1', relationships: { shared: toOne('c', '1') } }
  const two = { type: 'a', id: '2', relationships: { shared: toOne('c', '1'), one: toOne('a', '1') } }
  expect(withoutCycles([one, two, shared])).toEqual([one, two, shared])
})
