import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { mintCa, mintLeaf } from '../../support/certificates.ts'
import { eachEngine } from '../../support/databases.ts'
import { buildGo, lacksGoPackage } from '../../support/programs/go-programs.ts'
import { clientBench } from '../client-bench.ts'

const own = join(import.meta.dirname, 'own')
// Its tests need packages of the server, which are not in this folder's go.mod.
const missing = lacksGoPackage(own, '.')

describe.skipIf(missing)(`OpenBao's client library ${missing ? `(needs ${missing})` : ''}`, () => {
  let program: string
  beforeAll(async () => {
    program = await buildGo(own, 'build', '.')
    return () => rm(join(program, '..'), { recursive: true })
  })

  eachEngine((engine) => {
    test('status, policies, tokens, wrapping, auth methods, logins, secrets, audit and snapshots work', async () => {
      const { app, serverCa, directory, file } = await clientBench(engine)
      const clientCa = mintCa()
      const machine = mintLeaf(clientCa, { commonName: 'web-1' })
      const signer = await generateKeyPair('ES256')
      const claims = new SignJWT({ sub: 'operator', aud: 'holdfast' }).setProtectedHeader({ alg: 'ES256' })
      const env = {
        BAO_ADDR: app.httpsUrl,
        BAO_CACERT: await file('server-ca.pem', serverCa.pem),
        BAO_CLIENT_CERT: await file('machine.pem', machine.chainPem),
        BAO_CLIENT_KEY: await file('machine-key.pem', machine.keyPem),
        BAO_TOKEN: app.rootToken,
        COMPAT_JWT_KEY: await exportSPKI(signer.publicKey),
        COMPAT_JWT: await claims.setIssuedAt().setExpirationTime('5m').sign(signer.privateKey),
        COMPAT_CLIENT_CA: await file('client-ca.pem', clientCa.pem),
        COMPAT_AUDIT_FILE: join(directory, 'audit.log'),
      }
      const { stdout } = await promisify(execFile)(program, { env })
      expect(stdout.trim().split('\n').at(-1)).toBe('snapshot')
    })
  })
})
