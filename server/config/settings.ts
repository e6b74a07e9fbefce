import { bytes, choice, listOf, milliseconds, onOff, path, seconds, secretText, text, wholeNumber } from './kinds.ts'
import { address, addressOrOff, addressRange, storageTarget, webAddress } from './network-kinds.ts'
import { releaseVersion, workerCount } from './number-kinds.ts'
import { optional, type SettingTree, setting } from './setting.ts'

/** How a listener treats its callers; the main listeners and every further one have these settings. */
const listenerManners = {
  clientCertificate: setting(choice('request', 'off'), {
    default: 'request',
    about: 'Whether TLS clients are asked for a certificate. It is never demanded; switch it off for browsers.',
  }),
  trustedProxies: setting(listOf(addressRange), {
    default: 'none',
    about: 'Addresses of proxies whose `X-Forwarded-For` header names the real client.',
  }),
  forwardedClientCertificate: setting(choice('off', 'rfc9440'), {
    default: 'off',
    about: 'Whether trusted proxies may hand on the client certificate in `Client-Cert` headers (RFC 9440).',
  }),
  requireRequestHeader: setting(onOff, {
    default: 'off',
    about: 'Refuses `/v1` requests without the request header, which forged cross-site requests cannot carry.',
  }),
}

/** The settings of one entry of `listeners`. */
export const listenerSettings = {
  address: optional(address, { about: 'Where it listens.', otherwise: 'needed' }),
  tls: setting(onOff, { default: 'on', about: 'HTTPS with the certificate of `tls`, or plain HTTP.' }),
  ...listenerManners,
} satisfies SettingTree

/** Every setting of the server. Documentation, `config check` and `--help` are made from this list. */
export const settings = {
  dataDir: setting(path, {
    default: { dev: './data', server: '/var/lib/holdfast' },
    about: 'Directory of the database, the seal key and the TLS files of dev mode. Kept at mode 0700, files at 0600.',
  }),
  listen: setting(addressOrOff, {
    default: { dev: '127.0.0.1:8200', server: '0.0.0.0:8200' },
    about: 'The HTTPS listener: both APIs and the web UI.',
  }),
  httpListen: setting(addressOrOff, {
    default: { dev: '127.0.0.1:8201', server: 'off' },
    about:
      'The plain HTTP listener. Only loopback, unless `trusted_proxies` names a proxy that ends TLS in front of it.',
  }),
  ...listenerManners,
  baseUrl: optional(webAddress, {
    about: 'The address clients reach the server under; used in links and signed URLs.',
    otherwise: 'taken from the listener',
  }),
  workers: setting(workerCount, {
    default: '1',
    about: 'Processes that share the port; `auto` starts one per core.',
  }),
  tls: {
    certFile: optional(path, {
      about: 'PEM file with the server certificate and its intermediates. Read again on SIGHUP.',
      otherwise: 'made by dev mode; needed in server mode',
    }),
    keyFile: optional(path, {
      about: 'PEM file with the private key of the certificate.',
      otherwise: 'made by dev mode; needed in server mode',
    }),
    minVersion: setting(choice('1.2', '1.3'), { default: '1.2', about: 'The oldest TLS version that is spoken.' }),
  },
  storage: optional(storageTarget, {
    about: '`sqlite:FILE`, or `postgres://…` with one or several hosts.',
    otherwise: '`holdfast.db` in the data directory',
  }),
  seal: {
    type: setting(choice('auto', 'shamir'), {
      default: 'auto',
      about: '`auto` opens the store by itself with the root key; `shamir` waits for people with key shares.',
    }),
    keyFile: optional(path, {
      about: 'File with the root key of the auto seal. Back it up: without it the sealed data is lost.',
      otherwise: '`seal.key` in the data directory',
    }),
    keyCommand: optional(text, {
      about: 'Command that prints the root key (base64 or hex), for example a call to a key service.',
      otherwise: 'not used',
    }),
    key: optional(secretText, {
      about: 'The root key itself: 32 bytes in base64 or hex.',
      otherwise: 'not used',
      sources: ['environment'],
    }),
  },
  rootToken: optional(secretText, {
    about: 'Fixes the first root token.',
    otherwise: 'a random token, kept in the data directory',
    sources: ['environment', 'flag'],
    only: 'dev',
  }),
  edition: setting(choice('self-hosted', 'hosted'), {
    default: 'self-hosted',
    about: 'The edition whose rules hold under `/api/v2`.',
  }),
  license: setting(choice('enterprise', 'community'), {
    default: 'enterprise',
    about: '`community` closes the endpoints that need a licence.',
  }),
  compatVersion: optional(releaseVersion, {
    about: 'The version told to clients of `/v1` that switch features by it.',
    otherwise: '`1.21.0+ent`, or `1.21.0` with the community licence',
  }),
  defaultLeaseTtl: setting(seconds, { default: '768h', about: 'Life of a token when nothing else says so.' }),
  maxLeaseTtl: setting(seconds, { default: '768h', about: 'The longest life a token can be renewed to.' }),
  apiRateLimit: setting(wholeNumber(0), {
    default: { dev: '0', server: '30' },
    about: 'Requests per second and caller under `/api/v2`, counted by each process; 0 switches the limit off.',
  }),
  stateSnapshotInterval: setting(wholeNumber(0), {
    default: '20',
    about: 'Seconds after which a long apply sends an intermediate state; 0 switches that off.',
  }),
  renameRedirects: setting(onOff, {
    default: 'off',
    about: 'Whether the old name of a renamed workspace leads to the new one.',
  }),
  metrics: {
    open: setting(onOff, { default: 'off', about: 'Serves metrics without a token.' }),
  },
  log: {
    level: setting(choice('debug', 'info', 'warn', 'error'), {
      default: 'info',
      about: 'The least severe line that is written.',
    }),
    format: setting(choice('auto', 'json', 'text'), {
      default: 'auto',
      about: '`auto` writes text for people on a terminal in dev mode, JSON everywhere else.',
    }),
  },
  limits: {
    headerBytes: setting(bytes, { default: '64KiB', about: 'Largest head of a request; more is answered with 431.' }),
    v1BodyBytes: setting(bytes, {
      default: '32MiB',
      about: 'Largest request body under `/v1`, snapshots and revocation lists excepted; 1 MiB without a valid token.',
    }),
    v2BodyBytes: setting(bytes, { default: '10MiB', about: 'Largest JSON document under `/api/v2`.' }),
    crlBytes: setting(bytes, { default: '128MiB', about: 'Largest revocation list, written or downloaded.' }),
    jsonDepth: setting(wholeNumber(1, 10_000), { default: '500', about: 'Deepest nesting of a JSON body.' }),
    jsonEntries: setting(wholeNumber(1), {
      default: '10000',
      about: 'Most entries in one JSON object or array; a whole body may have ten times as many.',
    }),
    jsonStringBytes: setting(bytes, { default: '1MiB', about: 'Longest text inside a JSON body.' }),
    headerTimeout: setting(milliseconds, { default: '10s', about: 'Time a client has to send the head of a request.' }),
    requestTimeout: setting(milliseconds, {
      default: '90s',
      about:
        'Time the work on a request may take; that on snapshots, states, events and many workspaces at once has limits of its own.',
    }),
    bodyTimeout: setting(milliseconds, {
      default: '30s',
      about:
        'Time a client has to send the body of a request; while it sends a snapshot or a state, the longest pause.',
    }),
    stallTimeout: setting(milliseconds, { default: '60s', about: 'Time a client may leave an answer unread.' }),
    idleTimeout: setting(milliseconds, { default: '75s', about: 'Time a kept-alive connection may stay idle.' }),
    handshakeTimeout: setting(milliseconds, { default: '10s', about: 'Time a client has for the TLS handshake.' }),
    maxConnections: setting(wholeNumber(1), {
      default: '10000',
      about: 'Open connections per listener and process; fewer where the system lets too few files be open.',
    }),
  },
  snapshots: {
    maxConcurrent: setting(wholeNumber(1, 3), {
      default: '3',
      about:
        'Automated snapshots taken or verified at the same time by one process, and as many taken by hand; further ones wait.',
    }),
  },
  outbound: {
    deny: setting(listOf(addressRange), {
      default: 'none',
      about:
        'Addresses the server never calls, beside those it does not call anyhow: link-local, multicast and unspecified ones, and metadata services of clouds.',
    }),
    allow: setting(listOf(addressRange), { default: 'none', about: 'Exceptions to both.' }),
  },
} satisfies SettingTree
