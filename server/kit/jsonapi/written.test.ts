import { expect, test } from 'vitest'
import type { Resource } from './schemas.ts'
import { answerWritten, withChanged, writeResource } from './written.ts'

const unlocked = (): Resource => ({
  type: 'workspaces',
  id: 'ws-1',
  attributes: { name: 'a "locked":false b', locked: false, reason: '', size: 3, gone: undefined },
  relationships: { holder: { data: null }, project: { data: { type: 'projects', id: 'prj-1' } } },
  links: { self: '/ws-1' },
})
const locked = (reason: string) => ({
  attributes: { locked: true, reason },
  relationships: { holder: { data: { type: 'users', id: 'user-1' } } },
})

test('written: a resource is serialized once, and its tag depends on its content', () => {
  const resource = unlocked()
  expect(writeResource(resource)).toBe(writeResource(resource))
  expect(writeResource(resource)).toEqual(writeResource(unlocked()))
  expect(writeResource({ ...unlocked(), id: 'ws-2' }).tag).not.toBe(writeResource(resource).tag)
})

test('written: changed members give the same document as serializing everything', () => {
  const below = unlocked()
  for (const reason of ['', 'x', 'with "quotes", braces }{ and ü']) {
    const resource = withChanged(below, locked(reason))
    expect(resource.attributes).toMatchObject({ name: 'a "locked":false b', locked: true, reason })
    expect(JSON.parse(writeResource(resource).text)).toEqual(JSON.parse(JSON.stringify(resource)))
  }
})

test('written: a resource that has only the changed members is serialized completely', () => {
  const below = { type: 't', id: '1', attributes: { locked: false, reason: '' } }
  const resource = withChanged(below, locked('x'))
  expect(JSON.parse(writeResource(resource).text)).toEqual(JSON.parse(JSON.stringify(resource)))
})

test('written: the tag depends on the changed and on the unchanged members, and on nothing else', () => {
  const below = unlocked()
  const tag = (resource: Resource) => writeResource(resource).tag
  expect(tag(withChanged(below, locked('x')))).toBe(tag(withChanged(unlocked(), locked('x'))))
  expect(tag(withChanged(below, locked('x')))).not.toBe(tag(withChanged(below, locked('y'))))
  expect(tag(withChanged({ ...below, id: 'ws-2' }, locked('x')))).not.toBe(tag(withChanged(below, locked('x'))))
  expect(answerWritten(withChanged(below, locked('x')))).toMatchObject({ headers: { ETag: expect.any(String) } })
})
