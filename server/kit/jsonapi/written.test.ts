import { expect, test } from 'vitest'
import type { Resource } from './resources.ts'
import { answerWritten, withChanged, writeOut } from './written.ts'

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

test('written: a resource is written once, with a tag that moves with it', () => {
  const resource = unlocked()
  expect(writeOut(resource)).toBe(writeOut(resource))
  expect(writeOut(resource)).toEqual(writeOut(unlocked()))
  expect(writeOut({ ...unlocked(), id: 'ws-2' }).tag).not.toBe(writeOut(resource).tag)
})

test('written: changed members are written as if the whole had been', () => {
  const below = unlocked()
  for (const reason of ['', 'x', 'with "quotes", braces }{ and ü']) {
    const resource = withChanged(below, locked(reason))
    expect(resource.attributes).toMatchObject({ name: 'a "locked":false b', locked: true, reason })
    expect(JSON.parse(writeOut(resource).text)).toEqual(JSON.parse(JSON.stringify(resource)))
  }
})

test('written: with nothing beside the changed members the text is whole', () => {
  const below = { type: 't', id: '1', attributes: { locked: false, reason: '' } }
  const resource = withChanged(below, locked('x'))
  expect(JSON.parse(writeOut(resource).text)).toEqual(JSON.parse(JSON.stringify(resource)))
})

test('written: the tag moves with what changes and with what does not, and only then', () => {
  const below = unlocked()
  const tag = (resource: Resource) => writeOut(resource).tag
  expect(tag(withChanged(below, locked('x')))).toBe(tag(withChanged(unlocked(), locked('x'))))
  expect(tag(withChanged(below, locked('x')))).not.toBe(tag(withChanged(below, locked('y'))))
  expect(tag(withChanged({ ...below, id: 'ws-2' }, locked('x')))).not.toBe(tag(withChanged(below, locked('x'))))
  expect(answerWritten(withChanged(below, locked('x')))).toMatchObject({ headers: { ETag: expect.any(String) } })
})
