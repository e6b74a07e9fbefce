import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type PutObjectCommandInput,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { type Clock, instant } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { endpointUrl } from '../configurations/destination-settings.ts'
import {
  type Content,
  type Destination,
  type DestinationDeps,
  metadataOf,
  type PutOptions,
  partBytesFor,
  type StoredObject,
} from './destination-adapter.ts'
import { encodePath, keyPrefix } from './object-name.ts'

type Strategy = Extract<NonNullable<S3ClientConfig['retryStrategy']>, { acquireInitialRetryToken: unknown }>
type Token = Awaited<ReturnType<Strategy['acquireInitialRetryToken']>>

/** Counts the first try: three more follow. */
const tries = 4

const firstPause = 500
/** How much longer than planned it waits if the service asks for that. */
const longestExtra = 5_000

const token = (count: number, delay: number): Token => ({
  getRetryCount: () => count,
  getRetryDelay: () => delay,
})

/**
 * Waits 0.5, 1 and 2 seconds, as with the other services; the library would be done with all its tries before a store
 * that restarts answers again.
 */
const s3Retries = (clock: Pick<Clock, 'now'>): Strategy => ({
  acquireInitialRetryToken: async () => token(0, 0),
  refreshRetryTokenForRetry: async (last, { errorType, retryAfterHint }) => {
    const count = last.getRetryCount() + 1
    const isWorthwhile = errorType === 'TRANSIENT' || errorType === 'THROTTLING'
    // What is thrown here is not seen by anybody: the library reports the error of the last try.
    if (!isWorthwhile || count >= tries) throw new Error('no more tries')
    const pause = firstPause * 2 ** (count - 1)
    const asked = retryAfterHint ? retryAfterHint.getTime() - clock.now() : 0
    return token(count, Math.max(pause, Math.min(asked, pause + longestExtra)))
  },
  recordSuccess: () => undefined,
})

/** Parts of one upload that are under way at the same time; each is kept in memory until it is acknowledged. */
const partsAtOnce = 2

type Place = {
  readonly client: S3Client
  readonly configuration: Configuration
  readonly bucket: string
  readonly prefix: string
  readonly version: string
}

const text = ({ settings }: Configuration, name: string): string => String(settings[`cloudA_${name}`] ?? '')
const flag = ({ settings }: Configuration, name: string): boolean => settings[`cloudA_${name}`] === true

/** Snapshots in a bucket of an S3-compatible store. */
export function s3Destination(deps: DestinationDeps, configuration: Configuration): Destination {
  const client = new S3Client(clientSettings(deps, configuration))
  const prefix = keyPrefix(configuration.pathPrefix)
  const bucket = text(configuration, 'bucket')
  const place: Place = { client, configuration, bucket, prefix, version: deps.settings.version }
  const at = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` })
  return {
    stage: 'uploading',
    urlOf: (name) => objectUrl(configuration, `${prefix}${name}`),
    put: (name, content, options) => put(place, at(name), content, options),
    list: (start, signal) => list(place, start, signal),
    get: async (name, signal) => {
      const { Body } = await client.send(new GetObjectCommand(at(name)), { abortSignal: signal })
      return Body as Readable
    },
    delete: (name, signal) => remove(place, at(name), signal),
    close: () => client.destroy(),
  }
}

/** Without a key of its own the client looks where the provider's tools do: environment, files, web identity, metadata. */
function clientSettings({ clock, outbound }: DestinationDeps, configuration: Configuration): S3ClientConfig {
  const plain = flag(configuration, 'disable_tls')
  const endpoint = text(configuration, 'endpoint')
  const accessKeyId = text(configuration, 'access_key_id')
  const secretAccessKey = text(configuration, 'secret_access_key')
  const sessionToken = text(configuration, 'session_token')
  const agents = outbound.agents()
  return {
    region: text(configuration, 'region'),
    forcePathStyle: flag(configuration, 'force_path_style'),
    tls: !plain,
    maxAttempts: tries,
    retryStrategy: s3Retries(clock),
    // Stores that are only compatible often refuse the checksums that are sent by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 10_000,
      socketTimeout: 60_000,
      httpAgent: agents.http,
      httpsAgent: agents.https,
    },
    ...(endpoint === '' ? {} : { endpoint: endpointUrl(endpoint, plain) }),
    ...(accessKeyId === ''
      ? {}
      : { credentials: { accessKeyId, secretAccessKey, ...(sessionToken === '' ? {} : { sessionToken }) } }),
  }
}

type At = { readonly Bucket: string; readonly Key: string }

async function put(place: Place, at: At, content: Content, { signal, confirm }: PutOptions): Promise<void> {
  await confirm()
  const bytes = content.open()
  const params: PutObjectCommandInput = {
    ...at,
    Body: bytes,
    ContentType: 'application/gzip',
    Metadata: metadataOf(content, place.version),
    ...encryptionOf(place.configuration),
  }
  const partSize = partBytesFor(content.summary.size)
  const upload = new Upload({
    client: place.client,
    params,
    partSize,
    queueSize: partsAtOnce,
    leavePartsOnError: false,
  })
  const stop = (): void => void upload.abort()
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    await upload.done()
  } catch (thrown) {
    // The reason of the failure matters more than that the parts could not be removed.
    await giveUp(place, at, upload.uploadId).catch(() => undefined)
    throw thrown
  } finally {
    signal.removeEventListener('abort', stop)
    // A stream that was not read to its end keeps a file open.
    bytes.destroy()
  }
  await compareSize(place, at, content, signal)
}

/**
 * Removes the parts of an upload, which cost money although nobody sees them. The library leaves them behind when they
 * cannot be put together; when an upload is stopped, it waits for the parts under way first. Otherwise they are gone
 * already.
 */
async function giveUp({ client }: Place, at: At, UploadId: string | undefined): Promise<void> {
  if (UploadId === undefined) return
  const abortSignal = AbortSignal.timeout(10_000)
  await client.send(new AbortMultipartUploadCommand({ ...at, UploadId }), { abortSignal })
}

function encryptionOf(configuration: Configuration): Partial<PutObjectCommandInput> {
  if (flag(configuration, 'server_side_encryption')) return { ServerSideEncryption: 'AES256' }
  if (!flag(configuration, 'enable_kms')) return {}
  const key = text(configuration, 'kms_key')
  return { ServerSideEncryption: 'aws:kms', ...(key === '' ? {} : { SSEKMSKeyId: key }) }
}

/** If the credential may only write, the size cannot be checked here. */
async function compareSize(place: Place, at: At, { summary }: Content, signal: AbortSignal): Promise<void> {
  const found = await place.client.send(new HeadObjectCommand(at), { abortSignal: signal }).catch((thrown) => {
    if (statusOf(thrown) === 403) return undefined
    throw thrown
  })
  if (!found || found.ContentLength === summary.size) return
  await remove(place, at, signal)
  const sizes = `${found.ContentLength} bytes arrived of ${summary.size}`
  throw failure('unavailable', 'snapshot.checksum', `checksum mismatch: ${sizes}`)
}

/** Some stores answer 404 for an object that is gone already, for example when the answer to the first try was lost. */
async function remove({ client }: Place, at: At, signal: AbortSignal): Promise<void> {
  await client.send(new DeleteObjectCommand(at), { abortSignal: signal }).catch((thrown) => {
    if ((thrown as Error).name !== 'NoSuchKey') throw thrown
  })
}

const statusOf = (thrown: unknown): number | undefined =>
  (thrown as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode

async function* list(
  { client, bucket, prefix }: Place,
  start: string,
  signal: AbortSignal,
): AsyncGenerator<StoredObject> {
  const input = { Bucket: bucket, Prefix: `${prefix}${start}`, Delimiter: '/' }
  for await (const page of paginateListObjectsV2({ client }, input, { abortSignal: signal })) {
    for (const { Key, Size, LastModified } of page.Contents ?? []) {
      if (Key === undefined) continue
      const modifiedAt = LastModified && instant(LastModified.getTime())
      yield { name: Key.slice(prefix.length), size: Size ?? 0, modifiedAt }
    }
  }
}

function objectUrl(configuration: Configuration, key: string): string {
  const endpoint = text(configuration, 'endpoint') || `s3.${text(configuration, 'region')}.amazonaws.com`
  const url = endpointUrl(endpoint, flag(configuration, 'disable_tls'))
  const bucket = encodePath(text(configuration, 'bucket'))
  if (flag(configuration, 'force_path_style')) return `${url}/${bucket}/${encodePath(key)}`
  return `${url.replace('://', () => `://${bucket}.`)}/${encodePath(key)}`
}
