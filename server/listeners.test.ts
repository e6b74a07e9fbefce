import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { mintCa, mintServer } from '../test/support/certificates.ts'
import { ownFolder } from '../test/support/folders.ts'
import { openRaw } from '../test/support/raw-connection.ts'
import { recordingLog } from '../test/support/recording-log.ts'
import { loadConfig } from './config/index.ts'
import { systemClock } from './kernel/clock.ts'
import { type StartedServer, startServer } from './start.ts'

const day = 86_400_000
const authority = mintCa()
const pair = (from: number, until: number) => {
  const now = systemClock.now()
  return mintServer(authority, { notBefore: new Date(now + from * day), notAfter: new Date(now + until * day) })
}
const pairs = { valid: pair(-1, 90), renewed: pair(-1, 180), expired: pair(-90, -1), early: pair(1, 90) }
type Pair = keyof typeof pairs

/** A server with this certificate, what it has logged, and the means to give it another. */
async function serverWith(first: Pair) {
  const directory = ownFolder()
  const files = { HOLDFAST_TLS_CERT_FILE: join(directory, 'c.pem'), HOLDFAST_TLS_KEY_FILE: join(directory, 'k.pem') }
  const write = (name: Pair) => {
    writeFileSync(files.HOLDFAST_TLS_CERT_FILE, pairs[name].pem)
    writeFileSync(files.HOLDFAST_TLS_KEY_FILE, pairs[name].keyPem)
  }
  write(first)
  const environment = {
    ...files,
    HOLDFAST_DATA_DIR: directory,
    HOLDFAST_LISTEN: '127.0.0.1:0',
    HOLDFAST_HTTP_LISTEN: '127.0.0.1:0',
    HOLDFAST_METRICS_OPEN: 'true',
  }
  const loaded = loadConfig({ mode: 'server', environment })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const { log, text } = recordingLog()
  const server: StartedServer = await startServer(loaded.config, log)
  onTestFinished(() => server.close())
  const { https, http } = await server.listen()
  return {
    http: String(http),
    reloadWith: (name: Pair) => {
      write(name)
      return server.reload()
    },
    used: () => certificateAt(String(https)),
    warnings: () => text().match(/"[^"]+","message":"the server certificate is not valid now/g) ?? [],
    expiry: async () => {
      const metrics = await (await fetch(`${http}/metrics`)).text()
      return Number(/holdfast_server_certificate_expiry_time\{listener="https"\} (\d+)/.exec(metrics)?.[1])
    },
  }
}

const certificateAt = (url: string): Promise<Pair | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      const raw = socket.getPeerX509Certificate()?.raw
      resolve((Object.keys(pairs) as Pair[]).find((name) => raw?.equals(pairs[name].der)))
      socket.destroy()
    }).on('error', reject)
  })

test('listeners: a reload takes a valid certificate, and the metrics show when it expires', async () => {
  const { reloadWith, used, warnings, expiry } = await serverWith('valid')
  const before = await expiry()
  await reloadWith('renewed')
  expect(await used()).toBe('renewed')
  expect((await expiry()) - before).toBe((90 * day) / 1_000)
  expect(warnings()).toEqual([])
})

test.each([
  ['expired', / c\.pem expired at .*Z, while the certificate in use is valid until .*Z\.$/],
  ['early', / c\.pem is not valid before .*Z, while the certificate in use is valid until .*Z\.$/],
] as const)('listeners: a reload with one that is %s keeps the valid one', async (name, text) => {
  const { reloadWith, used, expiry } = await serverWith('valid')
  const before = await expiry()
  const message = await reloadWith(name).then(String, (error: Error) => error.message)
  expect(message.replace(/ \S+\/c\.pem/, ' c.pem')).toMatch(text)
  expect(await used()).toBe('valid')
  expect(await expiry()).toBe(before)
})

test('listeners: a start takes one that is not valid, and so does a reload after that; both warn', async () => {
  const { reloadWith, used, warnings } = await serverWith('expired')
  expect(await used()).toBe('expired')
  expect(warnings()).toEqual([expect.stringContaining('c.pem expired at ')])
  await reloadWith('early')
  expect(await used()).toBe('early')
  expect(warnings()).toEqual([expect.anything(), expect.stringContaining('c.pem is not valid before ')])
  await reloadWith('renewed')
  expect(await used()).toBe('renewed')
})

test('listeners: the metrics show their connections, and how many they may have', async () => {
  const { http } = await serverWith('valid')
  const figures = async () => await (await fetch(`${http}/metrics`, { headers: { connection: 'close' } })).text()
  const open = async () => Number(/^holdfast_http_connections\{listener="http"\} (\d+)$/m.exec(await figures())?.[1])
  await expect.poll(open).toBe(1)
  const other = await openRaw(Number(new URL(http).port))
  await expect.poll(open).toBe(2)
  other.close()
  await expect.poll(open).toBe(1)
  expect(await figures()).toMatch(/^holdfast_http_connections_limit\{listener="https"\} [1-9]\d*$/m)
})
