import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenCredential } from '@azure/identity'
import type {
  BlockBlobClient,
  BlockBlobCommitBlockListOptions,
  ContainerClient,
  StorageSharedKeyCredential,
} from '@azure/storage-blob'
import { instant } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import { requirePackages } from '../../../kernel/optional-packages.ts'
import type { GuardedAgents } from '../../../outbound/agents.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { blobHostOf, spellField } from '../configurations/configuration-fields.ts'
import { authModeOf, destinationPackages, endpointUrl } from '../configurations/destination-settings.ts'
import {
  type Content,
  chunksOf,
  type Destination,
  type DestinationDeps,
  metadataOf,
  type PutOptions,
  partBytesFor,
  processInParts,
  type StoredObject,
  withAbort,
} from './destination-adapter.ts'
import { encodePath, keyPrefix } from './object-name.ts'

/** Blocks of one upload that are under way at the same time; each is kept in memory until it is acknowledged. */
const blocksAtOnce = 2

/**
 * Stores bytes in blocks, which stay invisible until the service is told to make a blob of them. It compares each block
 * with the checksum sent along, and discards unused blocks by itself.
 */
async function uploadInBlocks(
  blob: BlockBlobClient,
  bytes: Readable,
  blockBytes: number,
  options: BlockBlobCommitBlockListOptions,
): Promise<void> {
  const ids: string[] = []
  const underWay: Promise<void>[] = []
  for await (const block of chunksOf(bytes, blockBytes)) {
    const id = blockId(ids.length)
    const sent = send(blob, id, block, options)
    // If a block fails before it is awaited, its error is thrown when it is.
    sent.catch(() => undefined)
    ids.push(id)
    underWay.push(sent)
    if (underWay.length === blocksAtOnce) await underWay.shift()
  }
  await Promise.all(underWay)
  await blob.commitBlockList(ids, options)
}

async function send(
  blob: BlockBlobClient,
  id: string,
  block: Buffer,
  { abortSignal }: BlockBlobCommitBlockListOptions,
): Promise<void> {
  const transactionalContentMD5 = await md5Of(block)
  await blob.stageBlock(id, block, block.length, { ...(abortSignal && { abortSignal }), transactionalContentMD5 })
}

/** The only checksum of blocks that both the service and its emulators support. */
async function md5Of(block: Buffer): Promise<Uint8Array> {
  const sum = createHash('md5')
  await processInParts(block, (part) => sum.update(part))
  return sum.digest()
}

/** The names of all blocks of a blob must have the same length. */
const blockId = (index: number): string => Buffer.from(String(index).padStart(6, '0')).toString('base64')

const retryOptions = { maxTries: 4, retryDelayInMs: 500, maxRetryDelayInMs: 10_000, tryTimeoutInMs: 120_000 }

const text = ({ settings }: Configuration, name: string): string => String(settings[`cloudC_${name}`] ?? '')
const spelledField = ({ dialect }: Configuration, name: string): string => spellField(`cloudC_${name}`, dialect)

/** Snapshots in a container of a blob store. */
export function azureDestination(deps: DestinationDeps, configuration: Configuration): Destination {
  const prefix = keyPrefix(configuration.pathPrefix)
  const agents = deps.outbound.agents()
  let opened: Promise<ContainerClient> | undefined
  const container = (): Promise<ContainerClient> => {
    opened ??= openContainer(configuration, agents)
    return opened
  }
  const blob = async (name: string) => (await container()).getBlockBlobClient(`${prefix}${name}`)
  return {
    stage: 'uploading',
    urlOf: (name) => {
      const url = containerUrl(configuration)
      return url === '' ? '' : `${url}/${encodePath(`${prefix}${name}`)}`
    },
    put: async (name, content, options) => put(await blob(name), content, options, deps.settings.version),
    list: (start, signal) => list(container, prefix, start, signal),
    get: async (name, signal) => {
      const found = await (await blob(name)).download(0, undefined, { abortSignal: signal, maxRetryRequests: 3 })
      return found.readableStreamBody as Readable
    },
    delete: async (name, signal) => {
      await (await blob(name)).deleteIfExists({ abortSignal: signal })
    },
    close: () => agents.destroy(),
  }
}

/** What is missing, such as a credential, appears when it is used, so that the status of an attempt shows it. */
async function openContainer(configuration: Configuration, agents: GuardedAgents): Promise<ContainerClient> {
  const url = containerUrl(configuration)
  if (!URL.canParse(url)) {
    const missing = text(configuration, 'account_name') === '' ? 'account_name' : 'blob_environment'
    throw failure('invalid', 'snapshot.no-host', `the host is unknown: check ${spelledField(configuration, missing)}`)
  }
  // The library passes all options on to what makes its requests, although its types do not name this one.
  const options = { retryOptions, agent: agents.of(new URL(url)) }
  requirePackages('stores of this type', destinationPackages['cloudC-store'])
  const library = await import('@azure/storage-blob')
  return new library.ContainerClient(url, await credentialOf(configuration, url), options)
}

async function credentialOf(
  configuration: Configuration,
  url: string,
): Promise<StorageSharedKeyCredential | TokenCredential> {
  const mode = authModeOf(configuration)
  if (mode === 'shared') {
    const account = text(configuration, 'account_name') || accountIn(url)
    const library = await import('@azure/storage-blob')
    return new library.StorageSharedKeyCredential(account, text(configuration, 'account_key'))
  }
  if (mode === undefined) {
    const ways = `${spelledField(configuration, 'account_key')} or ${spelledField(configuration, 'auth_mode')}`
    throw failure('invalid', 'snapshot.no-credential', `no credential is given: set ${ways}`)
  }
  const { EnvironmentCredential, ManagedIdentityCredential } = await import('@azure/identity')
  if (mode === 'environment') return new EnvironmentCredential()
  const clientId = text(configuration, 'client_id')
  return clientId === '' ? new ManagedIdentityCredential() : new ManagedIdentityCredential({ clientId })
}

/** Emulators name the account in the path, the service itself in the host. */
function accountIn(url: string): string {
  const { hostname, pathname } = new URL(url)
  const segments = pathname.split('/').filter((part) => part !== '')
  return segments.length > 1 ? (segments[0] ?? '') : (hostname.split('.')[0] ?? '')
}

function containerUrl(configuration: Configuration): string {
  const endpoint = text(configuration, 'endpoint')
  const host = blobHostOf(text(configuration, 'blob_environment'))
  const account = text(configuration, 'account_name')
  const own = account === '' || host === undefined ? '' : `https://${account}.${host}`
  const base = endpoint === '' ? own : endpointUrl(endpoint, false)
  return base === '' ? '' : `${base}/${encodePath(text(configuration, 'container_name'))}`
}

type Blob = ReturnType<ContainerClient['getBlockBlobClient']>

async function put(blob: Blob, content: Content, { signal, confirm }: PutOptions, version: string): Promise<void> {
  await confirm()
  signal.throwIfAborted()
  await uploadWithRetries(blob, content, signal, version)
  const { contentLength } = await blob.getProperties({ abortSignal: signal })
  if (contentLength === content.summary.size) return
  await blob.deleteIfExists({ abortSignal: signal })
  const sizes = `${contentLength} bytes arrived of ${content.summary.size}`
  throw failure('unavailable', 'snapshot.checksum', `checksum mismatch: ${sizes}`)
}

/** The library retries after the errors it knows; 429 (too many requests) is not among them. */
async function uploadWithRetries(blob: Blob, content: Content, signal: AbortSignal, version: string): Promise<void> {
  for (let turn = 1; ; turn++) {
    try {
      return await upload(blob, content, signal, version)
    } catch (thrown) {
      if (statusOf(thrown) !== 429 || turn === retryOptions.maxTries) throw thrown
    }
    await sleep(retryOptions.retryDelayInMs * 2 ** turn, undefined, { signal })
  }
}

const statusOf = (thrown: unknown): unknown => (thrown as { statusCode?: unknown }).statusCode

async function upload(blob: Blob, content: Content, signal: AbortSignal, version: string): Promise<void> {
  const notes = Object.entries(metadataOf(content, version)).map(([name, value]) => [name.replaceAll('-', '_'), value])
  const bytes = content.open()
  const send = () =>
    uploadInBlocks(blob, bytes, partBytesFor(content.summary.size), {
      abortSignal: signal,
      blobHTTPHeaders: { blobContentType: 'application/gzip' },
      metadata: Object.fromEntries(notes),
      conditions: { ifNoneMatch: '*' },
    })
  try {
    // The signal does not stop a request whose body the service does not read.
    await withAbort(send, signal)
  } finally {
    bytes.destroy()
  }
}

async function* list(
  container: () => Promise<ContainerClient>,
  prefix: string,
  start: string,
  signal: AbortSignal,
): AsyncGenerator<StoredObject> {
  const options = { prefix: `${prefix}${start}`, abortSignal: signal }
  for await (const item of (await container()).listBlobsByHierarchy('/', options)) {
    if (item.kind !== 'blob') continue
    const { contentLength = 0, lastModified } = item.properties
    yield { name: item.name.slice(prefix.length), size: contentLength, modifiedAt: instant(lastModified.getTime()) }
  }
}
