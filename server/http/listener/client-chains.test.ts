import { expect, test } from 'vitest'
import { ClientChains } from './client-chains.ts'

const [ann, bob, int, other] = ['ann', 'bob', 'intermediate', 'other'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
]

function chains(memory = { maxLeaves: 100, maxBytes: 1000 }) {
  let rotations = 0
  const kept = new ClientChains(() => void rotations++, memory)
  return {
    full: (leaf: Buffer, ...intermediates: Buffer[]) => kept.certificateOf({ leaf, intermediates }, false),
    resume: (leaf: Buffer) => kept.certificateOf({ leaf, intermediates: [] }, true),
    rotations: () => rotations,
  }
}

test('chains: an unchanged client rotates no ticket keys, and a resumption finds its intermediates', () => {
  const { full, resume, rotations } = chains()
  for (let i = 0; i < 3; i++) full(ann, int)
  expect(resume(ann)).toEqual({ leaf: ann, intermediates: [int], resumed: true })
  expect(rotations()).toBe(0)
})

test('chains: an unchanged client gets the identical object; one with other intermediates gets a new one', () => {
  const { full } = chains()
  const first = full(ann, int)
  expect(full(Buffer.from(ann), Buffer.from(int))).toBe(first)
  const changed = full(ann, other)
  expect(changed).toEqual({ leaf: ann, intermediates: [other], resumed: false })
  expect(full(ann, int)).not.toBe(first)
})

test('chains: large chains use up the memory, so earlier chains are dropped from it and built anew', () => {
  const { full } = chains({ maxLeaves: 100, maxBytes: 1000 })
  const first = full(ann, int)
  full(bob, Buffer.alloc(900))
  expect(full(ann, int)).toBe(first)
  full(other, Buffer.alloc(900))
  const again = full(ann, int)
  expect(again).toEqual(first)
  expect(again).not.toBe(first)
})

test('chains: each leaf certificate keeps its own intermediates', () => {
  const { full, resume } = chains()
  full(ann, int)
  full(bob, other, int)
  expect(resume(ann)).toMatchObject({ intermediates: [int] })
  expect(resume(bob)).toMatchObject({ intermediates: [other, int] })
})

test.each([
  ['too many clients', { maxLeaves: 1, maxBytes: 1000 }],
  ['too many bytes', { maxLeaves: 100, maxBytes: 15 }],
])('chains: with %s the stored chains are dropped and the ticket keys rotate', (_name, memory) => {
  const { full, resume, rotations } = chains(memory)
  full(ann, int)
  full(bob, other)
  expect(rotations()).toBe(1)
  expect(resume(bob)).toMatchObject({ intermediates: [other] })
})

test('chains: after the ticket keys rotate, a resumption already under way still finds its intermediates', () => {
  const { full, resume, rotations } = chains()
  full(ann, int)
  full(bob, int)
  full(ann, other)
  expect(rotations()).toBe(1)
  expect(resume(bob)).toMatchObject({ intermediates: [int] })
})

test('chains: a resumed session with an unknown leaf is refused and the ticket keys rotate', () => {
  const { resume, rotations } = chains()
  expect(resume(ann)).toBe('forgotten')
  expect(rotations()).toBe(1)
})
