import { expect, onTestFinished, test } from 'vitest'
import { openRaw, type RawConnection } from '../../../test/support/raw-connection.ts'
import { ownApp } from '../../../test/support/shared.ts'
import { stateBench, stateOf } from '../../../test/support/states.ts'

test('large bodies of known callers share a memory budget until they are answered, 503 with Retry-After beyond it', async () => {
  const app = await ownApp({ limits: { bufferedBytes: 500_000 } })
  /** A request that stops in the middle of its body. */
  const stall = async (path: string, headers: string): Promise<RawConnection> => {
    const connection = await openRaw(Number(new URL(app.url).port))
    onTestFinished(() => connection.close())
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\nContent-Length: 300000\r\n\r\n`
    connection.write(`${head}{"paths":["${'x'.repeat(249_989)}`)
    return connection
  }
  const json = 'Content-Type: application/json'
  const large = { paths: ['x'.repeat(300_000)] }
  const send = () => app.root.post('/v1/sys/capabilities-self', large)
  expect((await send()).status).toBe(200)
  const first = await stall('/v1/sys/capabilities-self', `X-Vault-Token: ${app.rootToken}`)
  const second = await stall('/api/v2/organizations', `Authorization: Bearer ${app.rootToken}\r\n${json}`)
  await expect.poll(async () => (await send()).status).toBe(503)
  const refused = await send()
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
  expect((await app.root.post('/v1/sys/capabilities-self', { paths: ['x'.repeat(50_000)] })).status).toBe(200)
  second.close()
  first.write(`${'x'.repeat(49_997)}"]}`)
  expect((await first.next()).status).toBe(200)
  await expect.poll(async () => (await send()).status).toBe(200)
})

test('a body that is larger than the budget is accepted if it is the only one', async () => {
  const app = await ownApp({ limits: { bufferedBytes: 100_000 } })
  const large = { paths: ['x'.repeat(300_000)] }
  expect((await app.root.post('/v1/sys/capabilities-self', large)).status).toBe(200)
})

test('uploaded states take part in the budget, and can be sent again when there is room', async () => {
  const bench = await stateBench('sqlite', { limits: { bufferedBytes: 300_000 } })
  onTestFinished(bench.app.close)
  const state = stateOf({ serial: 1, outputs: { long: 'x'.repeat(400_000) } })
  const made = await bench.announce(await bench.locked(), state)
  const upload = made.body.data.attributes['hosted-state-upload-url']
  const other = await openRaw(Number(new URL(bench.app.url).port))
  onTestFinished(() => other.close())
  const head = `Host: x\r\nX-Vault-Token: ${bench.app.rootToken}\r\nContent-Length: 300000`
  other.write(`POST /v1/sys/capabilities-self HTTP/1.1\r\n${head}\r\n\r\n{"paths":["${'x'.repeat(250_000)}`)
  const put = () => bench.put(upload, state)
  const wide = { paths: ['x'.repeat(300_000)] }
  // What was announced is uploaded once, so nothing may be sent before the other request has its room.
  await expect.poll(async () => (await bench.app.root.post('/v1/sys/capabilities-self', wide)).status).toBe(503)
  const refused = await put()
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
  other.close()
  await expect.poll(async () => (await put()).status).toBe(200)
})
