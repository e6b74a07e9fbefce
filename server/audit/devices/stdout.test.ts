import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createStreamSink, discardSink } from './stdout.ts'

const lines = { room: Buffer.from('a\nb\nrest'), length: 4, head: { chain: 'w0.00000000', seq: 2, hash: '' } }

test('stdout device: lines go out whole and in order', async () => {
  let text = ''
  const stream = new Writable({
    write: (bytes, _encoding, done) => {
      text += bytes
      done()
    },
  })
  await createStreamSink(stream).write(lines, 100)
  expect(text).toBe('a\nb\n')
})

test('stdout device: a blocked or broken stream takes nothing', async () => {
  const blocked = new Writable({ write: () => undefined })
  await expect(createStreamSink(blocked).write(lines, 20)).rejects.toMatchObject({ code: 'audit.blocked' })
  const broken = new Writable({ write: (_bytes, _encoding, done) => done(new Error('gone')) })
  broken.on('error', () => undefined)
  await expect(createStreamSink(broken).write(lines, 100)).rejects.toThrow('gone')
})

test('discard device: takes everything', () => {
  expect(() => discardSink.writeNow(lines)).not.toThrow()
})
