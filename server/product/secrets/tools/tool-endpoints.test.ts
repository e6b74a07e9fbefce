import { expect, test } from 'vitest'
import { sharedApp } from '../../../../test/support/shared.ts'
import { tokenCalls } from '../../../../test/support/token-calls.ts'

const app = sharedApp()

const hello = Buffer.from('hello').toString('base64')

test.each([
  ['hash', {}, '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
  ['hash', { format: 'base64' }, 'LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ='],
  ['hash/sha2-224', {}, 'ea09ae9cc6768c50fcee903ed054556e5bfc8347907f12598aa24193'],
  ['hash', { algorithm: 'sha3-256' }, '3338be694f50c5f338814986cdf0686453a888b84f424d792af4b9202398f392'],
])('tools/%s with %j returns the expected digest', async (path, options, sum) => {
  expect((await app.root.post(`/v1/sys/tools/${path}`, { input: hello, ...options })).body.data).toEqual({ sum })
})

test('hash accepts base64 input that is broken into lines', async () => {
  const input = `${hello.slice(0, 4)}\r\n${hello.slice(4)}\n`
  const { sum } = (await app.root.post('/v1/sys/tools/hash', { input: hello })).body.data
  expect((await app.root.post('/v1/sys/tools/hash', { input })).body.data).toEqual({ sum })
})

test('random bytes have the requested length and format, and two draws differ', async () => {
  const draw = async (path: string, body: object = {}) =>
    (await app.root.post(`/v1/sys/tools/random${path}`, body)).body.data.random_bytes as string
  expect(Buffer.from(await draw(''), 'base64')).toHaveLength(32)
  expect(await draw('/8', { format: 'hex' })).toMatch(/^[0-9a-f]{16}$/)
  expect(await draw('', { bytes: '16' })).not.toBe(await draw('', { bytes: 16 }))
})

test.each([
  ['hash', { input: '%%' }],
  ['hash', { input: hello, algorithm: 'md5' }],
  ['hash/md5', { input: hello }],
  ['hash', { input: hello, format: 'octal' }],
  ['random', { bytes: 0 }],
  ['random', { bytes: 1_000_000 }],
  ['random', { format: 'octal' }],
])('tools/%s with %j is 400', async (path, body) => {
  expect((await app.root.post(`/v1/sys/tools/${path}`, body)).status).toBe(400)
})

test('a token with only the default policy may use hash (200) but not random (403)', async () => {
  const calls = await tokenCalls(app)
  const token = calls.as(await calls.create({ policies: ['default'] }))
  expect((await token.post('/v1/sys/tools/hash', { input: hello })).status).toBe(200)
  expect((await token.post('/v1/sys/tools/random', {})).status).toBe(403)
})
