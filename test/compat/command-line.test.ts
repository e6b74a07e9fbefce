import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mintCa, mintLeaf } from '../support/certificates.ts'
import { eachEngine } from '../support/databases.ts'
import { isInstalled } from '../support/programs/programs.ts'
import { commandLineBench, commandLines, parsed } from './command-line-bench.ts'

describe.each(commandLines)('%s', (_name, program) => {
  describe.skipIf(!isInstalled(program, 'version'))('unmodified', () => {
    eachEngine((engine) => {
      test('status, login, policies, tokens and capabilities work', async () => {
        const { app, file, textAs, runAs, run, refusal } = await commandLineBench(program, engine)
        expect(await run('status')).toMatchObject({ sealed: false, initialized: true })
        await runAs('', 'login', '-no-print', app.rootToken)
        expect((await textAs('', 'print', 'token')).trim()).toContain(app.rootToken)
        expect((await runAs('', 'token', 'lookup')).data.policies).toEqual(['root'])

        await run(
          'policy',
          'write',
          'reader',
          await file('reader.hcl', 'path "sys/mounts" { capabilities = ["read"] }'),
        )
        expect(await run('policy', 'list')).toEqual(['default', 'reader', 'root'])
        expect((await run('policy', 'read', 'reader')).policy).toContain('sys/mounts')
        const made = ['-policy=reader', '-ttl=1h', '-display-name=ci', '-metadata=team=a', '-explicit-max-ttl=5h']
        const { auth } = await run('token', 'create', ...made)
        const token: string = auth.client_token
        expect((await run('token', 'lookup', token)).data).toMatchObject({
          policies: ['default', 'reader'],
          display_name: 'token-ci',
          meta: { team: 'a' },
        })
        expect((await run('token', 'lookup', '-accessor', auth.accessor)).data.id).toBe('')
        expect((await run('token', 'renew', '-increment=2h', token)).auth.lease_duration).toBe(7200)
        expect((await runAs(token, 'token', 'renew', '-increment=3h')).auth.lease_duration).toBe(10_800)
        expect(await run('token', 'capabilities', token, 'sys/mounts')).toEqual(['read'])
        expect(await runAs(token, 'token', 'capabilities', 'sys/auth')).toEqual(['deny'])
        expect(await refusal(token, 'read', 'sys/auth')).toContain('permission denied')
        await run('token', 'revoke', token)
        expect(await refusal(token, 'token', 'lookup')).toContain('Code: 403')

        await run('write', 'auth/token/roles/ci', 'allowed_policies=reader', 'token_period=1h', 'orphan=true')
        expect(await run('list', 'auth/token/roles')).toEqual(['ci'])
        const periodic = (await run('token', 'create', '-role=ci')).auth
        expect(periodic).toMatchObject({ lease_duration: 3600, orphan: true })
        await run('token', 'revoke', '-accessor', periodic.accessor)
        await run('token', 'create', '-type=batch', '-policy=reader')
        await run('token', 'revoke', '-mode=path', 'auth/token/create')
        await run('policy', 'delete', 'reader')
        expect(await run('policy', 'list')).toEqual(['default', 'root'])
      })

      test('auth methods at two paths, certificate login and audit devices work', async () => {
        const { app, directory, file, runAs, run, refusal } = await commandLineBench(program, engine)
        const clientCa = mintCa()
        await run('auth', 'enable', 'cert')
        await run('auth', 'enable', '-path=edge/cert', '-description=Edge', '-max-lease-ttl=2h', 'cert')
        expect(Object.keys(await run('auth', 'list')).sort()).toEqual(['cert/', 'edge/cert/', 'token/'])
        expect((await run('auth', 'list', '-detailed'))['edge/cert/']).toMatchObject({ description: 'Edge' })
        await run('auth', 'tune', '-default-lease-ttl=30m', '-description=Machines', 'cert/')
        expect((await run('read', 'sys/auth/cert/tune')).data).toMatchObject({
          default_lease_ttl: 1800,
          description: 'Machines',
        })
        await run('auth', 'tune', '-max-lease-ttl=100h', 'token/')

        const ca = await file('ca.pem', clientCa.pem)
        await run(
          'write',
          'auth/cert/certs/web',
          `certificate=@${ca}`,
          'token_policies=reader',
          'allowed_common_names=web*',
        )
        expect(await run('list', 'auth/cert/certs')).toEqual(['web'])
        expect((await run('read', 'auth/cert/certs/web')).data.allowed_common_names).toEqual(['web*'])
        const identity = async (commonName: string): Promise<string[]> => {
          const leaf = mintLeaf(clientCa, { commonName })
          const pair = [await file(`${commonName}.pem`, leaf.chainPem), await file(`${commonName}.key`, leaf.keyPem)]
          return [`-client-cert=${pair[0]}`, `-client-key=${pair[1]}`]
        }
        const web = await identity('web-1')
        const login = await runAs('', 'login', '-method=cert', ...web, 'name=web')
        expect(login.auth).toMatchObject({ lease_duration: 1800, metadata: { cert_name: 'web', common_name: 'web-1' } })
        expect((await runAs('', 'token', 'lookup')).data.display_name).toBe('cert-web')
        expect((await runAs('', 'token', 'renew', ...web)).auth.lease_duration).toBe(1800)
        expect(await refusal('', 'token', 'renew')).toContain('Code: 400')
        expect(await refusal('', 'login', '-method=cert', ...(await identity('db-1')))).toContain('Code: 400')
        expect(await refusal('', 'login', '-method=cert')).toContain('client certificate must be supplied')
        await run('auth', 'move', 'auth/cert/', 'auth/fleet/cert/')
        expect((await runAs('', 'login', '-method=cert', '-path=fleet/cert', ...web)).auth.policies).toContain('reader')

        const log = join(directory, 'audit.log')
        await run('audit', 'enable', 'file', `file_path=${log}`)
        expect(Object.keys(await run('audit', 'list'))).toEqual(['file/'])
        expect((await run('audit', 'list', '-detailed'))['file/'].options).toEqual({ file_path: log })
        await run('audit', 'disable', 'file')
        expect(await readFile(log, 'utf8')).not.toContain(app.rootToken)
        for (const path of ['fleet/cert', 'edge/cert']) await run('auth', 'disable', path)
        expect(Object.keys(await run('auth', 'list'))).toEqual(['token/'])
      })

      test('reads, writes, help, leases, wrapping, identity and key rotation work', async () => {
        const { app, textAs, runAs, run, refusal } = await commandLineBench(program, engine)
        await run('write', 'cubbyhole/a/b', 'x=1', 'y=two')
        expect((await run('read', 'cubbyhole/a/b')).data).toEqual({ x: '1', y: 'two' })
        expect(await run('list', 'cubbyhole')).toEqual(['a/'])
        await run('delete', 'cubbyhole/a/b')
        expect(await refusal(app.rootToken, 'read', 'cubbyhole/a/b')).toContain('No value found')
        for (const path of ['sys', 'sys/mounts', 'auth/token', 'auth/token/create'])
          expect(await textAs(app.rootToken, 'path-help', '-format=table', path)).toMatch(/GET|POST/)
        expect(Object.keys(await run('secrets', 'list'))).toEqual(['cubbyhole/', 'identity/', 'sys/'])

        await run('token', 'create', '-policy=default', '-ttl=1h')
        const [lease] = await run('list', 'sys/leases/lookup/auth/token/create')
        const id = `auth/token/create/${lease}`
        expect((await run('lease', 'lookup', id)).data.id).toBe(id)
        expect(await refusal(app.rootToken, 'lease', 'renew', id)).toContain('Code: 400')
        await run('lease', 'revoke', '-sync', id)
        await run('lease', 'revoke', '-prefix', 'auth/token/create')

        const wrapped = await run('token', 'create', '-wrap-ttl=5m', '-policy=default')
        expect((await run('unwrap', wrapped.wrap_info.token)).auth.policies).toEqual(['default'])
        expect(await refusal(app.rootToken, 'unwrap', wrapped.wrap_info.token)).toContain('not valid or does not exist')
        const own = await run('write', '-wrap-ttl=60', 'sys/wrapping/wrap', 'a=b')
        expect((await runAs(own.wrap_info.token, 'unwrap')).data).toEqual({ a: 'b' })

        const { id: entity } = (await run('write', 'identity/entity', 'name=bob', 'policies=default')).data
        expect((await run('read', 'identity/entity/name/bob')).data.id).toBe(entity)
        expect(await run('list', 'identity/entity/id')).toEqual([entity])
        const before = (await run('operator', 'key-status')).term
        await run('operator', 'rotate')
        await run('write', '-force', 'sys/rotate')
        expect((await run('operator', 'key-status')).term).toBe(before + 2)
        expect(await textAs(app.rootToken, 'version-history')).toContain('1.21.0+ent')
        expect(await run('operator', 'members')).toEqual({ Nodes: expect.any(Array) })
        await run('operator', 'step-down')
        expect(await refusal(app.rootToken, 'namespace', 'create', 'x')).toContain('there is only the root namespace')
      })

      test('init, unseal and seal with key shares work', async () => {
        const seal = { type: 'shamir', rootKey: { kind: 'file', path: '/nowhere' } } as const
        const { textAs, runAs, refusal } = await commandLineBench(program, engine, { settings: { seal } })
        expect(await refusal('', 'operator', 'init', '-key-shares=2', '-key-threshold=3')).toContain('Code: 400')
        // Exits with 2 while the server is sealed.
        const statusOf = () => textAs('', 'status').catch((error: { stdout: string }) => error.stdout)
        expect(parsed(await statusOf())).toMatchObject({ initialized: false, sealed: true })
        const made = await runAs('', 'operator', 'init', '-key-shares=3', '-key-threshold=2')
        expect(made).toMatchObject({ unseal_shares: 3, unseal_threshold: 2 })
        const [first, second] = made.unseal_keys_b64 as [string, string, string]
        expect(await runAs('', 'operator', 'unseal', first)).toMatchObject({ sealed: true, progress: 1, t: 2, n: 3 })
        expect(await runAs('', 'operator', 'unseal', second)).toMatchObject({ sealed: false, progress: 0 })
        expect((await runAs(made.root_token, 'token', 'lookup')).data.policies).toEqual(['root'])
        const begun = await runAs(made.root_token, 'operator', 'generate-root', '-init')
        const share = (key: string) => runAs(made.root_token, 'operator', 'generate-root', `-nonce=${begun.nonce}`, key)
        expect(await share(first)).toMatchObject({ progress: 1, complete: false })
        const { encoded_root_token: encoded } = await share(second)
        const decoded = await runAs(
          made.root_token,
          'operator',
          'generate-root',
          `-decode=${encoded}`,
          `-otp=${begun.otp}`,
        )
        expect((await runAs(decoded.token, 'token', 'lookup')).data.policies).toEqual(['root'])
        const { nonce } = await runAs(
          made.root_token,
          'operator',
          'rekey',
          '-init',
          '-key-shares=1',
          '-key-threshold=1',
        )
        const rekey = (key: string) => runAs(made.root_token, 'operator', 'rekey', `-nonce=${nonce}`, key)
        expect(await rekey(first)).toMatchObject({ progress: 1, started: true })
        const { keys_base64: renewed } = await rekey(second)
        expect(await runAs(made.root_token, 'operator', 'rekey', '-status')).toMatchObject({ started: false })
        await runAs(made.root_token, 'operator', 'seal')
        expect(await runAs('', 'operator', 'unseal', renewed[0])).toMatchObject({ sealed: false })
        await runAs(made.root_token, 'operator', 'seal')
        expect(await refusal(made.root_token, 'token', 'lookup')).toContain('is sealed')
        expect(parsed(await statusOf())).toMatchObject({ initialized: true, sealed: true })
      })

      test('a snapshot is saved and restored', async () => {
        const { directory, run } = await commandLineBench(program, engine)
        const archive = join(directory, 'now.snap')
        await run('write', 'identity/entity', 'name=before')
        await run('operator', 'raft', 'snapshot', 'save', archive)
        expect((await stat(archive)).size).toBeGreaterThan(1_000)
        await run('write', 'identity/entity', 'name=after')
        await run('operator', 'raft', 'snapshot', 'restore', archive)
        expect(await run('list', 'identity/entity/name')).toEqual(['before'])
        expect((await run('operator', 'raft', 'list-peers')).data.config.servers).toHaveLength(1)
      })
    })
  })
})
