import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mintCa, mintLeaf } from '../support/certificates.ts'
import { eachEngine } from '../support/databases.ts'
import { ownApp } from '../support/shared.ts'
import { clientBench } from './client-bench.ts'

// biome-ignore lint/suspicious/noExplicitAny: the client has no types for what it returns
type Call = (...args: any[]) => Promise<any>
type Method =
  | 'addPolicy'
  | 'addTokenRole'
  | 'audits'
  | 'auths'
  | 'disableAudit'
  | 'delete'
  | 'disableAuth'
  | 'enableAudit'
  | 'enableAuth'
  | 'approleLogin'
  | 'mount'
  | 'mounts'
  | 'remount'
  | 'unmount'
  | 'getPolicy'
  | 'health'
  | 'init'
  | 'initialized'
  | 'list'
  | 'policies'
  | 'read'
  | 'removePolicy'
  | 'removeTokenRole'
  | 'seal'
  | 'status'
  | 'tokenAccessors'
  | 'tokenCreate'
  | 'tokenCreateRole'
  | 'tokenLookup'
  | 'tokenLookupAccessor'
  | 'tokenLookupSelf'
  | 'tokenRenew'
  | 'tokenRenewSelf'
  | 'tokenRevoke'
  | 'tokenRoles'
  | 'unseal'
  | 'unwrap'
  | 'update'
  | 'write'
type Vault = { token: string } & Record<Method, Call>
type Connect = (options: object) => Vault

/** The client is looked for in `NODE_PATH`, or in the folder that `HOLDFAST_COMPAT_MODULES` names. */
function findClient(): Connect | undefined {
  const folder = process.env.HOLDFAST_COMPAT_MODULES
  try {
    return createRequire(folder ? join(folder, 'index.js') : import.meta.url)('node-vault') as Connect
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw thrown
  }
}

const connect = findClient()
const policy =
  'path "auth/token/create" { capabilities = ["update"] } path "auth/cert/certs/*" { capabilities = ["read"] }'

describe.skipIf(!connect)('node-vault', () => {
  const client = connect as Connect

  eachEngine((engine) => {
    test('status, policies, tokens, capabilities, auth methods, certificates, audit and wrapping work', async () => {
      const { app, serverCa, directory } = await clientBench(engine)
      const clientCa = mintCa()
      const vault = client({ endpoint: app.url, token: app.rootToken })

      expect(await vault.initialized()).toEqual({ initialized: true })
      expect(await vault.status()).toMatchObject({ sealed: false, version: '1.21.0+ent' })
      expect(await vault.health()).toMatchObject({ initialized: true, sealed: false })
      expect((await vault.tokenLookupSelf()).data.policies).toEqual(['root'])

      await vault.addPolicy({ name: 'maker', rules: policy })
      expect((await vault.policies()).policies).toContain('maker')
      expect((await vault.getPolicy({ name: 'maker' })).rules).toBe(policy)

      const { auth } = await vault.tokenCreate({ policies: ['maker'], ttl: '1h', renewable: true })
      // The client would continue with a token it has created, so its own token is set again.
      vault.token = app.rootToken
      expect(auth).toMatchObject({ lease_duration: 3600, policies: ['default', 'maker'] })
      expect((await vault.tokenLookup({ token: auth.client_token })).data.ttl).toBeGreaterThan(3500)
      expect((await vault.tokenLookupAccessor({ accessor: auth.accessor })).data.id).toBe('')
      expect((await vault.tokenRenew({ token: auth.client_token, increment: '2h' })).auth.lease_duration).toBe(7200)
      vault.token = app.rootToken
      const own = client({ endpoint: app.url, token: auth.client_token })
      expect((await own.tokenRenewSelf()).auth.client_token).toBe(auth.client_token)
      const asked = await own.write('sys/capabilities-self', { paths: ['auth/cert/certs/web', 'sys/seal'] })
      expect(asked.data).toEqual({ 'auth/cert/certs/web': ['read'], 'sys/seal': ['deny'] })
      const child = (await own.tokenCreate()).auth
      own.token = auth.client_token
      await vault.tokenRevoke({ token: auth.client_token })
      await expect(own.tokenLookupSelf()).rejects.toThrow('permission denied')
      await expect(vault.tokenLookup({ token: child.client_token })).rejects.toThrow('bad token')
      expect((await vault.tokenAccessors()).data.keys.length).toBeGreaterThan(0)

      await vault.addTokenRole({ role_name: 'ci', allowed_policies: 'maker', orphan: true })
      expect((await vault.tokenRoles()).data.keys).toEqual(['ci'])
      expect((await vault.tokenCreateRole({ role_name: 'ci' })).auth.orphan).toBe(true)
      vault.token = app.rootToken
      await vault.removeTokenRole({ role_name: 'ci' })

      for (const mount_point of ['cert', 'edge/cert']) await vault.enableAuth({ mount_point, type: 'cert' })
      const methods = await vault.auths()
      expect(Object.keys(methods.data).sort()).toEqual(['cert/', 'edge/cert/', 'token/'])
      expect(methods['cert/'].type).toBe('cert')
      await vault.write('sys/auth/cert/tune', { default_lease_ttl: '30m' })
      expect((await vault.read('sys/auth/cert/tune')).data.default_lease_ttl).toBe(1800)

      await vault.write('auth/cert/certs/web', { certificate: clientCa.pem, policies: 'maker' })
      expect((await vault.list('auth/cert/certs')).data.keys).toEqual(['web'])
      const leaf = mintLeaf(clientCa, { commonName: 'web' })
      const tls = { ca: serverCa.pem, cert: leaf.chainPem, key: leaf.keyPem, strictSSL: true }
      const machine = client({
        endpoint: app.httpsUrl.replace('127.0.0.1', 'localhost'),
        requestOptions: { ...tls, agentOptions: { ...tls, lookup: loopback } },
      })
      const login = await machine.write('auth/cert/login', { name: 'web' })
      expect(login.auth).toMatchObject({ lease_duration: 1800, policies: ['default', 'maker'] })

      const log = join(directory, 'audit.log')
      await vault.enableAudit({ name: 'file', type: 'file', options: { file_path: log } })
      expect(Object.keys((await vault.audits()).data)).toEqual(['file/'])
      await vault.tokenLookupSelf()
      expect(await readFile(log, 'utf8')).toContain('auth/token/lookup-self')
      await vault.disableAudit({ name: 'file' })

      const wrapped = await vault.write('sys/wrapping/wrap', { a: 1 }, { headers: { 'X-Vault-Wrap-TTL': '60' } })
      const opened = await client({ endpoint: app.url, token: wrapped.wrap_info.token }).unwrap()
      expect(opened.data).toEqual({ a: 1 })

      for (const mount_point of ['cert', 'edge/cert']) await vault.disableAuth({ mount_point })
      expect(Object.keys((await vault.auths()).data)).toEqual(['token/'])
      await vault.removePolicy({ name: 'maker' })
      await expect(vault.getPolicy({ name: 'maker' })).rejects.toMatchObject({ response: { statusCode: 404 } })
    })

    test('secrets of both versions and logins with a secret id work', async () => {
      const { app } = await clientBench(engine)
      const vault = client({ endpoint: app.url, token: app.rootToken })
      await vault.mount({ mount_point: 'app', type: 'kv', options: { version: '2' } })
      expect((await vault.mounts())['app/']).toMatchObject({ type: 'kv', options: { version: '2' } })
      expect((await vault.write('app/data/db', { data: { user: 'a' }, options: { cas: 0 } })).data.version).toBe(1)
      await expect(vault.write('app/data/db', { data: {}, options: { cas: 0 } })).rejects.toThrow('check-and-set')
      expect((await vault.read('app/data/db')).data.data).toEqual({ user: 'a' })
      expect((await vault.list('app/metadata')).data.keys).toEqual(['db'])
      await vault.delete('app/data/db')
      await expect(vault.read('app/data/db')).rejects.toMatchObject({ response: { statusCode: 404 } })
      await vault.write('app/undelete/db', { versions: [1] })
      expect((await vault.update('app/data/db', { data: { port: 1, user: null } })).data.version).toBe(2)
      expect((await vault.read('app/subkeys/db')).data.subkeys).toEqual({ port: null })
      await vault.write('app/metadata/db', { max_versions: 5, custom_metadata: { owner: 'a' } })
      await vault.write('app/destroy/db', { versions: [2] })
      const { custom_metadata: owned, versions } = (await vault.read('app/metadata/db')).data
      expect([owned, versions[1].destroyed, versions[2].destroyed]).toEqual([{ owner: 'a' }, false, true])
      expect((await vault.write('app/data/db', { data: { user: 'a' } })).data.version).toBe(3)
      await vault.remount({ from: 'app', to: 'moved' })
      expect((await vault.read('moved/data/db')).data.data).toEqual({ user: 'a' })
      await vault.delete('moved/metadata/db')
      await expect(vault.list('moved/metadata')).rejects.toMatchObject({ response: { statusCode: 404 } })
      await vault.unmount({ mount_point: 'moved' })

      await vault.mount({ mount_point: 'plain', type: 'kv' })
      await vault.write('plain/a', { x: 1 })
      expect((await vault.read('plain/a')).data).toEqual({ x: 1 })

      await vault.enableAuth({ mount_point: 'approle', type: 'approle' })
      await vault.write('auth/approle/role/web', { token_policies: 'maker' })
      const { role_id } = (await vault.read('auth/approle/role/web/role-id')).data
      const { secret_id } = (await vault.write('auth/approle/role/web/secret-id')).data
      const machine = client({ endpoint: app.url })
      expect((await machine.approleLogin({ role_id, secret_id })).auth.policies).toEqual(['default', 'maker'])
      expect((await machine.tokenLookupSelf()).data.meta).toEqual({ role_name: 'web' })
      await expect(machine.approleLogin({ role_id, secret_id: 'none' })).rejects.toThrow('invalid role or secret ID')
    })

    test('a new server is initialised and unsealed', async () => {
      const seal = { type: 'shamir', rootKey: { kind: 'file', path: '/nowhere' } } as const
      const app = await ownApp({ engine, settings: { seal } })
      const vault = client({ endpoint: app.url })
      expect(await vault.initialized()).toEqual({ initialized: false })
      const { keys, root_token } = await vault.init({ secret_shares: 3, secret_threshold: 2 })
      expect((await vault.unseal({ key: keys[0] })).progress).toBe(1)
      expect((await vault.unseal({ key: keys[2] })).sealed).toBe(false)
      vault.token = root_token
      expect((await vault.tokenLookupSelf()).data.policies).toEqual(['root'])
      await vault.seal()
      expect((await vault.status()).sealed).toBe(true)
    })
  })
})

type Found = (error: null, address: string | { address: string; family: number }[], family?: number) => void

/** Names resolve to the loopback without a DNS query. */
const loopback = (_host: string, options: { all?: boolean }, found: Found): void =>
  options.all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4)
