import { expect, onTestFinished, test } from 'vitest'
import { openRaw, type RawConnection } from '../../test/support/raw-connection.ts'
import { ownApp } from '../../test/support/shared.ts'

test('a body over the limit is 413', async () => {
  const small = await ownApp({ limits: { v1BodyBytes: 1024 } })
  const answer = await small.root.post('/v1/sys/policies/acl/x', { policy: 'x'.repeat(5_000_000) })
  expect(answer.status).toBe(413)
  expect(answer.body.errors).toHaveLength(1)
})

test('large bodies without a valid token are 403, or 413 on paths that need none and in chunks', async () => {
  const small = await ownApp({ limits: { anonymousBodyBytes: 1024 } })
  const [open, closed] = ['/v1/sys/unseal', '/v1/sys/capabilities-self']
  const broken = `{${'x'.repeat(2_000)}`
  const inOnePiece = async (path: string, token?: string) =>
    (await (token ? small.anonymous.as(token) : small.anonymous).post(path, undefined, { raw: broken })).status
  // Of unknown length: fetch sends a stream in chunks.
  const inChunks = async (path: string, token?: string) => {
    const body = new Blob([broken]).stream()
    const headers = token ? { 'x-service-token': token } : {}
    return (await fetch(small.url + path, { method: 'POST', body, headers, duplex: 'half' })).status
  }
  for (const send of [inOnePiece, inChunks]) {
    expect(await send(closed, 'hfs.unknown')).toBe(403)
    expect(await send(closed, small.rootToken)).toBe(400)
    expect(await send(open)).toBe(413)
    expect(await send(open, small.rootToken)).toBe(413)
  }
  expect(await inOnePiece(closed)).toBe(403)
  expect(await inChunks(closed)).toBe(413)
  const paths = ['a'.repeat(2_000)]
  expect((await small.root.post(closed, { paths })).status).toBe(200)
  const twice = await small.root.post('/v1/auth/token/create', { num_uses: 2 })
  const limited = small.anonymous.as(twice.body.auth.client_token)
  expect((await limited.post(closed, { paths })).status).toBe(200)
  expect((await limited.get('/v1/auth/token/lookup-self')).body.data.num_uses).toBe(-1)
})

test('large bodies without a token share a memory budget, 503 beyond it; others are not limited', async () => {
  const small = await ownApp({ limits: { anonymousTotalBytes: 250_000 } })
  const begin = async (): Promise<RawConnection> => {
    const connection = await openRaw(Number(new URL(small.url).port))
    onTestFinished(() => connection.close())
    connection.write('POST /v1/sys/unseal HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{')
    return connection
  }
  const [first] = [await begin(), await begin()]
  const large = { path: 'x'.repeat(100_000) }
  await expect.poll(async () => (await small.anonymous.post('/v1/sys/unseal', large)).status).toBe(503)
  expect((await small.anonymous.post('/v1/sys/unseal', large)).headers['retry-after']).toBe('5')
  expect((await small.anonymous.post('/v1/sys/unseal', { reset: true })).status).not.toBe(503)
  expect((await small.root.post('/v1/sys/capabilities-self', large)).status).toBe(200)
  first.write('x'.repeat(99_999))
  expect((await first.next()).status).toBe(400)
  expect((await small.anonymous.post('/v1/sys/unseal', large)).status).not.toBe(503)
})

test('chunked bodies without a token: twenty small ones at once are accepted, a large one is 413', async () => {
  const small = await ownApp({ limits: { anonymousTotalBytes: 250_000 } })
  const share = Buffer.alloc(33, 1).toString('base64')
  const send = async (length: number) => {
    const body = new Blob([JSON.stringify({ key: share, more: 'x'.repeat(length) })]).stream()
    return (await fetch(`${small.url}/v1/sys/unseal`, { method: 'POST', body, duplex: 'half' })).status
  }
  expect(await Promise.all(Array.from({ length: 20 }, () => send(10_000)))).toEqual(Array(20).fill(200))
  expect(await send(70_000)).toBe(413)
})

test('a body over the limit for everybody is 413, with or without a token', async () => {
  const small = await ownApp({ limits: { anonymousBodyBytes: 1024, v1BodyBytes: 10_000 } })
  const fields = { policy: 'x'.repeat(20_000) }
  for (const caller of [small.root, small.anonymous, small.anonymous.as('hfs.unknown')]) {
    const { status, text } = await caller.post('/v1/sys/tools/hash', fields)
    expect([status, text]).toEqual([413, expect.stringContaining('larger than 10000 bytes')])
  }
})
