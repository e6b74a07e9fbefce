import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { mintCa, mintLeaf, mintServer } from '../../support/certificates.ts'
import { testClock } from '../../support/clock.ts'
import { eachEngine } from '../../support/databases.ts'
import { buildGo, lacksGoPackage } from '../../support/programs/go-programs.ts'
import { testApp } from '../../support/test-app.ts'

const own = join(import.meta.dirname, 'own')
// Its tests need packages of the server, which are nowhere in this folder's list.
const missing = lacksGoPackage(own, '.')

describe.skipIf(missing)(`OpenBao's client library ${missing ? `(needs ${missing})` : ''}`, () => {
  let program: string
  beforeAll(async () => {
    program = await buildGo(own, 'build', '.')
    return () => rm(join(program, '..'), { recursive: true })
  })

  eachEngine((engine) => {
    test('a whole round, with a login by certificate', async () => {
      const directory = await mkdtemp(join(tmpdir(), 'holdfast-compat-'))
      onTestFinished(() => rm(directory, { recursive: true }))
      const file = async (name: string, text: string): Promise<string> => {
        await writeFile(join(directory, name), text)
        return join(directory, name)
      }
      const serverCa = mintCa()
      const { chainPem: cert, keyPem: key } = mintServer(serverCa, { ips: ['127.0.0.1'] })
      const app = await testApp({ engine, tls: { cert, key }, clock: testClock(new Date().toISOString()) })
      onTestFinished(() => app.close())
      const clientCa = mintCa()
      const machine = mintLeaf(clientCa, { commonName: 'web-1' })
      const env = {
        BAO_ADDR: app.httpsUrl,
        BAO_CACERT: await file('server-ca.pem', serverCa.pem),
        BAO_CLIENT_CERT: await file('machine.pem', machine.chainPem),
        BAO_CLIENT_KEY: await file('machine-key.pem', machine.keyPem),
        BAO_TOKEN: app.rootToken,
        COMPAT_CLIENT_CA: await file('client-ca.pem', clientCa.pem),
        COMPAT_AUDIT_FILE: join(directory, 'audit.log'),
      }
      const { stdout } = await promisify(execFile)(program, { env })
      expect(stdout.trim().split('\n').at(-1)).toBe('snapshot')
    })
  })
})
