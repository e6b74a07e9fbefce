import { generateKeyPairSync } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { mintCa, mintServer } from '../../../../test/support/certificates.ts'
import { listenOnLoopback, serveDuringTest } from '../../../../test/support/fakes/loopback.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { type TestApp, testApp } from '../../../../test/support/test-app.ts'
import { instant } from '../../../kernel/clock.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { isSameReason, serviceReason } from './failure-reason.ts'

const check = '/v1/sys/storage/raft/snapshot-auto/check'

let app: TestApp | undefined
afterEach(() => app?.close())

const destinations = {
  A: (endpoint: string, plain = true) => ({
    storage_type: 'cloudA-store',
    path_prefix: 'p/',
    cloudA_bucket: 'b',
    cloudA_region: 'eu-1',
    cloudA_access_key_id: 'AKTEST',
    cloudA_secret_access_key: 'very-secret-key',
    cloudA_force_path_style: true,
    cloudA_endpoint: endpoint,
    cloudA_disable_tls: plain,
  }),
  B: (endpoint: string, plain = true) => ({
    storage_type: 'google-gcs',
    path_prefix: 'p/',
    google_gcs_bucket: 'b',
    google_endpoint: endpoint,
    google_disable_tls: plain,
  }),
  C: (endpoint: string, plain = true) => ({
    storage_type: 'cloudC-store',
    path_prefix: 'p/',
    cloudC_container_name: 'b',
    cloudC_account_name: 'account',
    cloudC_account_key: 'a2V5',
    cloudC_endpoint: `http${plain ? '' : 's'}://${endpoint}/account`,
  }),
} as const

const listAnswer = async (body: object): Promise<string> => {
  app = await testApp()
  const answer = await app.root.post(check, { interval: 60, ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.data.rights.list.error
}

/** Starts a server that answers so, and returns its host and port. */
const answeringAt = async (answer: RequestListener): Promise<string> => new URL(await serveDuringTest(answer)).host

test('connection refused: the error names the address and the field to check', async () => {
  const at = `127.0.0.1:${await freePort()}`
  expect(await listAnswer(destinations.A(at))).toBe(`nothing listens at ${at} (ECONNREFUSED); check cloudA_endpoint`)
})

test.each(['A', 'C'] as const)('a destination of type %s that does not speak TLS is reported', async (type) => {
  const at = await answeringAt((_request, response) => response.end())
  expect(await listAnswer(destinations[type](at, false))).toMatch(
    /^the service does not speak TLS \(EPROTO\); check cloud[AC]_endpoint$/,
  )
})

test('untrusted certificate: the error says how to trust it (NODE_EXTRA_CA_CERTS)', async () => {
  const { pem, keyPem } = mintServer(mintCa())
  const { port, close } = await listenOnLoopback(() => undefined, { cert: pem, key: keyPem })
  onTestFinished(close)
  const at = `127.0.0.1:${port}`
  expect(await listAnswer(destinations.A(at, false))).toMatch(
    /^the certificate of the service is not trusted \([A-Z_]+\); start the server with NODE_EXTRA_CA_CERTS/,
  )
})

test('wrong service: an answer that is not from a store is reported with its status', async () => {
  const at = await answeringAt((_request, response) => response.writeHead(404).end('{"errors":[]}'))
  expect(await listAnswer(destinations.A(at))).toBe(
    'the endpoint is not a store of this kind (status 404); check cloudA_endpoint',
  )
})

test('unreadable private key: the error names the field', async () => {
  const key = {
    type: 'service_account',
    client_email: 'a@b',
    private_key: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
  }
  const body = { ...destinations.B('127.0.0.1:1'), google_service_account_key: JSON.stringify(key) }
  expect(await listAnswer(body)).toBe('the private_key of google_service_account_key cannot be read')
})

test.each([
  [
    { error: { code: 403, message: 'Permission denied on it.', status: 'PERMISSION_DENIED' } },
    'Permission denied on it.',
  ],
  [{ error: 'invalid_grant', error_description: 'Invalid signature.' }, 'invalid_grant: Invalid signature.'],
  [{ error: 'invalid_client' }, 'invalid_client'],
])('refused token: the error contains the reason of the token service, %#', async (answer, told) => {
  const at = await answeringAt((_request, response) =>
    response.writeHead(403, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer)),
  )
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = {
    type: 'service_account',
    client_email: 'a@b',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: `http://${at}/token`,
  }
  const body = { ...destinations.B(at), google_service_account_key: JSON.stringify(key) }
  expect(await listAnswer(body)).toBe(`the service returned 403: ${told}`)
})

const gcs: Configuration = {
  name: 'x',
  interval: 60,
  retain: 1,
  pathPrefix: 'p/',
  filePrefix: 'f',
  type: 'cloudB-store',
  dialect: 'vendor',
  settings: { cloudB_bucket: 'b', cloudB_endpoint: 'localhost:1' },
  verify: 'none',
  timeout: 0,
  paused: false,
  createdAt: instant(0),
  updatedAt: instant(0),
}

test.each([
  [
    'wrapped by a library',
    Object.assign(new Error('request to http://localhost:1/o?name=f failed, reason: connect ECONNREFUSED ::1:1'), {
      code: 'ECONNREFUSED',
    }),
    'nothing listens at ::1:1 (ECONNREFUSED); check google_endpoint',
  ],
  [
    'of a DNS lookup',
    Object.assign(new Error('getaddrinfo ENOTFOUND nowhere.invalid'), { code: 'ENOTFOUND' }),
    'the host name nowhere.invalid is not known (ENOTFOUND); check google_endpoint',
  ],
  [
    'of several addresses',
    Object.assign(
      new AggregateError([Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' })]),
      { code: 'ECONNREFUSED' },
    ),
    'nothing listens at 127.0.0.1:1 (ECONNREFUSED); check google_endpoint',
  ],
  [
    'with a generic heading',
    Object.assign(new Error('Multiple errors occurred.\n\n 1. Not Found'), {
      code: 404,
      errors: [{ message: 'Not Found' }],
    }),
    'the service returned 404: Not Found',
  ],
  [
    'of a missing credential',
    new Error('Could not load the default credentials. Browse to somewhere.'),
    'no credential was found: set google_service_account_key, or give the server one where the tools of the provider look for it',
  ],
])('an error %s becomes a readable reason', (_name, error, text) => {
  expect(serviceReason(error, gcs)).toBe(text)
})

test.each([
  ['12 bytes used + 5 bytes needed', '40 bytes used + 7 bytes needed', true],
  ['the service returned 403 AccessDenied: no', 'the service returned 403 AccessDenied: no', true],
  ['the service returned 403 AccessDenied: no', 'the service returned 503 SlowDown: no', false],
  ['', 'timed out after 600s', false],
])('reasons: %j and %j are the same: %s', (one, other, same) => {
  expect(isSameReason(one, other)).toBe(same)
})
