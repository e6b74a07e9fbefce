import { expect, onTestFinished, test } from 'vitest'
import { ownCertApp } from '../support/cert-login.ts'
import { serveDuringTest } from '../support/fakes/loopback.ts'
import { startOcspResponder } from '../support/fakes/ocsp-responder.ts'

/** The address of a server that accepts requests and never answers. */
const silentServer = (): Promise<string> => serveDuringTest(() => undefined)

test('a responder that never answers delays a login no longer than its time for OCSP, and soon delays none', async () => {
  const app = await ownCertApp()
  const terms = { certificate: app.ca.pem, ocsp_enabled: true, ocsp_servers_override: [await silentServer()] }
  await app.role('closed', terms)
  await app.role('open', { ...terms, ocsp_fail_open: true })
  await app.role('other', { certificate: app.ca.pem })
  const login = async (name: string) => {
    const began = performance.now()
    const { status } = await app.login(app.leaf({ commonName: name }), { name })
    return { status, took: performance.now() - began }
  }
  const held = Promise.all([login('closed'), login('closed'), login('open')])
  const free = await login('other')
  expect(free).toMatchObject({ status: 200 })
  expect(free.took).toBeLessThan(5_000)
  const answers = await held
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 200])
  for (const { took } of answers) expect(took).toBeLessThan(18_000)

  // After those three time-outs, the next logins are judged without asking the responder.
  const next = [await login('closed'), await login('open')]
  expect(next.map(({ status }) => status)).toEqual([400, 200])
  for (const { took } of next) expect(took).toBeLessThan(5_000)
}, 60_000)

test('a responder that never answers leaves the next one enough time', async () => {
  const app = await ownCertApp()
  const responder = await startOcspResponder(app.ca)
  onTestFinished(() => responder.close())
  const servers = [await silentServer(), responder.url]
  await app.role('both', { certificate: app.ca.pem, ocsp_enabled: true, ocsp_servers_override: servers })
  expect((await app.login(app.leaf(), { name: 'both' })).status).toBe(200)
}, 60_000)

test('several roles with responders that never answer share the time, and the last one still asks its own', async () => {
  const app = await ownCertApp()
  const responder = await startOcspResponder(app.ca, { status: 'revoked' })
  onTestFinished(() => responder.close())
  const terms = { certificate: app.ca.pem, ocsp_enabled: true }
  await app.role('a', { ...terms, ocsp_servers_override: [await silentServer()] })
  await app.role('b', { ...terms, ocsp_servers_override: [await silentServer()] })
  await app.role('c', { ...terms, ocsp_servers_override: [responder.url], ocsp_fail_open: true })
  const began = performance.now()
  expect((await app.login(app.leaf())).status).toBe(400)
  expect(responder.requests).toHaveLength(1)
  expect(performance.now() - began).toBeLessThan(28_000)
}, 60_000)
