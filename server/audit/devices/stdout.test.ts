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
  await createStreamSink(stream).write(lines, 100, () => undefined)
  expect(text).toBe('a\nb\n')
})

test('stdout device: a write to a broken stream fails', async () => {
  const broken = new Writable({ write: (_bytes, _encoding, done) => done(new Error('gone')) })
  broken.on('error', () => undefined)
  await expect(createStreamSink(broken).write(lines, 100, () => undefined)).rejects.toThrow('gone')
})

test('stdout device: a write to a blocked stream fails, none is queued meanwhile, and later writes work', async () => {
  let read: () => void = () => undefined
  const stream = new Writable({
    write: (_bytes, _encoding, done) => {
      read = done
    },
  })
  const sink = createStreamSink(stream)
  const left: string[] = []
  const write = (name: string, withinMs: number) => sink.write(lines, withinMs, () => left.push(name))
  await expect(write('first', 20)).rejects.toMatchObject({ code: 'audit.blocked' })
  await expect(write('second', 20)).rejects.toMatchObject({ code: 'audit.blocked' })
  expect([left, stream.writableLength]).toEqual([['first'], lines.length])
  const third = write('third', 5_000)
  read()
  await expect.poll(() => left, { interval: 2 }).toEqual(['first', 'third'])
  read()
  await third
})

test('discard device: a write does not throw', () => {
  expect(() => discardSink.writeNow(lines)).not.toThrow()
})
