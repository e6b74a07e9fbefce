import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { certApp } from '../support/cert-login.ts'
import { mintIntermediate, mintLeaf } from '../support/certificates.ts'
import { eachEngine } from '../support/databases.ts'
import { ownFolder } from '../support/folders.ts'
import { isInstalled } from '../support/programs/programs.ts'

const run = promisify(execFile)

describe.skipIf(!isInstalled('curl'))('curl', () => {
  eachEngine((engine) => {
    test('logs in with a certificate and its chain, with and without a role name, and uses the token', async () => {
      const app = await certApp({ engine })
      const directory = ownFolder()
      onTestFinished(async () => {
        await app.close()
      })
      await app.role('web', { certificate: app.ca.pem, token_policies: 'web' })
      const leaf = mintLeaf(mintIntermediate(app.ca))
      const file = async (name: string, text: string): Promise<string> => {
        await writeFile(join(directory, name), text)
        return join(directory, name)
      }
      const tls = ['--cacert', await file('ca.pem', app.serverCa.pem)]
      const own = ['--cert', await file('client.pem', leaf.chainPem), '--key', await file('key.pem', leaf.keyPem)]
      const curl = async (...args: string[]) => JSON.parse((await run('curl', ['-sS', ...tls, ...args])).stdout)

      const login = `${app.httpsUrl}/v1/auth/cert/login`
      for (const body of ['{"name":"web"}', '{}', '']) {
        const { auth } = await curl(...own, '-d', body, login)
        expect(auth).toMatchObject({ policies: ['default', 'web'], metadata: { cert_name: 'web' } })
        const self = await curl(
          '-H',
          `X-Service-Token: ${auth.client_token}`,
          `${app.httpsUrl}/v1/auth/token/lookup-self`,
        )
        expect(self.data).toMatchObject({ path: 'auth/cert/login' })
      }
      expect(await curl('-d', '{}', login)).toEqual({ errors: ['client certificate must be supplied'] })
      const listed = await curl(
        '-X',
        'LIST',
        '-H',
        `X-Service-Token: ${app.rootToken}`,
        `${app.httpsUrl}/v1/auth/cert/certs`,
      )
      expect(listed.data).toEqual({ keys: ['web'] })
    })
  })
})
