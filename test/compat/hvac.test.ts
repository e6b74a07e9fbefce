import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mintCa, mintLeaf, mintServer } from '../support/certificates.ts'
import { testClock } from '../support/clock.ts'
import { eachEngine } from '../support/databases.ts'
import { testApp } from '../support/test-app.ts'

/** A Python that has the client; `HOLDFAST_COMPAT_PYTHON` may name another. */
const python = process.env.HOLDFAST_COMPAT_PYTHON ?? 'python3'

function hasClient(): boolean {
  try {
    execFileSync(python, ['-c', 'import hvac'], { stdio: 'ignore' })
    return true
  } catch (thrown) {
    if (thrown instanceof Error) return false
    throw thrown
  }
}

describe.skipIf(!hasClient())('hvac', () => {
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
      const script = join(import.meta.dirname, 'hvac-round.py')
      const env = { ...process.env, HOLDFAST_FACTS: JSON.stringify(facts) }
      const { stdout } = await promisify(execFile)(python, [script], { env })
      expect(stdout).toBe('ok\n')
    })
  })
})
