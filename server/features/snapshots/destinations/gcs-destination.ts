import { type Bucket, type File, IdempotencyStrategy, Storage } from '@google-cloud/storage'
import { type AuthClient, GoogleAuth, JWT, PassThroughClient } from 'google-auth-library'
import { instant } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { readServiceKey } from '../configurations/destination-rules.ts'
import {
  type Content,
  type Destination,
  type DestinationDeps,
  metadataOf,
  orAbort,
  type PutOptions,
  type StoredObject,
} from './destination.ts'
import { endpointUrl } from './endpoint-rules.ts'
import { notAStore, uploadInChunks } from './gcs-upload.ts'
import { encodePath, keyPrefix } from './object-name-rules.ts'

const pageSize = 1_000

/** Where the library sends signed requests for tokens, whatever the key says. */
const fixedTokenUrl = 'https://oauth2.googleapis.com/token'

const scopes = ['https://www.googleapis.com/auth/devstorage.read_write']

const text = ({ settings }: Configuration, name: string): string => String(settings[`cloudB_${name}`] ?? '')

/** Snapshots in a bucket of Google Cloud Storage. */
export function gcsDestination(deps: DestinationDeps, configuration: Configuration): Destination {
  const prefix = keyPrefix(configuration.pathPrefix)
  let opened: Promise<Place> | undefined
  const open = (): Promise<Place> => {
    opened ??= openPlace(configuration)
    return opened
  }
  const file = async (name: string): Promise<File> => (await open()).bucket.file(`${prefix}${name}`)
  return {
    stage: 'uploading',
    urlOf: (name) => `${baseUrl(configuration)}/${text(configuration, 'bucket')}/${encodePath(`${prefix}${name}`)}`,
    put: async (name, content, options) =>
      put(await open(), `${prefix}${name}`, { content, options, version: deps.settings.version }),
    list: (start, signal) => list(open, prefix, start, signal),
    get: async (name, signal) => {
      // What is read is compared with a digest of our own, and must not be unpacked on the way.
      const stream = (await file(name)).createReadStream({ validation: false, decompress: false })
      signal.addEventListener('abort', () => stream.destroy(signal.reason), { once: true })
      return stream
    },
    delete: async (name, signal) => {
      const found = await file(name)
      await orAbort(() => found.delete({ ignoreNotFound: true }), signal)
    },
    close: () => undefined,
  }
}

const baseUrl = (configuration: Configuration): string =>
  endpointUrl(
    text(configuration, 'endpoint') || 'storage.googleapis.com',
    configuration.settings.cloudB_disable_tls === true,
  )

/** A bucket, and who asks for what is in it. */
type Place = { readonly bucket: Bucket; readonly client: AuthClient; readonly api: string }

async function openPlace(configuration: Configuration): Promise<Place> {
  const key = readServiceKey(text(configuration, 'service_account_key'))
  const isCustom = text(configuration, 'endpoint') !== ''
  const isForTests = isCustom && configuration.settings.cloudB_disable_tls === true
  const client = typeof key === 'string' ? await ambientClient(isForTests) : keyClient(key)
  const storage = new Storage({
    authClient: client,
    ...(typeof key !== 'string' && typeof key.project_id === 'string' ? { projectId: key.project_id } : {}),
    ...(isCustom ? { apiEndpoint: baseUrl(configuration), useAuthWithCustomEndpoint: true } : {}),
    retryOptions: {
      autoRetry: true,
      maxRetries: 3,
      retryDelayMultiplier: 2,
      // Names are never reused, so that writing again what may have been written is harmless.
      idempotencyStrategy: IdempotencyStrategy.RetryAlways,
    },
  })
  return { bucket: storage.bucket(text(configuration, 'bucket')), client, api: baseUrl(configuration) }
}

/**
 * Without a key the library looks where the provider's tools do: a file named by the environment, then the machine. Where it
 * finds nothing, an endpoint for tests is used without any: emulators ask for none.
 */
async function ambientClient(isForTests: boolean): Promise<AuthClient> {
  try {
    return await new GoogleAuth({ scopes }).getClient()
  } catch (thrown) {
    if (isForTests) return new PassThroughClient()
    throw thrown
  }
}

/** A key names the server that gives out tokens for it. The library knows only one, so its requests are led there. */
function keyClient(key: Record<string, unknown>): JWT {
  const tokenUri = typeof key.token_uri === 'string' && URL.canParse(key.token_uri) ? key.token_uri : fixedTokenUrl
  const client = new JWT({
    email: String(key.client_email ?? ''),
    key: String(key.private_key ?? ''),
    scopes,
    additionalClaims: { aud: tokenUri },
    ...(typeof key.private_key_id === 'string' ? { keyId: key.private_key_id } : {}),
  })
  client.transporter.interceptors.request.add({
    resolved: async (options) => {
      if (String(options.url) === fixedTokenUrl) options.url = new URL(tokenUri)
      return options
    },
  })
  return client
}

type Work = { readonly content: Content; readonly options: PutOptions; readonly version: string }

async function put({ bucket, client, api }: Place, name: string, work: Work): Promise<void> {
  const { content, options, version } = work
  const { signal } = options
  await options.confirm()
  signal.throwIfAborted()
  const object = { client, api, bucket: bucket.name, name, size: content.summary.size }
  const bytes = content.open()
  try {
    if (await uploadInChunks({ ...object, metadata: metadataOf(content, version) }, bytes, signal)) return
  } finally {
    bytes.destroy()
  }
  await orAbort(() => bucket.file(name).delete({ ignoreNotFound: true }), signal)
  throw failure('unavailable', 'snapshot.checksum', 'checksum mismatch: the service has stored something else')
}

async function* list(
  open: () => Promise<Place>,
  prefix: string,
  start: string,
  signal: AbortSignal,
): AsyncGenerator<StoredObject> {
  const { bucket } = await open()
  const query = { prefix: `${prefix}${start}`, delimiter: '/', maxResults: pageSize }
  let pageToken: string | undefined
  do {
    const qs = { ...query, ...(pageToken === undefined ? {} : { pageToken }) }
    const [body] = await orAbort(() => bucket.request({ uri: '/o', qs }), signal)
    const { items = [], nextPageToken } = readPage(body)
    for (const { name, size, updated } of items) {
      const modifiedAt = updated === undefined ? undefined : instant(Date.parse(updated))
      yield { name: name.slice(prefix.length), size: Number(size) || 0, modifiedAt }
    }
    pageToken = nextPageToken
  } while (pageToken !== undefined)
}

type ListedObject = { readonly name: string; readonly size?: unknown; readonly updated?: string }
type ListPage = { readonly items?: readonly ListedObject[]; readonly nextPageToken?: string }

/** A page of a list. The library has a call for lists, which ends the process when what comes is none. */
function readPage(body: unknown): ListPage {
  const { items = [] } = Object(body) as { items?: unknown }
  const isPage = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (isPage && Array.isArray(items) && items.every((item) => typeof item?.name === 'string')) return body as ListPage
  throw notAStore()
}
