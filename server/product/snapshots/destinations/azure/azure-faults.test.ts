import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Azurite, startAzurite } from '../../../../../test/support/fakes/azurite.ts'
import {
  type FaultProxy,
  faultProxy,
  type ProxyFault,
  type ProxyRequest,
} from '../../../../../test/support/fakes/fault-proxy.ts'
import {
  bytesOf,
  destinationDeps,
  namesIn,
  snapshotConfiguration,
  snapshotContent,
  unwatched,
} from '../../../../../test/support/snapshot-content.ts'
import { azureDestination } from '../azure-adapter.ts'
import type { Destination } from '../destination-adapter.ts'

const size = 17 * 1024 * 1024
let azurite: Azurite
let proxy: FaultProxy
beforeAll(async () => {
  azurite = await startAzurite()
  await azurite.makeContainer('snaps')
})
afterAll(() => azurite.close())
beforeEach(async () => {
  proxy = await faultProxy(Number(new URL(azurite.endpoint).port))
})
afterEach(async () => {
  await proxy.close()
  const direct = open(azurite.endpoint)
  for (const name of await namesIn(direct)) await direct.delete(name, unwatched().signal)
})

const open = (endpoint = `${proxy.url}/${azurite.account}`): Destination =>
  azureDestination(
    destinationDeps,
    snapshotConfiguration({
      type: 'cloudC-store',
      pathPrefix: 'p/',
      settings: {
        cloudC_container_name: 'snaps',
        cloudC_account_name: azurite.account,
        cloudC_account_key: azurite.key,
        cloudC_endpoint: endpoint,
      },
    }),
  )

const isBlock = ({ url }: ProxyRequest): boolean => url.includes('comp=block&') || url.endsWith('comp=block')
const isCommit = ({ url }: ProxyRequest): boolean => url.includes('comp=blocklist')

test.each<[string, ProxyFault]>([
  ['500', { status: 500, code: 'InternalError' }],
  ['503', { status: 503, code: 'ServerBusy' }],
  ['429', { status: 429, code: 'TooManyRequests' }],
  ['a reset', 'reset'],
])('Azure: %s during a block upload is retried', async (_name, fault) => {
  let left = 1
  proxy.fault = (each) => (isBlock(each) && left-- > 0 ? fault : undefined)
  const content = snapshotContent(size)
  await open().put('f-1.snap', content, unwatched())
  const stored = await bytesOf(await open().get('f-1.snap', unwatched().signal))
  expect(stored.equals(content.bytes)).toBe(true)
  expect(left).toBeLessThan(1)
})

test.each<[string, (each: ProxyRequest) => boolean, { status: number; code: string }]>([
  ['403 for a block', isBlock, { status: 403, code: 'AuthorizationFailure' }],
  ['404 for a block', isBlock, { status: 404, code: 'ContainerNotFound' }],
  ['403 for the last step', isCommit, { status: 403, code: 'AuthorizationFailure' }],
])('Azure: %s fails the upload and leaves no blob behind', async (_name, where, fault) => {
  proxy.fault = (each) => (where(each) ? fault : undefined)
  const put = open().put('f-1.snap', snapshotContent(size), unwatched())
  await expect(put).rejects.toMatchObject({ statusCode: fault.status, code: fault.code })
  expect(await namesIn(open(azurite.endpoint))).toEqual([])
})

test('Azure: a block corrupted in transit is refused with Md5Mismatch and leaves no blob behind', async () => {
  let blocks = 0
  proxy.fault = (each) => (isBlock(each) && ++blocks === 2 ? 'corrupt' : undefined)
  const put = open().put('f-1.snap', snapshotContent(size), unwatched())
  await expect(put).rejects.toMatchObject({ statusCode: 400, code: 'Md5Mismatch' })
  expect(await namesIn(open(azurite.endpoint))).toEqual([])
})

test('Azure: an upload aborted while the service is silent rejects and leaves no blob behind', async () => {
  const stop = new AbortController()
  proxy.fault = (each) => {
    if (!isBlock(each)) return undefined
    setImmediate(() => stop.abort(new Error('enough')))
    return 'silence'
  }
  const put = open().put('f-1.snap', snapshotContent(size), { ...unwatched(), signal: stop.signal })
  await expect(put).rejects.toThrow()
  expect(await namesIn(open(azurite.endpoint))).toEqual([])
})
