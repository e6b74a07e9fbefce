import { pipeline } from 'node:stream/promises'
import { type Bucket, type File, IdempotencyStrategy, Storage } from '@google-cloud/storage'
import { type AuthClient, GoogleAuth, JWT, PassThroughClient } from 'google-auth-library'
import { instant } from '../../../kernel/clock.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { readServiceKey } from '../configurations/destination-rules.ts'
import {
  type Content,
  type Destination,
  type DestinationDeps,
  metadataOf,
  orAbort,
  type PutOptions,
  partBytesFor,
  type StoredObject,
} from './destination.ts'
import { endpointUrl } from './endpoint-rules.ts'
import { encodePath, keyPrefix } from './object-name-rules.ts'

const pageSize = 1_000

/** Where the library sends signed requests for tokens, whatever the key says. */
const fixedTokenUrl = 'https://oauth2.googleapis.com/token'

const scopes = ['https://www.googleapis.com/auth/devstorage.read_write']

const text = ({ settings }: Configuration, name: string): string => String(settings[`cloudB_${name}`] ?? '')

/** Snapshots in a bucket of Google Cloud Storage. */
export function gcsDestination(deps: DestinationDeps, configuration: Configuration): Destination {
  const prefix = keyPrefix(configuration.pathPrefix)
  let opened: Promise<Bucket> | undefined
  const open = (): Promise<Bucket> => {
    opened ??= openBucket(configuration)
    return opened
  }
  const file = async (name: string): Promise<File> => (await open()).file(`${prefix}${name}`)
  return {
    stage: 'uploading',
    urlOf: (name) => `${baseUrl(configuration)}/${text(configuration, 'bucket')}/${encodePath(`${prefix}${name}`)}`,
    put: async (name, content, options) => put(await file(name), content, options, deps.settings.version),
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

async function openBucket(configuration: Configuration): Promise<Bucket> {
  const key = readServiceKey(text(configuration, 'service_account_key'))
  const isCustom = text(configuration, 'endpoint') !== ''
  const isForTests = isCustom && configuration.settings.cloudB_disable_tls === true
  const storage = new Storage({
    authClient: typeof key === 'string' ? await ambientClient(isForTests) : keyClient(key),
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
  // Resumable uploads of this library send the token to hosts of its own universe only; the endpoint is meant to be one.
  if (isCustom) storage.universeDomain = new URL(baseUrl(configuration)).hostname
  return storage.bucket(text(configuration, 'bucket'))
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

async function put(file: File, content: Content, { signal, confirm }: PutOptions, version: string): Promise<void> {
  await confirm()
  signal.throwIfAborted()
  const upload = file.createWriteStream({
    resumable: true,
    chunkSize: partBytesFor(content.summary.size),
    validation: 'crc32c',
    metadata: { contentType: 'application/gzip', metadata: metadataOf(content, version) },
    preconditionOpts: { ifGenerationMatch: 0 },
  })
  await pipeline(content.open(), upload, { signal })
}

async function* list(
  open: () => Promise<Bucket>,
  prefix: string,
  start: string,
  signal: AbortSignal,
): AsyncGenerator<StoredObject> {
  const bucket = await open()
  const query = { prefix: `${prefix}${start}`, delimiter: '/', autoPaginate: false, maxResults: pageSize }
  let pageToken: string | undefined
  do {
    const page = { ...query, ...(pageToken === undefined ? {} : { pageToken }) }
    const [files, next] = await orAbort(() => bucket.getFiles(page), signal)
    for (const { name, metadata } of files) {
      const modifiedAt = metadata.updated === undefined ? undefined : instant(Date.parse(metadata.updated))
      yield { name: name.slice(prefix.length), size: Number(metadata.size ?? 0), modifiedAt }
    }
    pageToken = (next as { pageToken?: string } | null)?.pageToken
  } while (pageToken !== undefined)
}
