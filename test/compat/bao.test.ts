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

/** The command line, on the path or where `HOLDFAST_COMPAT_BAO` says. */
const program = process.env.HOLDFAST_COMPAT_BAO ?? 'bao'

function isInstalled(): boolean {
  try {
    execFileSync(program, ['version'], { stdio: 'ignore' })
    return true
  } catch (thrown) {
    if (thrown instanceof Error) return false
    throw thrown
  }
}

describe.skipIf(!isInstalled())('bao', () => {
  eachEngine((engine) => {
    test('a whole round: status, login, policies, tokens, capabilities, auth methods, audit', async () => {
      const directory = await mkdtemp(join(tmpdir(), 'holdfast-compat-'))
      onTestFinished(() => rm(directory, { recursive: true }))
      const [serverCa, clientCa] = [mintCa(), mintCa()]
      const server = mintServer(serverCa, { ips: ['127.0.0.1'] })
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
      const caFile = await file('server-ca.pem', serverCa.pem)
      const environment = { BAO_ADDR: app.httpsUrl, BAO_CACERT: caFile, BAO_FORMAT: 'json', HOME: directory }
      const runAs = async (token: string, ...args: string[]) => {
        const env = { PATH: process.env.PATH, ...environment, ...(token ? { BAO_TOKEN: token } : {}) }
        const { stdout } = await promisify(execFile)(program, args, { env })
        return stdout === '' ? undefined : parsed(stdout)
      }
      const bao = (...args: string[]) => runAs(app.rootToken, ...args)

      expect(await bao('status')).toMatchObject({ sealed: false })
      await runAs('', 'login', '-no-print', app.rootToken)
      expect((await bao('token', 'lookup')).data.policies).toEqual(['root'])
      const rules = 'path "sys/mounts" { capabilities = ["read"] }'
      await bao('policy', 'write', 'reader', await file('reader.hcl', rules))
      expect(await bao('policy', 'list')).toContain('reader')
      const { auth } = await bao('token', 'create', '-policy=reader', '-ttl=1h')
      expect((await bao('token', 'lookup', auth.client_token)).data.policies).toEqual(['default', 'reader'])
      expect((await bao('token', 'renew', '-increment=2h', auth.client_token)).auth.lease_duration).toBe(7200)
      expect(await bao('token', 'capabilities', auth.client_token, 'sys/mounts')).toEqual(['read'])
      await bao('token', 'revoke', auth.client_token)
      await expect(runAs(auth.client_token, 'token', 'lookup')).rejects.toThrow()

      for (const path of ['cert', 'edge/cert']) await bao('auth', 'enable', `-path=${path}`, 'cert')
      expect(Object.keys(await bao('auth', 'list')).sort()).toEqual(['cert/', 'edge/cert/', 'token/'])
      await bao('auth', 'tune', '-default-lease-ttl=30m', 'cert/')
      const role = await file('ca.pem', clientCa.pem)
      await bao('write', 'auth/cert/certs/web', `certificate=@${role}`, 'token_policies=reader')
      expect(await bao('list', 'auth/cert/certs')).toEqual(['web'])
      const leaf = mintLeaf(clientCa, { commonName: 'web' })
      const pair = [await file('client.pem', leaf.chainPem), await file('client-key.pem', leaf.keyPem)]
      const login = await runAs(
        '',
        'login',
        '-method=cert',
        `-client-cert=${pair[0]}`,
        `-client-key=${pair[1]}`,
        'name=web',
      )
      expect(login.auth.lease_duration).toBe(1800)

      await bao('audit', 'enable', 'file', `file_path=${join(directory, 'audit.log')}`)
      expect(Object.keys(await bao('audit', 'list'))).toEqual(['file/'])
      await bao('audit', 'disable', 'file')
      for (const path of ['cert', 'edge/cert']) await bao('auth', 'disable', path)
      expect(Object.keys(await bao('auth', 'list'))).toEqual(['token/'])
    })
  })
})

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
