import {
  bytes,
  choice,
  delayUpTo,
  listOf,
  milliseconds,
  onOff,
  path,
  releaseVersion,
  seconds,
  secretText,
  text,
  wholeNumber,
  workerCount,
} from './kinds.ts'
import { address, addressOrOff, addressRange, headerName, storageTarget, webAddress } from './network-kinds.ts'
import { optional, type SettingTree, setting } from './setting.ts'

/** How a listener treats its callers; the main listeners and every further one have these settings. */
const commonListenerSettings = {
  clientCertificate: setting(choice('request', 'off'), 'request').about(
    'Whether TLS clients are asked for a certificate, which stays optional. Turn it off on listeners for browsers.',
  ),
  trustedProxies: setting(listOf(addressRange), 'none').about(
    'Addresses of proxies whose `X-Forwarded-For` header names the real client.',
  ),
  forwardedClientCertificate: setting(choice('off', 'rfc9440', 'xfcc', 'pem'), 'off').about(
    'How proxies in `trusted_proxies` forward the client certificate: in `Client-Cert` headers (`rfc9440`), in ' +
      '`X-Forwarded-Client-Cert` (`xfcc`), or as PEM in a header of their own (`pem`).',
  ),
  forwardedClientCertificateHeader: setting(headerName, 'X-SSL-Client-Cert').about(
    'The header that carries the certificate with `pem`.',
  ),
  requireRequestHeader: setting(onOff, 'off').about(
    'Refuses `/v1` requests without `X-Service-Request: true`, a header that forged cross-site requests cannot carry.',
  ),
}

/** The settings of one entry of `listeners`. */
export const listenerSettings = {
  address: optional(address, 'required').about('Address to listen on.'),
  tls: setting(onOff, 'on').about('HTTPS with the certificate of `tls`, or plain HTTP.'),
  ...commonListenerSettings,
} satisfies SettingTree

/** Every setting of the server. Documentation, `config check` and `--help` are made from this list. */
export const settings = {
  dataDir: setting(path, { dev: './data', server: '/var/lib/holdfast' }).about(
    'Directory of the database, the seal key and the TLS files of dev mode. It has mode 0700, its files 0600.',
  ),
  listen: setting(addressOrOff, { dev: '127.0.0.1:8200', server: '0.0.0.0:8200' }).about(
    'The HTTPS listener: both APIs and the web UI.',
  ),
  httpListen: setting(addressOrOff, { dev: '127.0.0.1:8201', server: 'off' }).about(
    'The plain HTTP listener. Loopback only, unless `trusted_proxies` names a proxy that terminates TLS in front ' +
      'of it.',
  ),
  ...commonListenerSettings,
  baseUrl: optional(webAddress, 'the address of each request').about(
    'The URL at which clients reach the server, for links and signed URLs. Set it if other machines connect: the ' +
      'default trusts the `Host` header.',
  ),
  workers: setting(workerCount, '1').about(
    'Has no effect any more: one process serves. A value other than `1` is accepted with a warning.',
  ),
  shutdownDelay: setting(delayUpTo(60), '0s').about(
    'How long the server continues to serve after SIGTERM, while `/readyz` already answers 503 so that balancers ' +
      'stop using it; at most `1m`.',
  ),
  tls: {
    certFile: optional(path, 'created in dev mode; required in server mode').about(
      'PEM file with the server certificate and its intermediates. Read again on SIGHUP.',
    ),
    keyFile: optional(path, 'created in dev mode; required in server mode').about(
      'PEM file with the private key of the certificate.',
    ),
    minVersion: setting(choice('1.2', '1.3'), '1.2').about('The oldest TLS version to accept.'),
  },
  storage: optional(storageTarget, '`holdfast.db` in the data directory').about(
    '`sqlite:FILE`, or `postgres://…` with one or several hosts.',
  ),
  databaseConnections: setting(wholeNumber(2, 100), '10').about(
    'Connections to PostgreSQL per node, for requests and jobs. The database must allow one more for each node.',
  ),
  sqliteCacheBytes: setting(bytes, '64MiB').about(
    'Memory for pages of the SQLite file. The more of a large database fits, the less processor time its lists take.',
  ),
  newStore: optional(onOff, 'off', { sources: ['flag'] }).about(
    'Begins with an empty or another database although the data directory has held a store. It counts for one start.',
  ),
  seal: {
    type: setting(choice('auto', 'shamir'), 'auto').about(
      'How a new store is sealed: `auto` unseals at start with the root key, `shamir` waits for key shares.',
    ),
    keyFile: optional(path, '`seal.key` in the data directory').about(
      'File with the root key of the auto seal. Back it up: without it, the encrypted data is lost.',
    ),
    keyCommand: optional(text, 'not used').about(
      'Command that prints the root key (base64 or hex), for example by calling a key management service.',
    ),
    key: optional(secretText, 'not used', {
      sources: ['environment'],
    }).about('The root key itself: 32 bytes in base64 or hex.'),
    openRootGeneration: setting(onOff, 'off').about(
      'Serves `sys/generate-root` without a token. Key shares alone then make a root token, and anybody can start, ' +
        'cancel or disturb that.',
    ),
  },
  runnerBuiltin: setting(choice('off', 'auto', 'process', 'namespace'), { dev: 'auto', server: 'off' }).about(
    'The runner on this machine, and what fences its tools in. `auto` is `namespace` if that works, else `process`.',
  ),
  runnerTools: setting(choice('path', 'catalogue'), { dev: 'path', server: 'catalogue' }).about(
    'Where the built-in runner takes tools from: what is on `PATH`, or what the catalogue names, checked by its digest.',
  ),
  rootToken: optional(secretText, 'a random token, kept in the data directory', {
    sources: ['environment', 'flag'],
    onlyMode: 'dev',
  }).about('Sets the initial root token.'),
  edition: setting(choice('self-hosted', 'hosted'), 'self-hosted').about(
    'The edition whose rules apply under `/api/v2`: data retention policies exist only in `self-hosted`, and ' +
      'assessments can be switched on only in `hosted`.',
  ),
  license: setting(choice('enterprise', 'community'), 'enterprise').about(
    'What is reported to clients of `/v1`. With `community`, automated snapshots cannot be configured; snapshots taken ' +
      'by hand and everything else work as before.',
  ),
  compatVersion: optional(releaseVersion, '`1.21.0+ent`, or `1.21.0` with the community licence').about(
    'The version reported to clients of `/v1`, some of which enable features by it.',
  ),
  defaultLeaseTtl: setting(seconds, '768h').about('Default lifetime of a token.'),
  maxLeaseTtl: setting(seconds, '768h').about('Maximum lifetime of a token, including renewals.'),
  apiRateLimit: setting(wholeNumber(0), { dev: '0', server: '30' }).about(
    'Requests per second and caller under `/api/v2`, counted by each node; 0 disables the limit.',
  ),
  stateSnapshotInterval: setting(wholeNumber(0), '20').about(
    'Seconds between the intermediate states that a long apply sends; 0 disables them.',
  ),
  renameRedirects: setting(onOff, 'off').about('Whether the old name of a renamed workspace redirects to the new one.'),
  metrics: {
    open: setting(onOff, 'off').about('Serves metrics without a token.'),
  },
  log: {
    level: setting(choice('debug', 'info', 'warn', 'error'), 'info').about('The lowest severity that is logged.'),
    format: setting(choice('auto', 'json', 'text'), 'auto').about(
      '`auto` writes readable text to a terminal in dev mode, and JSON otherwise.',
    ),
  },
  limits: {
    headerBytes: setting(bytes, '64KiB').about(
      'Maximum size of the request line and headers; larger requests are refused with 431.',
    ),
    v1BodyBytes: setting(bytes, '32MiB').about(
      'Maximum request body under `/v1`, except for snapshots and revocation lists.',
    ),
    v2BodyBytes: setting(bytes, '10MiB').about('Maximum JSON document under `/api/v2`.'),
    bufferedBytes: optional(
      bytes,
      'an eighth of the memory of the container or machine; from `32MiB` to `512MiB`',
    ).about(
      'Maximum bytes of request bodies over 64 KiB, uploaded states included, that one node handles at a time. ' +
        'Further requests get 503.',
    ),
    crlBytes: setting(bytes, '128MiB').about('Maximum revocation list, uploaded or downloaded.'),
    jsonDepth: setting(wholeNumber(1, 10_000), '500').about('Maximum nesting depth of a JSON body.'),
    jsonEntries: setting(wholeNumber(1), '10000').about(
      'Maximum entries in one JSON object or array; a whole body may have ten times as many.',
    ),
    jsonStringBytes: setting(bytes, '1MiB').about('Maximum length of a string in a JSON body.'),
    headerTimeout: setting(milliseconds, '10s').about('Time a client has to send the request line and headers.'),
    requestTimeout: setting(milliseconds, '90s').about(
      'Time the server may take to process a request; requests for snapshots, states, events and bulk actions ' +
        'have their own limits.',
    ),
    bodyTimeout: setting(milliseconds, '30s').about(
      'Time a client has to send the request body; for a snapshot or a state, the longest pause while sending.',
    ),
    stallTimeout: setting(milliseconds, '60s').about('Time a client may leave a response unread.'),
    idleTimeout: setting(milliseconds, '75s').about('Time a kept-alive connection may stay idle.'),
    handshakeTimeout: setting(milliseconds, '10s').about('Time a client has for the TLS handshake.'),
    maxConnections: setting(wholeNumber(1), '10000').about(
      'Maximum open connections per listener; lower if the open file limit of the system requires it.',
    ),
  },
  loginRecord: {
    days: setting(wholeNumber(1, 3_650), '30').about(
      'Days for which certificate logins are kept in the record of logins.',
    ),
    entries: setting(wholeNumber(0, 10_000_000), '100000').about(
      'Maximum rows of that record, a quarter of them for refusals; equal logins of one minute are one row. 0 records ' +
        'nothing.',
    ),
  },
  snapshots: {
    maxConcurrent: setting(wholeNumber(1, 3), '3').about(
      'Automated snapshots that one node takes or verifies at the same time, and as many manual ones; further ' +
        'ones wait.',
    ),
  },
  localPaths: {
    allow: setting(listOf(path), {
      dev: 'none',
      server: '/var/lib, /var/log, /var/backups, /srv, /mnt, /opt, /backup',
    }).about(
      'Folders for local snapshots and audit files, besides the data directory. Dev mode opens most others too. ' +
        'Naming a closed folder opens it.',
    ),
  },
  outbound: {
    deny: setting(listOf(addressRange), 'none').about(
      'Addresses the server never connects to, besides link-local, multicast and unspecified ones, cloud metadata ' +
        'services and, in server mode, loopback (except for snapshots).',
    ),
    allow: setting(listOf(addressRange), 'none').about(
      'Exceptions to `outbound.deny` and to the addresses that are always denied.',
    ),
  },
} satisfies SettingTree
