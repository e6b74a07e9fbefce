import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createStreamSink, discardSink } from './stdout.ts'

const lines = { room: Buffer.from('a\nb\nrest'), length: 4, ends: [2, 4] }

test('stdout device: lines go out whole and in order', async () => {
  let text = ''
  const stream = new Writable({
    write: (bytes, _encoding, done) => {
      text += bytes
      done()
    },
  })
  expect(await createStreamSink(stream).write(lines, 100)).toEqual({ taken: 2 })
  expect(text).toBe('a\nb\n')
})

test('stdout device: a blocked or broken stream takes nothing', async () => {
  const blocked = new Writable({ write: () => undefined })
  expect(await createStreamSink(blocked).write(lines, 20)).toMatchObject({
    taken: 0,
    problem: { code: 'audit.blocked' },
  })
  const broken = new Writable({ write: (_bytes, _encoding, done) => done(new Error('gone')) })
  broken.on('error', () => undefined)
  expect(await createStreamSink(broken).write(lines, 100)).toMatchObject({ taken: 0, problem: { message: 'gone' } })
})

test('discard device: takes everything', () => {
  expect(discardSink.writeNow(lines)).toEqual({ taken: 2 })
})
