import type { Readable } from 'node:stream'
import { type AuthClient, GoogleAuth, JWT, PassThroughClient } from 'google-auth-library'
import { instant } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import type { GuardedAgents } from '../../../outbound/agents.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { endpointUrl, readServiceKey } from '../configurations/destination-settings.ts'
import { foundNoCredential } from '../schedule/failure-reason.ts'
import {
  type Content,
  type Destination,
  type DestinationDeps,
  metadataOf,
  type PutOptions,
  type StoredObject,
} from './destination-adapter.ts'
import {
  type GcsBucket,
  isSuccess,
  notAStoreFailure,
  objectsUrl,
  sendOnce,
  sendUntilDone,
  uploadInChunks,
  waitForRetry,
} from './gcs-api-adapter.ts'
import { encodePath, keyPrefix } from './object-name.ts'

const pageSize = 1_000

/** Where the library sends signed requests for tokens, whatever address the key names. */
const fixedTokenUrl = 'https://oauth2.googleapis.com/token'

const scopes = ['https://www.googleapis.com/auth/devstorage.read_write']

const text = ({ settings }: Configuration, name: string): string => String(settings[`cloudB_${name}`] ?? '')

/**
 * Snapshots in a bucket of Google Cloud Storage. Requests are made here and not by its own library, which ends the
 * process when the service forgets an upload, when a download is given up between two tries, or when something else
 * answers in its place.
 */
export function gcsDestination(deps: DestinationDeps, configuration: Configuration): Destination {
  const prefix = keyPrefix(configuration.pathPrefix)
  const agents = deps.outbound.agents()
  let opened: Promise<GcsBucket> | undefined
  const open = (): Promise<GcsBucket> => {
    opened ??= openBucket(configuration, agents)
    return opened
  }
  return {
    stage: 'uploading',
    urlOf: (name) => `${baseUrl(configuration)}/${encodePath(`${text(configuration, 'bucket')}/${prefix}${name}`)}`,
    put: async (name, content, options) =>
      put(await open(), `${prefix}${name}`, { content, options, version: deps.settings.version }),
    list: (start, signal) => list(open, prefix, start, signal),
    get: async (name, signal) => download(await open(), `${prefix}${name}`, signal),
    delete: async (name, signal) => remove(await open(), `${prefix}${name}`, signal),
    close: () => agents.destroy(),
  }
}

const baseUrl = (configuration: Configuration): string =>
  endpointUrl(
    text(configuration, 'endpoint') || 'storage.googleapis.com',
    configuration.settings.cloudB_disable_tls === true,
  )

async function openBucket(configuration: Configuration, agents: GuardedAgents): Promise<GcsBucket> {
  const key = readServiceKey(text(configuration, 'service_account_key'))
  const isForTests = text(configuration, 'endpoint') !== '' && configuration.settings.cloudB_disable_tls === true
  const client = typeof key === 'string' ? await ambientClient(isForTests, agents) : keyClient(key, agents)
  return { client, agents, api: baseUrl(configuration), bucket: text(configuration, 'bucket') }
}

/**
 * Without a key the library looks where the provider's tools do: in a file named by the environment, then on the
 * machine. If there is nothing, an endpoint for tests is used without credentials, since emulators need none. A
 * credential that is there and cannot be used is an error, also for tests.
 */
async function ambientClient(isForTests: boolean, agents: GuardedAgents): Promise<AuthClient> {
  // Without a project the library would look one up, and fail if it may not; no request here needs one.
  const auth = new GoogleAuth({ scopes, projectId: 'none' })
  try {
    const client = await auth.getClient()
    return client instanceof JWT ? withTokenServer(client, tokenServer(Object(auth.jsonContent)), agents) : client
  } catch (thrown) {
    if (isForTests && foundNoCredential(thrown)) return new PassThroughClient()
    throw thrown
  }
}

function keyClient(key: Record<string, unknown>, agents: GuardedAgents): JWT {
  const client = new JWT({
    email: String(key.client_email ?? ''),
    key: String(key.private_key ?? ''),
    scopes,
    ...(typeof key.private_key_id === 'string' ? { keyId: key.private_key_id } : {}),
  })
  return withTokenServer(client, tokenServer(key), agents)
}

/** The server that issues tokens for a key of a service account. */
const tokenServer = ({ token_uri: named }: Record<string, unknown>): string =>
  typeof named === 'string' && URL.canParse(named) ? named : fixedTokenUrl

/**
 * The library asks one address for tokens, so its requests are redirected to the one that the key names. Whoever may
 * write a configuration chooses that server, so it is called as the store is.
 */
function withTokenServer(client: JWT, server: string, agents: GuardedAgents): JWT {
  client.additionalClaims = { aud: server }
  client.transporter.interceptors.request.add({
    resolved: async (options) => {
      if (String(options.url) !== fixedTokenUrl) return options
      return Object.assign(options, { url: new URL(server), agent: agents.of })
    },
  })
  return client
}

type Work = { readonly content: Content; readonly options: PutOptions; readonly version: string }

async function put(bucket: GcsBucket, name: string, { content, options, version }: Work): Promise<void> {
  const { signal } = options
  await options.confirm()
  signal.throwIfAborted()
  const bytes = content.open()
  try {
    const object = { name, size: content.summary.size, metadata: metadataOf(content, version) }
    if (await uploadInChunks(bucket, object, bytes, signal)) return
  } finally {
    bytes.destroy()
  }
  await remove(bucket, name, signal)
  throw failure('unavailable', 'snapshot.checksum', 'checksum mismatch: the service has stored something else')
}

const urlOf = (bucket: GcsBucket, name: string): string => `${objectsUrl(bucket)}/${encodeURIComponent(name)}`

async function download(bucket: GcsBucket, name: string, signal: AbortSignal): Promise<Readable> {
  const url = `${urlOf(bucket, name)}?alt=media`
  // Objects must arrive as they are stored, not compressed in transit.
  const headers = { 'Accept-Encoding': 'identity' }
  return (await sendUntilDone(bucket, { url, headers, responseType: 'stream', signal })).data as Readable
}

async function remove(bucket: GcsBucket, name: string, signal: AbortSignal): Promise<void> {
  for (let turn = 0; ; turn++) {
    const answer = await sendOnce(bucket, { method: 'DELETE', url: urlOf(bucket, name), signal })
    if (isSuccess(answer) || answer.status === 404) return
    await waitForRetry(answer, turn, signal)
  }
}

async function* list(
  open: () => Promise<GcsBucket>,
  prefix: string,
  start: string,
  signal: AbortSignal,
): AsyncGenerator<StoredObject> {
  const bucket = await open()
  const query = { prefix: `${prefix}${start}`, delimiter: '/', maxResults: pageSize }
  let pageToken: string | undefined
  do {
    const params = { ...query, ...(pageToken === undefined ? {} : { pageToken }) }
    const { data } = await sendUntilDone(bucket, { url: objectsUrl(bucket), params, signal })
    const { items = [], nextPageToken } = readPage(data)
    for (const { name, size, updated } of items) {
      const modifiedAt = updated === undefined ? undefined : instant(Date.parse(updated))
      yield { name: name.slice(prefix.length), size: Number(size) || 0, modifiedAt }
    }
    pageToken = nextPageToken
  } while (pageToken !== undefined)
}

type ListedObject = { readonly name: string; readonly size?: unknown; readonly updated?: string }
type ListPage = { readonly items?: readonly ListedObject[]; readonly nextPageToken?: string }

/** A page of a list; throws if the answer is not one. */
function readPage(body: unknown): ListPage {
  const { items = [] } = Object(body) as { items?: unknown }
  const isPage = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (isPage && Array.isArray(items) && items.every((item) => typeof item?.name === 'string')) return body as ListPage
  throw notAStoreFailure()
}
