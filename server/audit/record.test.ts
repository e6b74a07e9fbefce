import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { auditEvent, tokenCaller } from '../../test/support/audit-events.ts'
import { mintCa, mintLeaf } from '../../test/support/certificates.ts'
import { instant } from '../kernel/clock.ts'
import { parseVerbatim } from '../kernel/exact-json.ts'
import { randomIds } from '../kernel/ids.ts'
import { anonymous } from '../kernel/principal.ts'
import { secret } from '../kernel/secret.ts'
import type { AuditEvent } from '../kit/audit-trail.ts'
import { hashWith, memoizePerTurn } from './hashing.ts'
import { createRecordWriter } from './record-writer.ts'

const at = instant(1_700_000_000_123)
const hash = hashWith(secret(randomIds.bytes(32)))
const usual = { hmacAccessor: true, logRaw: false, elideListResponses: false }
const noHeaders = new Map()

const only = (type: 'request' | 'response') => ({
  requestAt: type === 'request' ? at : undefined,
  responseAt: type === 'response' ? at : undefined,
})

const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(`${line}}`))

const written = (type: 'request' | 'response', event: AuditEvent, options = usual, headers = noHeaders) =>
  parsed(createRecordWriter(hash, options, '1.2.3')({ event, headers, ...only(type) }))[0]

test('record: a request has caller, operation and origin, and omits what is empty', () => {
  const record = written('request', auditEvent({ request: { fields: { policy: 'secret text', ttl: 5, on: false } } }))
  expect(record).toEqual({
    time: '2023-11-14T22:13:20.123000000Z',
    type: 'request',
    auth: {
      client_token: hash('hfs.token'),
      accessor: hash('accessor-1'),
      display_name: 'ann',
      policies: ['default', 'ops'],
      token_policies: ['default', 'ops'],
      policy_results: { allowed: true, granting_policies: [{ name: 'ops', namespace_id: 'root', type: 'acl' }] },
      metadata: { team: 'blue' },
      entity_id: 'entity-1',
      token_type: 'service',
      token_ttl: 3600,
      token_issue_time: '2023-11-14T22:13:20.000000000Z',
    },
    request: {
      id: 'request-1',
      client_id: 'entity-1',
      operation: 'update',
      mount_point: 'sys/',
      mount_type: 'system',
      mount_accessor: 'system_1',
      mount_class: 'secret',
      mount_running_version: 'v1.2.3+builtin',
      client_token: hash('hfs.token'),
      client_token_accessor: hash('accessor-1'),
      namespace: { id: 'root' },
      path: 'sys/policies/acl/ops',
      data: { policy: hash('secret text'), ttl: 5, on: false },
      remote_address: '10.0.0.9',
      remote_port: 4711,
      request_uri: '/v1/sys/policies/acl/ops',
    },
  })
})

test('record: an anonymous request has no auth; a client certificate is recorded by serial number', () => {
  const { der } = mintLeaf(mintCa(), { serial: 123_456_789_012_345_678_901n })
  const certificate = { leaf: der, intermediates: [] }
  const record = written('request', auditEvent({ caller: anonymous, request: { certificate, presentedToken: '' } }))
  expect(record).not.toHaveProperty('auth')
  expect(record.request).toMatchObject({ client_certificate_serial_number: '123456789012345678901' })
  expect(record.request).not.toHaveProperty('client_token')
  const negative = { leaf: mintLeaf(mintCa(), { serial: -300n }).der, intermediates: [] }
  expect(written('request', auditEvent({ request: { certificate: negative } })).request).toMatchObject({
    client_certificate_serial_number: '-300',
  })
  const broken = { leaf: Buffer.from('no certificate'), intermediates: [] }
  expect(written('request', auditEvent({ request: { certificate: broken } })).request).toMatchObject({
    client_certificate_serial_number: 'unreadable',
  })
})

test('record: a response has auth, data, lease and wrap_info, with tokens, accessors and values hashed', () => {
  const reply = {
    kind: 'data',
    auth: { client_token: 'hfs.new', accessor: 'accessor-2', policies: ['default'], metadata: { a: 'b' } },
    data: { deep: [{ value: 'secret text', count: 3 }] },
    lease: { id: 'lease-1', seconds: 60, renewable: false },
    wrapInfo: { token: 'hfs.wrap', accessor: 'accessor-3', ttl: 60, creation_path: 'sys/x' },
  } as const
  const { response } = written('response', auditEvent({ reply, warnings: ['careful'] }))
  expect(response).toMatchObject({
    auth: { client_token: hash('hfs.new'), accessor: hash('accessor-2'), policies: ['default'], metadata: { a: 'b' } },
    data: { deep: [{ value: hash('secret text'), count: 3 }] },
    secret: { lease_id: 'lease-1' },
    wrap_info: { token: hash('hfs.wrap'), accessor: hash('accessor-3'), ttl: 60, creation_path: 'sys/x' },
    warnings: ['careful'],
    mount_type: 'system',
  })
})

test('record: the response to a login has the issued token as its auth', () => {
  const auth = { client_token: 'hfs.new', accessor: 'accessor-2', policies: ['default'], entity_id: 'entity-2' }
  const reply = { kind: 'data', auth, recordedAuth: { issuedAt: at, entity_created: true } } as const
  const event = auditEvent({ caller: anonymous, reply, request: { presentedToken: '' } })
  expect(written('request', event)).not.toHaveProperty('auth')
  const record = written('response', event)
  expect(record.auth).toMatchObject({ client_token: hash('hfs.new'), entity_id: 'entity-2', entity_created: true })
  expect(record.response).toMatchObject({ auth: record.auth })
  expect(written('response', auditEvent({ reply })).auth).toMatchObject({ display_name: 'ann' })
})

test('record: a token handed out inside a wrapped response stands in auth for callers without a token alone', () => {
  const wrapped = { auth: { client_token: 'hfs.new', entity_id: 'entity-2' }, recordedAuth: { issuedAt: at } }
  const reply = { kind: 'data', wrapInfo: { token: 'hfs.wrap' }, wrapped } as const
  const record = written('response', auditEvent({ caller: anonymous, reply, request: { presentedToken: '' } }))
  expect(record.auth).toMatchObject({ client_token: hash('hfs.new'), entity_id: 'entity-2' })
  expect(record.response).toMatchObject({ wrap_info: { token: hash('hfs.wrap') } })
  expect(record.response).not.toHaveProperty('auth')
  expect(written('response', auditEvent({ reply })).auth).toMatchObject({ display_name: 'ann' })
})

test('record: an issued token is described with the fields of a caller, without empty ones', () => {
  const answered = { client_token: 'hfs.new', accessor: '', policies: ['default'], metadata: null, lease_duration: 60 }
  const auth = { ...answered, entity_id: '', token_type: 'batch', orphan: false, mfa_requirement: null, num_uses: 0 }
  const recordedAuth = { display_name: 'token-ci', issuedAt: at }
  const { response } = written('response', auditEvent({ reply: { kind: 'data', auth, recordedAuth } }))
  expect(response.auth).toEqual({
    client_token: hash('hfs.new'),
    policies: ['default'],
    token_type: 'batch',
    token_ttl: 60,
    token_issue_time: '2023-11-14T22:13:20.123000000Z',
    display_name: 'token-ci',
  })
})

test('record: verbatim numbers in a response are recorded as numbers', () => {
  const { response } = written(
    'response',
    auditEvent({ reply: { kind: 'data', data: { a: parseVerbatim('[1.50]'), b: 'x' } } }),
  )
  expect(response.data).toEqual({ a: [1.5], b: hash('x') })
})

test('record: no secret value appears in clear at any depth', () => {
  const fields = {
    a: 'hunter2',
    b: { c: ['hunter2', { d: 'hunter2' }] },
    e: secret('hunter2'),
    f: Buffer.from('hunter2'),
  }
  const reply = { kind: 'data', data: fields, auth: { client_token: 'hunter2' } } as const
  const event = auditEvent({ reply, request: { fields, presentedToken: 'hunter2' } })
  expect(JSON.stringify(written('response', event))).not.toContain('hunter2')
})

test('record: keys exempt from hashing are recorded in clear, decided by the innermost key', () => {
  const config = { auditNonHmacRequestKeys: ['name'], auditNonHmacResponseKeys: ['keys'] }
  const fields = { name: 'a', names: { name: ['b'], other: 'c' }, other: { name: { inner: 'd' } } }
  const reply = { kind: 'data', data: { keys: ['x', 'y'], name: 'z' } } as const
  const record = written('response', auditEvent({ reply, config, request: { fields } }))
  expect(record.request.data).toEqual({
    name: 'a',
    names: { name: ['b'], other: hash('c') },
    other: { name: { inner: hash('d') } },
  })
  expect(record.response?.data).toEqual({ keys: ['x', 'y'], name: hash('z') })
})

test('record: log_raw hashes nothing, hmac_accessor=false leaves accessors in clear', () => {
  const event = auditEvent({ request: { fields: { a: 'b' } } })
  expect(written('request', event, { ...usual, logRaw: true })).toMatchObject({
    auth: { client_token: 'hfs.token', accessor: 'accessor-1' },
    request: { data: { a: 'b' }, client_token: 'hfs.token' },
  })
  expect(written('request', event, { ...usual, hmacAccessor: false })).toMatchObject({
    auth: { client_token: hash('hfs.token'), accessor: 'accessor-1' },
    request: { client_token_accessor: 'accessor-1' },
  })
})

test('record: elide_list_responses records the number of keys of lists; other responses are complete', () => {
  const reply = { kind: 'data', data: { keys: ['a', 'b'], key_info: { a: {}, b: {} }, more: 1 } } as const
  const elided = { ...usual, elideListResponses: true }
  const list = written('response', auditEvent({ reply, operation: 'list' }), elided)
  expect(list.response?.data).toEqual({ keys: 2, key_info: 2, more: 1 })
  const read = written('response', auditEvent({ reply, operation: 'read' }), elided)
  expect(read.response?.data).toMatchObject({ keys: [hash('a'), hash('b')] })
})

test('record: only configured headers are recorded, hashed if configured so', () => {
  const headers = new Map([
    ['x-clear', { hmac: false }],
    ['x-hashed', { hmac: true }],
    ['x-absent', { hmac: false }],
  ])
  const sent = { 'x-clear': 'one', 'x-hashed': 'two', cookie: 'three' }
  const record = written('request', auditEvent({ request: { headers: sent } }), usual, headers)
  expect(record.request.headers).toEqual({ 'x-clear': ['one'], 'x-hashed': [hash('two')] })
})

test('record: an error is recorded, with its certificate data in clear', () => {
  const event = auditEvent({ error: 'permission denied', errorData: { common_name: 'web-1' }, caller: anonymous })
  expect(written('response', event)).toMatchObject({
    error: 'permission denied',
    response: { data: { common_name: 'web-1' } },
  })
})

test('record: a document is recorded by type and id, a page by its count, bytes not at all', () => {
  const about = (reply: AuditEvent['reply']) => written('response', auditEvent({ reply })).response?.data
  const ws = (id: string) => ({ type: 'workspaces', id, attributes: { secret: 'hunter2' } })
  expect(about({ kind: 'document', document: { data: ws('ws-1') } })).toEqual({ type: 'workspaces', id: 'ws-1' })
  expect(about({ kind: 'document', document: { data: [ws('ws-1'), ws('ws-2')] } })).toEqual({
    type: 'workspaces',
    count: 2,
  })
  expect(about({ kind: 'bytes', contentType: 'application/gzip', body: Buffer.from('hunter2') })).toBeUndefined()
  expect(about({ kind: 'nothing' })).toBeUndefined()
})

test('record: a limited token has remaining_uses; a root token has no no_default_policy', () => {
  const limited = written('request', auditEvent({ caller: { ...tokenCaller, limitedUses: true, remainingUses: 4 } }))
  expect(limited.auth).toMatchObject({ remaining_uses: 4 })
  const root = written('request', auditEvent({ caller: { ...tokenCaller, root: true, policies: ['root'] } }))
  expect(root.auth).not.toHaveProperty('no_default_policy')
})

test('record: the response repeats the recorded request, with the new caller if it changed', () => {
  const write = createRecordWriter(hash, usual, '1.2.3')
  const line = (type: 'request' | 'response', event: AuditEvent) =>
    parsed(write({ event, headers: noHeaders, ...only(type) }))[0]
  const event = auditEvent({ caller: anonymous, request: { fields: { a: 'b' } } })
  const first = line('request', event)
  expect(line('response', { ...event, reply: { kind: 'nothing' } }).request).toEqual(first.request)
  expect(line('response', { ...event, caller: tokenCaller }).auth).toMatchObject({ display_name: 'ann' })
})

test('record: request and response written together equal those written one by one; the last has the error', () => {
  const event = auditEvent({
    reply: { kind: 'data', data: { a: 'b' } },
    operation: 'read',
    request: { fields: { q: 'x' } },
  })
  const lines = (changes: Partial<AuditEvent>) =>
    parsed(
      createRecordWriter(
        hash,
        usual,
        '1.2.3',
      )({ event: { ...event, ...changes }, headers: noHeaders, requestAt: at, responseAt: at }),
    )
  expect(lines({})).toEqual([written('request', event), written('response', event)])
  const [request, response] = lines({ reply: undefined, error: 'not so' })
  expect(request).toEqual(written('request', event))
  expect(response).toMatchObject({ type: 'response', error: 'not so' })
})

test('record: a user is recorded with the token used in each request', () => {
  const write = createRecordWriter(hash, usual, '1.2.3')
  const caller = {
    kind: 'user',
    id: 'user-1',
    name: 'ann',
    tokenId: '',
    via: 'session',
    organizationId: '',
    siteAdmin: false,
  } as const
  for (const presentedToken of ['one', 'two', 'one']) {
    const [line] = parsed(
      write({ event: auditEvent({ caller, request: { presentedToken } }), headers: noHeaders, ...only('request') }),
    )
    expect(line).toMatchObject({ auth: { client_token: hash(presentedToken), display_name: 'ann' } })
    expect(line.request).toMatchObject({ client_token: hash(presentedToken), client_id: 'user-1' })
  }
})

test('hash: equal texts have equal hashes on one device and different ones on another', () => {
  expect(hash('a')).toMatch(/^hmac-sha256:[0-9a-f]{64}$/)
  expect(hash('a')).toBe(hash('a'))
  expect(hashWith(secret(randomIds.bytes(32)))('a')).not.toBe(hash('a'))
})

test('hash: short texts are hashed once per turn of the event loop, long ones each time', async () => {
  const seen: string[] = []
  const once = memoizePerTurn((text) => {
    seen.push(text)
    return hash(text)
  })
  const long = 'x'.repeat(5000)
  for (const text of ['a', 'b', 'a', long, long]) expect(once(text)).toBe(hash(text))
  expect(seen).toEqual(['a', 'b', long, long])
  await nextTurn()
  once('a')
  expect(seen).toHaveLength(5)
})
