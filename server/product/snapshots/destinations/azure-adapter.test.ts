import { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Azurite, startAzurite } from '../../../../test/support/fakes/azurite.ts'
import { serveDuringTest } from '../../../../test/support/fakes/loopback.ts'
import {
  bytesOf,
  destinationDeps,
  namesIn,
  snapshotConfiguration,
  snapshotContent,
  unwatched,
} from '../../../../test/support/snapshot-content.ts'
import type { DestinationSettings, Dialect } from '../configurations/configuration.ts'
import { azureDestination } from './azure-adapter.ts'
import type { Destination } from './destination-adapter.ts'

const megabyte = 1024 * 1024
let azurite: Azurite
let container: ContainerClient
beforeAll(async () => {
  azurite = await startAzurite()
  const credential = new StorageSharedKeyCredential(azurite.account, azurite.key)
  container = new ContainerClient(`${azurite.endpoint}/snaps`, credential)
  await container.create()
})
afterAll(() => azurite.close())
afterEach(async () => {
  vi.unstubAllEnvs()
  for await (const { name } of container.listBlobsFlat()) await container.deleteBlob(name)
})

const open = (settings: DestinationSettings = {}, pathPrefix = 'backups/', dialect: Dialect = 'own'): Destination =>
  azureDestination(
    destinationDeps,
    snapshotConfiguration({
      type: 'cloudC-store',
      pathPrefix,
      dialect,
      settings: {
        cloudC_container_name: 'snaps',
        cloudC_account_name: azurite.account,
        cloudC_account_key: azurite.key,
        cloudC_endpoint: azurite.endpoint,
        ...settings,
      },
    }),
  )

test.each([
  ['one request', 100_000],
  ['blocks', 17 * megabyte + 17],
])('Azure: a snapshot uploaded in %s is read back unchanged, with its metadata', async (_name, size) => {
  const destination = open()
  const content = snapshotContent(size)
  await destination.put('f-1.snap', content, unwatched())
  expect((await bytesOf(await destination.get('f-1.snap', unwatched().signal))).equals(content.bytes)).toBe(true)
  const { metadata, contentType } = await container.getBlobClient('backups/f-1.snap').getProperties()
  expect(metadata).toMatchObject({ holdfast_sha256: content.summary.sha256, holdfast_index: '7' })
  expect(contentType).toBe('application/gzip')
  await destination.delete('f-1.snap', unwatched().signal)
  await destination.delete('f-1.snap', unwatched().signal)
  expect(await namesIn(destination)).toEqual([])
})

test('Azure: list returns only blobs directly below the prefix, with sizes', async () => {
  for (const name of ['backups/f-1', 'backups/f-2', 'backups/f-3/deep', 'backups/g-1', 'f-4']) {
    await container.getBlockBlobClient(name).upload('xx', 2)
  }
  expect(await namesIn(open())).toEqual(['f-1', 'f-2'])
  expect(await namesIn(open({}, '/'))).toEqual(['f-4'])
  expect(await namesIn(open({}, 'backups', 'vendor'))).toEqual(['f-1', 'f-2'])
})

test('Azure: put never overwrites an existing blob', async () => {
  await open().put('f-1', snapshotContent(10), unwatched())
  await expect(open().put('f-1', snapshotContent(10), unwatched())).rejects.toThrow(/already exists|BlobAlreadyExists/)
})

test('Azure: a wrong key is 403; without an account name it is taken from the endpoint', async () => {
  const wrong = open({ cloudC_account_key: Buffer.from('wrong').toString('base64') })
  await expect(wrong.put('f-1', snapshotContent(10), unwatched())).rejects.toMatchObject({ statusCode: 403 })
  await open({ cloudC_account_name: '' }).put('f-1', snapshotContent(10), unwatched())
  expect(await namesIn(open())).toEqual(['f-1'])
})

test('Azure: a missing container is reported as ContainerNotFound', async () => {
  const put = open({ cloudC_container_name: 'other' }).put('f-1', snapshotContent(10), unwatched())
  await expect(put).rejects.toMatchObject({ statusCode: 404, code: 'ContainerNotFound' })
})

test('Azure: a missing credential or account is reported with the field to set when it is used', async () => {
  const bare = open({ cloudC_account_key: '' })
  await expect(bare.put('f-1', snapshotContent(1), unwatched())).rejects.toThrow(
    'no credential is given: set cloudC_account_key or cloudC_auth_mode',
  )
  const nowhere = open({ cloudC_account_name: '', cloudC_endpoint: '' })
  expect(nowhere.urlOf('f-1')).toBe('')
  await expect(nowhere.put('f-1', snapshotContent(1), unwatched())).rejects.toThrow('check cloudC_account_name')
})

test('Azure: an aborted upload rejects and leaves no blob behind', async () => {
  const stop = new AbortController()
  const content = snapshotContent(17 * megabyte)
  const put = open().put('f-1', content, {
    signal: stop.signal,
    confirm: async () => void setTimeout(() => stop.abort(new Error('enough')), 5),
  })
  await expect(put).rejects.toThrow()
  expect(await namesIn(open())).toEqual([])
})

test('Azure: managed identity asks the metadata endpoint for a token, with the client id if one is set', async () => {
  const asked: string[] = []
  const identity = await serveDuringTest((incoming, outgoing) => {
    asked.push(incoming.url ?? '')
    outgoing.writeHead(400, { 'content-type': 'application/json' })
    outgoing.end('{"error":"invalid_request"}')
  })
  vi.stubEnv('IDENTITY_ENDPOINT', `${identity}/token`)
  vi.stubEnv('IDENTITY_HEADER', 'secret-of-the-machine')
  const settings = { cloudC_account_key: '', cloudC_auth_mode: 'managed', cloudC_endpoint: 'https://127.0.0.1:1' }
  await expect(
    open({ ...settings, cloudC_client_id: 'the-identity' }).put('f-1', snapshotContent(1), unwatched()),
  ).rejects.toThrow()
  expect(asked[0]).toContain('client_id=the-identity')
  expect(asked[0]).toContain('resource=https%3A%2F%2Fstorage.azure.com')
  await expect(open(settings).put('f-1', snapshotContent(1), unwatched())).rejects.toThrow()
  expect(asked.at(-1)).not.toContain('client_id')
})

test.each([
  ['', 'blob.core.windows.net'],
  ['azureusgovernmentcloud', 'blob.core.usgovcloudapi.net'],
  ['AZURECHINACLOUD', 'blob.core.chinacloudapi.cn'],
])('Azure: the environment %j uses the host %s', (environment, host) => {
  const settings = { cloudC_endpoint: '', cloudC_account_name: 'acc', cloudC_blob_environment: environment }
  expect(open(settings, '/a b/').urlOf('f-1.snap')).toBe(`https://acc.${host}/snaps/a%20b/f-1.snap`)
})

test('Azure: a container name with a query in it stays a name', () => {
  const settings = { cloudC_container_name: 'snaps?sv=1&sig=secret', cloudC_endpoint: 'https://acc.example.com' }
  expect(open(settings, '/').urlOf('f-1.snap')).toBe('https://acc.example.com/snaps%3Fsv%3D1%26sig%3Dsecret/f-1.snap')
})
