import { spawn, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { mintCa, mintIntermediate, mintLeaf } from '../support/certificates.ts'
import { eachEngine } from '../support/databases.ts'
import { isInstalled } from '../support/programs/programs.ts'
import { clientBench } from './client-bench.ts'

type Files = { readonly port: string; readonly ca: string; readonly cert: string; readonly key: string }

const body = '{"name":"web"}'
const request = [
  'POST /v1/auth/cert/login HTTP/1.1',
  'Host: 127.0.0.1',
  `Content-Length: ${body.length}`,
  'Connection: close',
  '',
  body,
].join('\r\n')

const openssl = (version: string) => (files: Files) => [
  ...['s_client', '-quiet', version, '-verify_return_error', '-connect', `127.0.0.1:${files.port}`],
  ...['-CAfile', files.ca, '-cert', files.cert, '-cert_chain', files.cert, '-key', files.key],
]
const gnutls = (version: string) => (files: Files) => [
  ...['--priority', `NORMAL:-VERS-ALL:+VERS-${version}`, '--x509cafile', files.ca, '--x509certfile', files.cert],
  ...['--x509keyfile', files.key, '--port', files.port, '127.0.0.1'],
]
const wget = (files: Files) => [
  ...['-qO-', `--ca-certificate=${files.ca}`, `--certificate=${files.cert}`, `--private-key=${files.key}`],
  ...[`--post-data=${body}`, `https://127.0.0.1:${files.port}/v1/auth/cert/login`],
]

/** LibreSSL calls its program openssl too, but it cannot send a chain. */
const isUsable = (program: string): boolean =>
  program === 'openssl'
    ? /^OpenSSL/.test(spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout ?? '')
    : isInstalled(program)

/** What a program prints that gets the request as its input; that stays open until the server closes the connection. */
function printed(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  // wget does not read its input.
  child.stdin.on('error', () => undefined)
  child.stdin.write(request)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}

describe.each([
  ['openssl', 'TLS 1.2', openssl('-tls1_2')],
  ['openssl', 'TLS 1.3', openssl('-tls1_3')],
  ['gnutls-cli', 'TLS 1.2', gnutls('TLS1.2')],
  ['gnutls-cli', 'TLS 1.3', gnutls('TLS1.3')],
  ['wget', 'its own TLS', wget],
])('%s', (program, version, argsOf) => {
  describe.skipIf(!isUsable(program))(version, () => {
    eachEngine((engine) => {
      test('logs in with a certificate that an intermediate CA has issued', async () => {
        const { app, serverCa, file } = await clientBench(engine)
        const clientCa = mintCa()
        const leaf = mintLeaf(mintIntermediate(clientCa))
        await app.root.post('/v1/sys/auth/cert', { type: 'cert' })
        await app.root.post('/v1/auth/cert/certs/web', { certificate: clientCa.pem, token_policies: 'web' })
        const files = {
          port: new URL(app.httpsUrl).port,
          ca: await file('ca.pem', serverCa.pem),
          cert: await file('client.pem', leaf.chainPem),
          key: await file('key.pem', leaf.keyPem),
        }
        const answer = await printed(program, argsOf(files))
        expect(answer.slice(answer.indexOf('{"request_id"'))).toMatch(/"token_policies":\["default","web"\]/)
      })
    })
  })
})
