import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inspect } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import { type ConfigInput, loadConfig, renderEffective, renderProblems } from './index.ts'

let directory: string
beforeEach(() => {
  directory = ownFolder()
})

function yaml(text: string): string {
  const file = join(directory, 'holdfast.yaml')
  writeFileSync(file, text)
  return file
}

function good(input: ConfigInput) {
  const loaded = loadConfig(input)
  if (!loaded.ok) throw new Error(renderProblems(loaded.problems))
  return loaded.config
}

function problems(input: ConfigInput): string[] {
  const loaded = loadConfig(input)
  return loaded.ok
    ? []
    : loaded.problems.map(({ where, text, fix }) => `${where.replace(`${directory}/`, '')}: ${text}. ${fix}`)
}

test('dev mode: every setting has a default', () => {
  const config = good({ mode: 'dev' })
  expect(config).toMatchObject({
    dataDir: resolve('data'),
    listen: { host: '127.0.0.1', port: 8200 },
    httpListen: { host: '127.0.0.1', port: 8201 },
    workers: 1,
    edition: 'self-hosted',
    license: 'enterprise',
    compatVersion: '1.21.0+ent',
    apiRateLimit: 0,
    stateSnapshotInterval: 20,
    defaultLeaseTtl: 768 * 3600,
    limits: { v1BodyBytes: 32 * 1024 ** 2, v2BodyBytes: 10 * 1024 ** 2, requestTimeout: 90_000, jsonDepth: 500 },
    storage: { engine: 'sqlite', file: resolve('data/holdfast.db') },
    seal: { type: 'auto', rootKey: { from: 'file', file: resolve('data/seal.key') }, openRootGeneration: false },
    tls: { certFile: resolve('data/tls/server.pem'), keyFile: resolve('data/tls/server-key.pem'), minVersion: '1.2' },
  })
  expect(config.rootToken).toBeUndefined()
  expect(config.listeners.map(({ name, tls }) => [name, tls !== undefined])).toEqual([
    ['https', true],
    ['http', false],
  ])
})

test.each([
  ['an eighth of the memory', {}, 128 * 1024 ** 2, '128MiB'],
  ['an eighth of the memory, whatever `workers` says', { HOLDFAST_WORKERS: '2' }, 128 * 1024 ** 2, '128MiB'],
  ['what was set', { HOLDFAST_LIMITS_BUFFERED_BYTES: '3GiB' }, 3 * 1024 ** 3, '3GiB'],
])('memory for request bodies: %s counts and is shown', (_name, environment, bufferedBytes, shown) => {
  const loaded = loadConfig({ mode: 'dev', environment, memory: 1024 ** 3 })
  expect(loaded).toMatchObject({ ok: true, config: { limits: { bufferedBytes } } })
  expect(loaded.ok && loaded.effective.find(({ key }) => key === 'limits.buffered_bytes')?.shown).toBe(shown)
})

test('memory for request bodies: follows from this machine if nothing else is said', () => {
  const { bufferedBytes } = good({ mode: 'dev' }).limits
  expect(bufferedBytes).toBeGreaterThanOrEqual(32 * 1024 ** 2)
  expect(bufferedBytes).toBeLessThanOrEqual(512 * 1024 ** 2)
})

test('sources: a flag beats the environment, which beats the file', () => {
  const file = yaml('edition: hosted\nworkers: 2\napi_rate_limit: 5\n')
  const config = good({
    mode: 'dev',
    args: ['-config', file, '-api-rate-limit=7'],
    environment: { HOLDFAST_WORKERS: '3', HOLDFAST_API_RATE_LIMIT: '6' },
  })
  expect(config).toMatchObject({ edition: 'hosted', workers: 3, apiRateLimit: 7, configFile: file })
})

test('sources: HOLDFAST_CONFIG names the file when no flag does', () => {
  expect(good({ mode: 'dev', environment: { HOLDFAST_CONFIG: yaml('license: community') } }).compatVersion).toBe(
    '1.21.0',
  )
})

test('the configuration cannot be changed, at any depth', () => {
  const config = good({ mode: 'dev' })
  expect(() => Object.assign(config.limits, { jsonDepth: 1 })).toThrow(TypeError)
  expect(() => Object.assign(config.listeners, { 0: null })).toThrow(TypeError)
})

test('problems: all are reported at once, each with its place and its remedy', () => {
  const file = yaml('lissen: 1.2.3.4:1\ntls:\n  certfile: a\nworkers: many\n')
  expect(
    problems({
      mode: 'dev',
      args: [`--config=${file}`, '--edtion', 'x', '--dev'],
      environment: { HOLDFAST_LICENSE: 'gold', HOLDFAST_HTTP_LISTEN: 'localhost' },
    }),
  ).toEqual([
    '--edtion: there is no such flag. See --help for the flags.',
    'x: the argument is not understood. See --help for the flags.',
    '--dev: there is no such flag. holdfast dev starts a server to try things out.',
    'holdfast.yaml:1: there is no setting lissen. See docs/configuration.md for the settings.',
    'holdfast.yaml:3: there is no setting tls.certfile. Choose from tls.cert_file, tls.key_file, tls.min_version.',
    expect.stringMatching(/^HOLDFAST_HTTP_LISTEN: http_listen: "localhost" is not host:port\. Write host:port/),
    'holdfast.yaml:4: workers: "many" is not a whole number from 1 to 256. Write a whole number from 1 to 256, or auto.',
    'HOLDFAST_LICENSE: license: "gold" is not one of enterprise, community. Write enterprise or community.',
  ])
})

test.each([
  ['broken YAML', 'listen: [1', /holdfast\.yaml:1: not valid YAML/],
  ['a key twice', 'workers: 1\nworkers: 2', /holdfast\.yaml:2: the key is given a second time/],
  ['no map', '- listen', /not a map of settings/],
  ['a group with a plain value', 'tls: on', /holdfast\.yaml:1: tls is a group of settings/],
  ['a secret', 'seal:\n  key: abc', /holdfast\.yaml:2: seal\.key may not be set in the file\. Set HOLDFAST_SEAL_KEY/],
  ['a listener without address', 'listeners:\n  - tls: on', /listeners\[0\] has no address/],
  [
    'a listener with a strange key',
    'listeners:\n  - adress: 127.0.0.1:1',
    /no setting adress\. Choose from address, tls, /,
  ],
  ['listeners that are not maps', 'listeners: [1]', /listeners is a list of maps/],
  ['plain HTTP for the network', 'http_listen: 0.0.0.0:80', /would send tokens in clear/],
  ['several documents', 'workers: 1\n---\nworkers: 2', /holdfast\.yaml:2: the file holds several documents/],
  ['an anchor that is not there', 'workers: *many', /holdfast\.yaml:1: workers: "\*many" is not a whole number/],
  ['one port twice', 'http_listen: 127.0.0.1:8200', /is used by listen already/],
  ['a port of all interfaces twice', 'listen: 0.0.0.0:8201', /127\.0\.0\.1:8201 is used by listen already/],
  ['a port of both families twice', 'listen: "[::]:8201"', /127\.0\.0\.1:8201 is used by listen already/],
  ['nothing to listen on', 'listen: off\nhttp_listen: off', /every listener is off/],
  ['a default lease above the maximum', 'max_lease_ttl: 1h', /longer than max_lease_ttl/],
])('problems: a file with %s is reported', (_name, text, expected) => {
  expect(problems({ mode: 'dev', args: ['--config', yaml(text)] }).join('\n')).toMatch(expected)
})

test('problems: a listener with an invalid address is not also reported as having none', () => {
  const file = yaml('listeners:\n  - address: 1.2.3.4:70000\n')
  expect(problems({ mode: 'dev', args: ['--config', file] })).toEqual([
    expect.stringMatching(/^holdfast\.yaml:2: address: "1\.2\.3\.4:70000" has a port above 65535/),
  ])
})

test('file: YAML anchors and aliases work for values', () => {
  const file = yaml('listen: &own 127.0.0.1:1\nhttp_listen: off\nlisteners:\n  - address: *own\n')
  const config = loadConfig({ mode: 'dev', args: ['--config', file, '--listen', '127.0.0.1:2'] })
  expect(config).toMatchObject({ config: { listeners: [{ address: { port: 2 } }, { address: { port: 1 } }] } })
})

test('problems: a missing configuration file is reported with its path', () => {
  expect(problems({ mode: 'dev', args: ['--config', '/nowhere.yaml'] })).toEqual([
    '/nowhere.yaml: the configuration file does not exist. Check the path given with --config or HOLDFAST_CONFIG.',
  ])
})

test('problems: a file larger than configurations are is reported', () => {
  expect(problems({ mode: 'dev', args: ['--config', yaml(`# ${'x'.repeat(100_000)}`)] })).toEqual([
    'holdfast.yaml: the file has more than 100000 bytes. Name a configuration file, and shorten it.',
  ])
})

test('problems: a directory in place of the configuration file is reported', () => {
  expect(problems({ mode: 'dev', args: ['--config', directory] })).toEqual([
    `${directory}: the configuration file is a directory. Check the path given with --config or HOLDFAST_CONFIG.`,
  ])
})

test('environment: variables of the CLI, of orchestrators and empty ones are ignored silently', () => {
  const environment = {
    HOLDFAST_ADDR: 'x',
    HOLDFAST_TOKEN: 'y',
    HOLDFAST_IMPORT_TOKEN: 'z',
    HOLDFAST_CONFIG: '',
    HOLDFAST_PORT: 'tcp://10.0.0.1:80',
    HOLDFAST_PORT_8200_TCP: 'tcp://10.0.0.1:8200',
    HOLDFAST_PORT_8200_TCP_ADDR: '10.0.0.1',
    HOLDFAST_SERVICE_HOST: '10.0.0.1',
    HOLDFAST_SERVICE_PORT_HTTPS: '8200',
    HOLDFAST_LISTEN: '',
  }
  expect(loadConfig({ mode: 'dev', environment })).toMatchObject({ ok: true, ignored: [] })
})

test('environment: variables that name no setting are listed as ignored', () => {
  const environment = { HOLDFAST_WORKER: '2', HOLDFAST_DATABASE_URL: 'postgres://x', HOLDFAST_WORKERS: '2' }
  const ignored = ['HOLDFAST_DATABASE_URL', 'HOLDFAST_WORKER']
  expect(loadConfig({ mode: 'dev', environment })).toMatchObject({ ok: true, ignored })
})

test('server mode: HTTPS without a certificate is refused with instructions', () => {
  expect(problems({ mode: 'server' })).toEqual([
    'listen (default): an HTTPS listener needs a certificate in server mode. Set tls.cert_file and tls.key_file, ' +
      'or "listen: off" with http_listen on loopback behind a proxy that ends TLS.',
  ])
})

test('server mode: plain HTTP needs no certificate on loopback, and a trusted proxy elsewhere', () => {
  const off = { HOLDFAST_LISTEN: 'off' }
  expect(problems({ mode: 'server', environment: { ...off, HOLDFAST_HTTP_LISTEN: '[::1]:8201' } })).toEqual([])
  const open = { ...off, HOLDFAST_HTTP_LISTEN: '0.0.0.0:8201' }
  expect(problems({ mode: 'server', environment: open }).join()).toMatch(/trusted_proxies/)
  expect(problems({ mode: 'server', environment: { ...open, HOLDFAST_TRUSTED_PROXIES: '10.0.0.7' } })).toEqual([])
})

test('seal type shamir is accepted in server mode and refused in dev mode', () => {
  const environment = { HOLDFAST_SEAL_TYPE: 'shamir', HOLDFAST_LISTEN: 'off', HOLDFAST_HTTP_LISTEN: '127.0.0.1:1' }
  expect(problems({ mode: 'server', environment })).toEqual([])
  expect(problems({ mode: 'dev', environment }).join()).toMatch(/^HOLDFAST_SEAL_TYPE: dev mode .* server mode\.$/)
})

test('server mode: a root token is refused', () => {
  const environment = { HOLDFAST_ROOT_TOKEN: 'hunter2', HOLDFAST_LISTEN: 'off', HOLDFAST_HTTP_LISTEN: '127.0.0.1:1' }
  const found = problems({ mode: 'server', environment })
  expect(found).toEqual(['HOLDFAST_ROOT_TOKEN: root_token belongs to dev mode only. Leave it out.'])
})

test('server mode: one TLS file without the other is reported', () => {
  expect(problems({ mode: 'server', environment: { HOLDFAST_TLS_CERT_FILE: '/a' } }).join()).toMatch(/key_file is not/)
})

test('listeners: the same port on different addresses is accepted', () => {
  const file = yaml('listen: 0.0.0.0:8201\nhttp_listen: "[::1]:8201"\nlisteners:\n  - address: "[::1]:0"\n')
  expect(problems({ mode: 'dev', args: ['--config', file] })).toEqual([])
})

test('listeners: further listeners are read from the file with all their options', () => {
  const file = yaml(
    'listeners:\n  - address: 10.0.0.1:8443\n    client_certificate: off\n    trusted_proxies: [10.0.0.0/8, "::1"]\n' +
      '    forwarded_client_certificate: pem\n    forwarded_client_certificate_header: ssl-client-cert\n    require_request_header: true\n  - {address: "127.0.0.1:0", tls: off}\n',
  )
  const { listeners } = good({ mode: 'dev', args: ['--config', file] })
  expect(listeners.slice(2)).toEqual([
    {
      name: 'listeners[0]',
      address: { host: '10.0.0.1', port: 8443 },
      tls: listeners[0]?.tls,
      clientCertificate: 'off',
      trustedProxies: ['10.0.0.0/8', '::1/128'],
      forwardedClientCertificate: 'pem',
      forwardedClientCertificateHeader: 'ssl-client-cert',
      requireRequestHeader: true,
    },
    expect.objectContaining({ name: 'listeners[1]', tls: undefined, clientCertificate: 'request' }),
  ])
})

test('seal: the root key comes from exactly one source and has 32 bytes', () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  expect(good({ mode: 'dev', environment: { HOLDFAST_SEAL_KEY: key } }).seal.rootKey).toMatchObject({
    from: 'environment',
  })
  expect(good({ mode: 'dev', args: ['--seal-key-command', 'get-key'] }).seal.rootKey).toEqual({
    from: 'command',
    command: 'get-key',
  })
  const both = problems({ mode: 'dev', args: ['--seal-key-command=x'], environment: { HOLDFAST_SEAL_KEY: key } })
  expect(both.join()).toMatch(/several places/)
  expect(problems({ mode: 'dev', environment: { HOLDFAST_SEAL_KEY: 'c2hvcnQ=' } }).join()).toMatch(/not 32 bytes/)
})

test('secrets: neither the effective settings nor a printed config object show them', () => {
  const environment = {
    HOLDFAST_ROOT_TOKEN: 'hunter2',
    HOLDFAST_STORAGE: 'postgres://app:hunter2@db1:5432,db2:5433/app?sslpassword=hunter2',
    HOLDFAST_SEAL_KEY: Buffer.from('hunter2'.padEnd(32, '.')).toString('base64'),
  }
  const loaded = loadConfig({ mode: 'dev', environment })
  if (!loaded.ok) throw new Error(renderProblems(loaded.problems))
  const shown = renderEffective(loaded.effective) + JSON.stringify(loaded.config) + inspect(loaded.config, { depth: 9 })
  expect(shown).not.toContain('hunter2')
  expect(shown).not.toContain(environment.HOLDFAST_SEAL_KEY)
  expect(shown).toContain('postgres://app:[redacted]@db1:5432,db2:5433/app')
  expect(loaded.config.rootToken?.reveal()).toBe('hunter2')
})
