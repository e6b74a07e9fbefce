import { expect, onTestFinished, test } from 'vitest'
import { openRaw } from '../../../test/support/raw-connection.ts'
import { recordingLog } from '../../../test/support/recording-log.ts'
import { sharedApp } from '../../../test/support/shared.ts'

const log = recordingLog()
const app = sharedApp({ log: log.log })

async function ask(path: string, expectation: string, version = '1.1') {
  const connection = await openRaw(Number(new URL(app.url).port))
  onTestFinished(() => connection.close())
  const head = [`GET ${path} HTTP/${version}`, 'Host: x', `Expect: ${expectation}`, `X-Service-Token: ${app.rootToken}`]
  connection.write(`${head.join('\r\n')}\r\n\r\n`)
  const { status, headers, body } = await connection.next()
  return { status, type: headers['content-type'], body: JSON.parse(body) }
}

const text = 'The header Expect can contain only 100-continue.'

test('expectation: an unknown Expect value is 417 in the error format of the API', async () => {
  const plain = { status: 417, type: 'application/json', body: { errors: [text] } }
  expect(await ask('/v1/sys/policies/acl', 'tea')).toEqual(plain)
  expect(await ask('/healthz', '200-ok')).toEqual(plain)
  const error = { status: '417', title: 'expectation failed', detail: text, code: 'request.expectation' }
  expect(await ask('/api/v2/ping', '')).toEqual({
    status: 417,
    type: 'application/vnd.api+json',
    body: { errors: [error] },
  })
})

test('expectation: a 417 is logged and counted in the metrics like any other request', async () => {
  const refused = async (): Promise<number> => {
    const { text } = await app.root.get('/v1/sys/metrics?format=prometheus')
    const counts = [...text.matchAll(/^holdfast_http_request_seconds_count\{.*status="417".*\} (\d+)/gm)]
    return counts.reduce((sum, [, count]) => sum + Number(count), 0)
  }
  const before = await refused()
  await ask('/v1/sys/policies/acl', 'tea')
  expect(await refused()).toBe(before + 1)
  expect(log.text()).toMatch(/"path":"\/v1\/sys\/policies\/acl".*"status":417/)
})

test('expectation: the log line of a 417 does not show a secret from the path', async () => {
  expect((await ask('/app/invitations/secret-of-ann', 'tea')).status).toBe(417)
  expect(log.text()).toMatch(/"path":"\/app\/invitations\/:token".*"status":417/)
  expect(log.text()).not.toContain('secret-of-ann')
})

test('expectation: 100-continue is accepted, also beside other values; HTTP/1.0 ignores Expect', async () => {
  for (const [expectation, version] of [['100-Continue'], ['100-continue, tea'], ['tea', '1.0']] as const) {
    expect((await ask('/v1/sys/policies/acl', expectation, version)).status).toBe(200)
  }
})
