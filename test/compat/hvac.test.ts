import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mintCa, mintLeaf, mintServer } from '../support/certificates.ts'
import { testClock } from '../support/clock.ts'
import { eachEngine } from '../support/databases.ts'
import { hasModule, runPython } from '../support/programs/python.ts'
import { testApp } from '../support/test-app.ts'

describe.skipIf(!hasModule('hvac'))('hvac', () => {
  eachEngine((engine) => {
    test('a whole round: status, policies, tokens, auth methods, certificates, identity, audit, wrapping', async () => {
      const directory = await mkdtemp(join(tmpdir(), 'holdfast-compat-'))
      onTestFinished(() => rm(directory, { recursive: true }))
      const [serverCa, clientCa] = [mintCa(), mintCa()]
      const server = mintServer(serverCa, { ips: ['127.0.0.1'] })
      const leaf = mintLeaf(clientCa, { commonName: 'web' })
      const app = await testApp({
        engine,
        tls: { cert: server.chainPem, key: server.keyPem },
        clock: testClock(new Date().toISOString()),
      })
      onTestFinished(() => app.close())
      const file = async (name: string, text: string): Promise<string> => {
        await writeFile(join(directory, name), text)
        return join(directory, name)
      }
      const facts = {
        url: app.url,
        https_url: app.httpsUrl,
        token: app.rootToken,
        server_ca: await file('server-ca.pem', serverCa.pem),
        ca_file: await file('client-ca.pem', clientCa.pem),
        cert: await file('client.pem', leaf.chainPem),
        key: await file('client-key.pem', leaf.keyPem),
        log: join(directory, 'audit.log'),
      }
      expect(await runPython(join(import.meta.dirname, 'hvac-round.py'), facts)).toBe('ok\n')
    })
  })
})
