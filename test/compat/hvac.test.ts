import { join } from 'node:path'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { mintCa, mintLeaf } from '../support/certificates.ts'
import { eachEngine } from '../support/databases.ts'
import { hasModule, runPython } from '../support/programs/python.ts'
import { clientBench } from './client-bench.ts'

describe.skipIf(!hasModule('hvac'))('hvac', () => {
  eachEngine((engine) => {
    test('status, policies, tokens, auth methods, certificates, secrets, identity, audit and wrapping work', async () => {
      const { app, serverCa, directory, file } = await clientBench(engine)
      const clientCa = mintCa()
      const leaf = mintLeaf(clientCa, { commonName: 'web' })
      const signer = await generateKeyPair('ES256')
      const claims = new SignJWT({ sub: 'pipeline', aud: 'holdfast' }).setProtectedHeader({ alg: 'ES256' })
      const facts = {
        url: app.url,
        https_url: app.httpsUrl,
        token: app.rootToken,
        server_ca: await file('server-ca.pem', serverCa.pem),
        ca_file: await file('client-ca.pem', clientCa.pem),
        cert: await file('client.pem', leaf.chainPem),
        key: await file('client-key.pem', leaf.keyPem),
        jwt_key: await exportSPKI(signer.publicKey),
        jwt: await claims.setIssuedAt().setExpirationTime('5m').sign(signer.privateKey),
        log: join(directory, 'audit.log'),
      }
      expect(await runPython(join(import.meta.dirname, 'hvac-round.py'), facts)).toBe('ok\n')
    })
  })
})
