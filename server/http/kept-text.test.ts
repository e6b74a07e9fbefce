import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sharedApp } from '../../test/support/shared.ts'
import { acceptsCoding, keptText } from './reference.ts'

const app = sharedApp()

type Request = Parameters<ReturnType<typeof keptText>>[0]

const asking = (headers: Record<string, string>) => ({ request: { headers } }) as unknown as Request

test.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP, deflate, br', true],
  ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
  ['gzip;q=0', false],
  ['gzip;q=0, *', false],
  ['*', true],
  ['*;q=0', false],
  ['identity', false],
  ['gzipped', false],
])('Accept-Encoding %j: gzip is accepted: %j', (accepted, expected) => {
  expect(acceptsCoding(accepted, 'gzip')).toBe(expected)
})

test('a kept text is written once, when it is asked for, and its forms have different strong tags', () => {
  let written = 0
  const answer = keptText('text/plain', () => `text ${++written}`)
  expect(written).toBe(0)
  const plain = answer(asking({}))
  const packed = answer(asking({ 'accept-encoding': 'gzip' }))
  expect(written).toBe(1)
  if (plain.kind !== 'bytes' || packed.kind !== 'bytes') throw new Error('no bytes')
  expect(String(plain.body)).toBe('text 1')
  expect(String(gunzipSync(packed.body as Buffer))).toBe('text 1')
  expect(plain.headers).not.toHaveProperty('Content-Encoding')
  expect(packed.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' })
  expect(plain.headers?.ETag).toMatch(/^"[^"]+"$/)
  expect(packed.headers?.ETag).toMatch(/^"[^"]+"$/)
  expect(packed.headers?.ETag).not.toBe(plain.headers?.ETag)
})

test.each(['/openapi.json', '/docs', '/v1/sys/internal/specs/openapi'])(
  '%s: compressed for those who accept it, and 304 for those who have it',
  async (path) => {
    const plain = await app.anonymous.get(path, { headers: { 'accept-encoding': 'identity' } })
    const tag = String(plain.headers.etag)
    expect(plain.status).toBe(200)
    expect(tag).toMatch(/^"/)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const packed = await app.anonymous.get(path, { headers: { 'accept-encoding': 'gzip' } })
    expect(packed.status).toBe(200)
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringContaining('Accept-Encoding'),
    })
    expect(Number(packed.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 4)
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, String(packed.headers.etag), '*']) {
      const again = await app.anonymous.get(path, { headers: { 'if-none-match': known } })
      expect([again.status, again.text], known).toEqual([304, ''])
      expect(again.headers.etag).toMatch(/^"/)
    }
    expect((await app.anonymous.get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  },
)
