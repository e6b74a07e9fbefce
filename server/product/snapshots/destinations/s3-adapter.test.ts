import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serveDuringTest } from '../../../../test/support/fakes/loopback.ts'
import { type S3Fake, s3Fake } from '../../../../test/support/fakes/s3-fake.ts'
import { ownFolder } from '../../../../test/support/folders.ts'
import {
  bytesOf,
  destinationDeps,
  namesIn,
  snapshotConfiguration,
  snapshotContent,
  unwatched,
} from '../../../../test/support/snapshot-content.ts'
import type { Configuration, DestinationSettings } from '../configurations/configuration.ts'
import type { Destination } from './destination-adapter.ts'
import { s3Destination } from './s3-adapter.ts'

const megabyte = 1024 * 1024
const identity = { bucket: 'snaps', accessKey: 'AKTEST', secret: 'very/secret+key', region: 'eu-test-1' }

let fake: S3Fake
const opened: Destination[] = []
beforeEach(async () => {
  fake = await s3Fake({ ...identity, pageSize: 3 })
})
afterEach(async () => {
  for (const each of opened.splice(0)) each.close()
  await fake.close()
  vi.unstubAllEnvs()
})

const configured = (settings: DestinationSettings = {}, pathPrefix = '/backups'): Configuration =>
  snapshotConfiguration({
    type: 'cloudA-store',
    pathPrefix,
    settings: {
      ...fake.settings,
      ...settings,
    },
  })

const open = (settings?: DestinationSettings, pathPrefix?: string): Destination => {
  const destination = s3Destination(destinationDeps, configured(settings, pathPrefix))
  opened.push(destination)
  return destination
}

test.each([
  ['one request', 100_000],
  ['parts', 17 * megabyte + 17],
])('S3: a snapshot uploaded in %s is read back unchanged, with its metadata', async (_name, size) => {
  const destination = open()
  const content = snapshotContent(size)
  await destination.put('f-1.snap', content, unwatched())
  const stored = fake.objects.get('backups/f-1.snap')
  expect(stored?.body.equals(content.bytes)).toBe(true)
  expect(stored?.headers).toMatchObject({
    'content-type': 'application/gzip',
    'x-amz-meta-holdfast-sha256': content.summary.sha256,
    'x-amz-meta-holdfast-version': '1.2.3',
    'x-amz-meta-holdfast-cluster-id': 'cluster',
    'x-amz-meta-holdfast-index': '7',
  })
  expect((await bytesOf(await destination.get('f-1.snap', unwatched().signal))).equals(content.bytes)).toBe(true)
  expect(fake.requests.filter(({ operation }) => operation === 'UploadPart')).toHaveLength(size > megabyte ? 3 : 0)
  await destination.delete('f-1.snap', unwatched().signal)
  await destination.delete('f-1.snap', unwatched().signal)
  expect(fake.objects.size).toBe(0)
})

test('S3: list follows pages and returns only objects directly below the prefix, with sizes', async () => {
  const destination = open()
  for (let number = 0; number < 8; number++)
    await destination.put(`f-${number}`, snapshotContent(number + 1), unwatched())
  for (const key of ['backups/f-9/deep', 'backups/g-1', 'backups2/f-1', 'f-1']) {
    fake.objects.set(key, { body: Buffer.alloc(1), headers: {} })
  }
  expect(await namesIn(destination)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((number) => `f-${number}`))
  expect(fake.requests.filter(({ operation }) => operation === 'ListObjectsV2')).toHaveLength(3)
})

test.each<[string, DestinationSettings, Record<string, string | undefined>]>([
  ['AES256', { cloudA_server_side_encryption: true }, { 'x-amz-server-side-encryption': 'AES256' }],
  [
    'KMS with a key',
    { cloudA_enable_kms: true, cloudA_kms_key: 'alias/k' },
    { 'x-amz-server-side-encryption': 'aws:kms', 'x-amz-server-side-encryption-aws-kms-key-id': 'alias/k' },
  ],
  [
    'KMS without a key',
    { cloudA_enable_kms: true },
    { 'x-amz-server-side-encryption': 'aws:kms', 'x-amz-server-side-encryption-aws-kms-key-id': undefined },
  ],
  ['a KMS key without enable_kms', { cloudA_kms_key: 'k' }, { 'x-amz-server-side-encryption': undefined }],
])('S3: server-side encryption headers for %s', async (_name, settings, headers) => {
  for (const size of [10, 9 * megabyte]) {
    await open(settings).put('f-1', snapshotContent(size), unwatched())
    const sent = fake.objects.get('backups/f-1')?.headers ?? {}
    for (const [name, value] of Object.entries(headers)) expect(sent[name]).toBe(value)
  }
})

test('S3: object URLs follow the prefix, the endpoint and the path style', () => {
  const url = (settings: DestinationSettings, prefix: string) => open(settings, prefix).urlOf('f-1.snap')
  const host = fake.endpoint
  expect(url({}, '/a b/')).toBe(`http://${host}/snaps/a%20b/f-1.snap`)
  expect(url({}, '/')).toBe(`http://${host}/snaps/f-1.snap`)
  expect(url({ cloudA_bucket: 'ü?a=b#c' }, '/')).toBe(`http://${host}/%C3%BC%3Fa%3Db%23c/f-1.snap`)
  expect(url({ cloudA_force_path_style: false }, 'p')).toBe(`http://snaps.${host}/p/f-1.snap`)
  const plain = { cloudA_endpoint: '', cloudA_disable_tls: false }
  expect(url(plain, 'p')).toBe('https://s3.eu-test-1.amazonaws.com/snaps/p/f-1.snap')
  expect(url({ ...plain, cloudA_force_path_style: false }, 'p')).toBe(
    'https://snaps.s3.eu-test-1.amazonaws.com/p/f-1.snap',
  )
  expect(url({ cloudA_endpoint: 'https://h:1/base/', cloudA_disable_tls: false }, 'p')).toBe(
    'https://h:1/base/snaps/p/f-1.snap',
  )
})

test('S3: the session token is sent; an expired one is reported as ExpiredToken', async () => {
  await fake.close()
  fake = await s3Fake({ ...identity, sessionToken: 'session' })
  await open({ cloudA_session_token: 'session' }).put('f-1', snapshotContent(5), unwatched())
  expect(fake.objects.size).toBe(1)
  await expect(open({ cloudA_session_token: 'old' }).put('f-2', snapshotContent(5), unwatched())).rejects.toThrow(
    'ExpiredToken',
  )
})

test('S3: a wrong secret is SignatureDoesNotMatch, an unknown key InvalidAccessKeyId', async () => {
  const wrong = open({ cloudA_secret_access_key: 'wrong' })
  await expect(wrong.put('f-1', snapshotContent(5), unwatched())).rejects.toThrow('SignatureDoesNotMatch')
  const unknown = open({ cloudA_access_key_id: 'AKOTHER' })
  await expect(unknown.put('f-1', snapshotContent(5), unwatched())).rejects.toThrow('InvalidAccessKeyId')
})

const ambient = { cloudA_access_key_id: '', cloudA_secret_access_key: '' }

test('S3: without a key the credentials of the environment are used', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', identity.accessKey)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', identity.secret)
  await open(ambient).put('f-1', snapshotContent(5), unwatched())
  expect(fake.objects.size).toBe(1)
})

test('S3: without a key, a web identity token is exchanged for one', async () => {
  const directory = ownFolder()
  const asked: string[] = []
  const xml =
    '<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>' +
    `<AccessKeyId>${identity.accessKey}</AccessKeyId><SecretAccessKey>${identity.secret}</SecretAccessKey>` +
    '<SessionToken>from-sts</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>' +
    '</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>'
  const sts = await serveDuringTest(async (incoming, outgoing) => {
    asked.push((await bytesOf(incoming)).toString())
    outgoing.end(xml)
  })
  await writeFile(join(directory, 'token'), 'the-web-token')
  vi.stubEnv('AWS_ACCESS_KEY_ID', '')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', '')
  vi.stubEnv('AWS_CONFIG_FILE', join(directory, 'none'))
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(directory, 'none'))
  vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', join(directory, 'token'))
  vi.stubEnv('AWS_ROLE_ARN', 'arn:aws:iam::1:role/r')
  vi.stubEnv('AWS_ENDPOINT_URL_STS', sts)
  await fake.close()
  fake = await s3Fake({ ...identity, sessionToken: 'from-sts' })
  await open(ambient).put('f-1', snapshotContent(5), unwatched())
  expect(fake.objects.size).toBe(1)
  expect(asked[0]).toContain('WebIdentityToken=the-web-token')
})

test.each([
  ['500', { status: 500, code: 'InternalError' }],
  ['429', { status: 429, code: 'TooManyRequests' }],
  ['503', { status: 503, code: 'SlowDown' }],
  ['a reset', 'reset' as const],
])('S3: %s during a part upload is retried', async (_name, fault) => {
  let left = 2
  fake.fault = ({ operation }) => (operation === 'UploadPart' && left-- > 0 ? fault : undefined)
  const content = snapshotContent(9 * megabyte)
  await open().put('f-1', content, unwatched())
  expect(fake.objects.get('backups/f-1')?.body.equals(content.bytes)).toBe(true)
  expect(fake.openUploads()).toEqual([])
})

test('S3: an outage of two seconds does not fail an upload', async () => {
  const end = performance.now() + 2_000
  fake.fault = () => (performance.now() < end ? { status: 503, code: 'ServiceUnavailable' } : undefined)
  await open().put('f-1', snapshotContent(100_000), unwatched())
  expect(fake.objects.has('backups/f-1')).toBe(true)
  expect(fake.requests.filter(({ operation }) => operation === 'PutObject').length).toBe(4)
})

test.each([
  ['403', { status: 403, code: 'AccessDenied' }],
  ['404', { status: 404, code: 'NoSuchBucket' }],
])('S3: %s fails the upload without retries and leaves no parts behind', async (_name, fault) => {
  fake.fault = ({ operation }) => (operation === 'UploadPart' ? fault : undefined)
  await expect(open().put('f-1', snapshotContent(9 * megabyte), unwatched())).rejects.toThrow(fault.code)
  expect(fake.requests.filter(({ operation }) => operation === 'UploadPart').length).toBeLessThanOrEqual(2)
  expect(fake.objects.size).toBe(0)
  await expect.poll(() => fake.openUploads()).toEqual([])
})

test('S3: when completing a multipart upload fails, no parts are left and the reason is reported', async () => {
  fake.fault = ({ operation }) =>
    operation === 'CompleteMultipartUpload' ? { status: 403, code: 'AccessDenied' } : undefined
  await expect(open().put('f-1', snapshotContent(9 * megabyte), unwatched())).rejects.toThrow('AccessDenied')
  expect(fake.objects.size).toBe(0)
  expect(fake.openUploads()).toEqual([])
})

test('S3: RequestTimeTooSkewed is reported in the words of the service', async () => {
  fake.fault = ({ operation }) =>
    operation === 'PutObject' ? { status: 403, code: 'RequestTimeTooSkewed' } : undefined
  await expect(open().put('f-1', snapshotContent(1000), unwatched())).rejects.toThrow('RequestTimeTooSkewed')
  expect(fake.objects.size).toBe(0)
})

test('S3: an upload succeeds if its first part is answered after later ones', async () => {
  const thirdPart = Promise.withResolvers<undefined>()
  let parts = 0
  fake.fault = ({ operation }) => {
    if (operation !== 'UploadPart') return undefined
    parts++
    if (parts === 3) thirdPart.resolve(undefined)
    return parts === 1 ? thirdPart.promise : undefined
  }
  const content = snapshotContent(17 * megabyte)
  await open().put('f-1', content, unwatched())
  expect(parts).toBe(3)
  expect(fake.objects.get('backups/f-1')?.body.equals(content.bytes)).toBe(true)
})

test('S3: an upload aborted while the service is silent rejects and leaves no parts behind', async () => {
  const stop = new AbortController()
  fake.fault = ({ operation }) => {
    if (operation !== 'UploadPart') return undefined
    setImmediate(() => stop.abort(new Error('enough')))
    return 'silence'
  }
  const put = open().put('f-1', snapshotContent(9 * megabyte), { ...unwatched(), signal: stop.signal })
  await expect(put).rejects.toThrow()
  expect(fake.objects.size).toBe(0)
  await expect.poll(() => fake.openUploads()).toEqual([])
})

test('S3: an aborted upload closes the stream it was reading', async () => {
  const stop = new AbortController()
  fake.fault = ({ operation }) => {
    if (operation !== 'UploadPart') return undefined
    setImmediate(() => stop.abort(new Error('enough')))
    return 'silence'
  }
  const content = snapshotContent(40 * megabyte)
  const bytes = content.open()
  const put = open().put('f-1', { ...content, open: () => bytes }, { ...unwatched(), signal: stop.signal })
  await expect(put).rejects.toThrow()
  expect(bytes.destroyed).toBe(true)
})

test.each([
  ['an object', 'PutObject', 1000],
  ['parts', 'UploadPart', 9 * megabyte],
])('S3: %s corrupted in transit are refused by the service and not stored', async (_what, step, size) => {
  fake.fault = ({ operation }) => (operation === step ? 'garble' : undefined)
  await expect(open().put('f-1', snapshotContent(size), unwatched())).rejects.toThrow('XAmzContentSHA256Mismatch')
  expect(fake.objects.size).toBe(0)
  await expect.poll(() => fake.openUploads()).toEqual([])
})

test('S3: an object that arrived with another size is removed and refused', async () => {
  const destination = open()
  const content = snapshotContent(1000)
  const lying = { ...content, summary: { ...content.summary, size: 2000 } }
  await expect(destination.put('f-1', lying, unwatched())).rejects.toThrow(
    'checksum mismatch: 1000 bytes arrived of 2000',
  )
  expect(fake.objects.size).toBe(0)
})

test('S3: a credential that may write but not read the object is enough', async () => {
  fake.fault = ({ operation }) => (operation === 'HeadObject' ? { status: 403, code: 'AccessDenied' } : undefined)
  await open().put('f-1', snapshotContent(1000), unwatched())
  expect(fake.objects.size).toBe(1)
})

test('S3: an object that is gone already counts as deleted, a bucket that is gone does not', async () => {
  fake.fault = ({ operation }) => (operation === 'DeleteObject' ? { status: 404, code: 'NoSuchKey' } : undefined)
  await expect(open().delete('f-1', unwatched().signal)).resolves.toBeUndefined()
  fake.fault = ({ operation }) => (operation === 'DeleteObject' ? { status: 404, code: 'NoSuchBucket' } : undefined)
  await expect(open().delete('f-1', unwatched().signal)).rejects.toThrow('NoSuchBucket')
})
