import type { IncomingMessage } from 'node:http'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { gcsFake } from '../../../../test/support/fakes/gcs-fake.ts'
import { serveDuringTest } from '../../../../test/support/fakes/loopback.ts'
import {
  destinationDeps,
  namesIn,
  snapshotConfiguration,
  snapshotContent,
  unwatched,
} from '../../../../test/support/snapshot-content.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { createOutbound, type OutboundSettings } from '../../../outbound/fetch.ts'
import type { Configuration, DestinationSettings, StorageType } from '../configurations/configuration.ts'
import { errorText } from '../schedule/failure-reason.ts'
import { openDestination } from './open-destination-adapter.ts'

const requests: IncomingMessage[] = []
beforeEach(() => {
  requests.length = 0
  // Without a key the library would look for credentials on this machine.
  vi.stubEnv('METADATA_SERVER_DETECTION', 'none')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

/** The address of a server that should not be asked. */
const forbiddenServer = async (): Promise<string> => {
  const url = await serveDuringTest((request, response) => {
    requests.push(request)
    response.writeHead(403).end()
  })
  return new URL(url).host
}

const configured = (type: StorageType, settings: DestinationSettings): Configuration =>
  snapshotConfiguration({ type, pathPrefix: 'p/', settings })

/** Configurations of each kind of store, by the host they name. */
const stores: readonly [StorageType, (host: string) => DestinationSettings][] = [
  [
    'cloudA-store',
    (host) => ({
      cloudA_bucket: 'snaps',
      cloudA_region: 'eu-test-1',
      cloudA_access_key_id: 'AK',
      cloudA_secret_access_key: 'secret',
      cloudA_endpoint: host,
      cloudA_disable_tls: true,
      cloudA_force_path_style: true,
    }),
  ],
  ['cloudB-store', (host) => ({ cloudB_bucket: 'snaps', cloudB_endpoint: host, cloudB_disable_tls: true })],
  [
    'cloudC-store',
    (host) => ({
      cloudC_container_name: 'snaps',
      cloudC_account_name: 'account',
      cloudC_account_key: 'c2VjcmV0',
      cloudC_endpoint: `http://${host}/account`,
    }),
  ],
]

/** Why storing, listing and reading fail, for people. */
async function reasons(configuration: Configuration, guard: Partial<OutboundSettings>): Promise<string[]> {
  const outbound = createOutbound({ clock: systemClock, ...guard })
  const destination = await openDestination({ ...destinationDeps, outbound }, configuration)
  onTestFinished(() => destination.close())
  const { signal } = unwatched()
  const work = [
    () => destination.put('f-1.snap', snapshotContent(100), unwatched()),
    () => namesIn(destination),
    () => destination.get('f-1.snap', signal),
  ]
  return Promise.all(
    work.map((begin) =>
      begin().then(
        () => 'nothing failed',
        (thrown) => errorText(thrown, configuration),
      ),
    ),
  )
}

const quick = { timeout: 3_000 }

test.each(stores)(
  '%s: a denied address of the endpoint is not called, nor tried again',
  quick,
  async (type, settings) => {
    const host = await forbiddenServer()
    const texts = await reasons(configured(type, settings(host)), { deny: ['127.0.0.0/8'] })
    const text =
      'The host 127.0.0.1 is not called: 127.0.0.1 is an address the configuration denies, which outbound.allow can permit.'
    expect(texts).toEqual([text, text, text])
    expect(requests).toEqual([])
  },
)

test.each(stores)('%s: a name that leads to the metadata service is not called', quick, async (type, settings) => {
  const resolver = async () => [{ address: '169.254.169.254', family: 4 }]
  const texts = await reasons(configured(type, settings('store.example:80')), { resolver })
  const text =
    'The host store.example is not called: 169.254.169.254 is a cloud metadata address, which outbound.allow can permit.'
  expect(texts).toEqual([text, text, text])
})

test.each(stores)('%s: server mode calls a store on this machine', quick, async (type, settings) => {
  const host = await forbiddenServer()
  await reasons(configured(type, settings(host)), { denyLoopback: true })
  expect(requests).not.toEqual([])
})

test('cloudB-store: the server of tokens that a key names passes the guard too', quick, async () => {
  const fake = await gcsFake({ bucket: 'snaps' })
  onTestFinished(() => fake.close())
  const key = JSON.parse(fake.serviceKey)
  const configuration = configured('cloudB-store', {
    cloudB_bucket: 'snaps',
    cloudB_endpoint: fake.endpoint,
    cloudB_disable_tls: true,
    cloudB_service_account_key: JSON.stringify({ ...key, token_uri: 'http://169.254.169.254/token' }),
  })
  const [text] = await reasons(configuration, {})
  expect(text).toContain('The host 169.254.169.254 is not called: 169.254.169.254 is a cloud metadata address, ')
  expect(fake.requests).toEqual([])
})
