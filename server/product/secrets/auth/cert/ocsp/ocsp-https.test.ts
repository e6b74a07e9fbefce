import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CertApp, certApp } from '../../../../../../test/support/cert-login.ts'
import { type Minted, mintCa, mintLeaf, mintServer } from '../../../../../../test/support/certificates.ts'
import { type OcspResponder, startOcspResponder } from '../../../../../../test/support/fakes/ocsp-responder.ts'

let app: CertApp
let webCa: Minted
let responder: OcspResponder
beforeAll(async () => {
  app = await certApp()
  webCa = mintCa({ commonName: 'Web CA' })
  responder = await startOcspResponder(app.ca, {}, mintServer(webCa))
})
afterAll(async () => {
  await responder.close()
  await app.close()
})

/** Logs in by a role that asks the responder over https and has these certificates for responders. */
async function status(name: string, responders: string): Promise<number> {
  await app.role(name, {
    certificate: app.ca.pem,
    ocsp_enabled: true,
    ocsp_max_retries: 0,
    ocsp_servers_override: [responder.url],
    ocsp_ca_certificates: responders,
  })
  return (await app.login(app.leaf({ commonName: name }), { name })).status
}

test('ocsp over https: the responder is trusted by ocsp_ca_certificates of the role, and refused without', async () => {
  expect([await status('trusting', webCa.pem), await status('knowing-nothing', '')]).toEqual([200, 400])
})

test('ocsp over https: CAs the system trusts are trusted with or without ocsp_ca_certificates', async () => {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, webCa.pem])
  try {
    const delegate = mintLeaf(app.ca, { commonName: 'Delegate', extendedKeyUsage: ['ocspSigning'] })
    expect([await status('plain', ''), await status('with-delegate', delegate.pem)]).toEqual([200, 200])
  } finally {
    setDefaultCACertificates(before)
  }
})
