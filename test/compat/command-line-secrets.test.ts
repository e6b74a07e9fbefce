import { describe, expect, test } from 'vitest'
import { eachEngine } from '../support/databases.ts'
import { tokenProvider } from '../support/fakes/token-provider.ts'
import { isInstalled } from '../support/programs/programs.ts'
import { closedAfterTest } from '../support/shared.ts'
import { type CommandLineBench, commandLineBench, commandLines } from './command-line-bench.ts'

/** A token with a policy, which may not be more than one line long. */
async function tokenWith({ file, run }: CommandLineBench, name: string, policy: string): Promise<string> {
  await run('policy', 'write', name, await file(`${name}.hcl`, policy))
  return (await run('token', 'create', `-policy=${name}`)).auth.client_token
}

describe.each(commandLines)('%s', (_name, program) => {
  describe.skipIf(!isInstalled(program, 'version'))('unmodified', () => {
    eachEngine((engine) => {
      test('every command of kv works with versions', async () => {
        const bench = await commandLineBench(program, engine)
        const { app, file, textAs, run, refusal } = bench
        await run('secrets', 'enable', '-path=app', '-version=2', 'kv')
        expect((await run('kv', 'put', 'app/db', 'user=a', 'password=one')).data.version).toBe(1)
        expect((await run('kv', 'put', '-mount=app', '-cas=1', 'db', 'user=a', 'password=two')).data.version).toBe(2)
        expect(await refusal(app.rootToken, 'kv', 'put', '-cas=1', 'app/db', 'x=y')).toContain(
          'check-and-set parameter did not match the current version',
        )
        expect((await run('kv', 'get', 'app/db')).data.data).toEqual({ user: 'a', password: 'two' })
        expect((await run('kv', 'get', '-mount=app', '-version=1', 'db')).data.data.password).toBe('one')
        expect(await run('kv', 'get', '-field=password', 'app/db')).toBe('two')
        expect(await textAs(app.rootToken, 'kv', 'get', '-format=table', 'app/db')).toMatch(
          /app\/data\/db[\s\S]*version +2[\s\S]*password +two/,
        )
        expect((await run('kv', 'get', '-wrap-ttl=1m', 'app/db')).wrap_info.creation_path).toBe('app/data/db')

        const patched = await run('kv', 'patch', '-cas=2', 'app/db', 'host=h')
        expect(patched.data.version).toBe(3)
        await run('kv', 'patch', '-method=rw', 'app/db', 'port=1')
        await run('kv', 'patch', '-method=patch', '-remove-data=host', 'app/db', 'port=2')
        expect((await run('kv', 'get', 'app/db')).data.data).toEqual({ user: 'a', password: 'two', port: '2' })
        // The program reads and writes where it may not patch.
        const rules = 'path "app/data/*" { capabilities = ["read", "update"] }'
        const writer = await tokenWith(bench, 'writer', rules)
        await textAs(writer, 'kv', 'patch', 'app/db', 'port=3')
        expect(await run('kv', 'get', '-field=port', 'app/db')).toBe('3')
        expect(await refusal(app.rootToken, 'kv', 'patch', 'app/none', 'a=b')).toContain('Code: 404')

        const json = await file('secret.json', '{"n": 12345678901234567890, "list": [1, {"a": null}]}')
        await run('kv', 'put', 'app/team/json', `@${json}`)
        expect(await textAs(app.rootToken, 'kv', 'get', 'app/team/json')).toContain('12345678901234567890')
        expect(await run('kv', 'list', 'app')).toEqual(['db', 'team/'])
        expect(await run('kv', 'list', '-mount=app', 'team')).toEqual(['json'])
        expect(await refusal(app.rootToken, 'kv', 'list', 'app/none')).toBe('')

        await run('kv', 'delete', 'app/db')
        // The program shows what is known of a deleted version, and does not fail.
        expect((await run('kv', 'get', 'app/db')).data.metadata.deletion_time).not.toBe('')
        expect(await refusal(app.rootToken, 'kv', 'get', '-field=user', 'app/db')).toContain('No data found')
        await run('kv', 'undelete', '-versions=6', 'app/db')
        await run('kv', 'delete', '-versions=4,5', 'app/db')
        await run('kv', 'destroy', '-versions=5', '-mount=app', 'db')
        const { versions } = (await run('kv', 'metadata', 'get', 'app/db')).data
        expect(
          Object.entries<Version>(versions).map(([number, { destroyed, deletion_time }]) => [
            number,
            destroyed,
            deletion_time !== '',
          ]),
        ).toEqual([
          ['1', false, false],
          ['2', false, false],
          ['3', false, false],
          ['4', false, true],
          ['5', true, true],
          ['6', false, false],
        ])
        await run('kv', 'rollback', '-version=1', 'app/db')
        expect((await run('kv', 'get', 'app/db')).data).toMatchObject({
          data: { password: 'one' },
          metadata: { version: 7 },
        })
        expect(await refusal(app.rootToken, 'kv', 'rollback', '-version=5', 'app/db')).toContain(
          'Cannot roll back to a version',
        )
        expect(await refusal(app.rootToken, 'kv', 'get', 'app/none')).toContain('No value found at app/data/none')
        expect((await run('read', 'app/db')).warnings[0]).toMatch(/^Invalid path for a versioned K\/V secrets engine/)
      })

      test('metadata of secrets are written, patched, read and deleted', async () => {
        const { app, textAs, run, refusal } = await commandLineBench(program, engine)
        await run('secrets', 'enable', '-path=app', 'kv-v2')
        const terms = ['-max-versions=3', '-delete-version-after=36h', '-cas-required=true', '-custom-metadata=owner=a']
        await run('kv', 'metadata', 'put', ...terms, '-custom-metadata=team=b', 'app/db')
        expect((await run('kv', 'metadata', 'get', 'app/db')).data).toMatchObject({
          max_versions: 3,
          delete_version_after: '36h0m0s',
          cas_required: true,
          custom_metadata: { owner: 'a', team: 'b' },
          current_version: 0,
          versions: {},
        })
        const patch = [
          '-max-versions=5',
          '-cas-required=false',
          '-custom-metadata=owner=c',
          '-remove-custom-metadata=team',
        ]
        await run('kv', 'metadata', 'patch', ...patch, '-mount=app', 'db')
        await run('kv', 'put', 'app/db', 'x=1')
        const { metadata } = (await run('kv', 'get', 'app/db')).data
        expect(metadata.custom_metadata).toEqual({ owner: 'c' })
        expect(Date.parse(metadata.deletion_time) - Date.parse(metadata.created_time)).toBe(36 * 3_600_000)
        expect(await textAs(app.rootToken, 'kv', 'metadata', 'get', '-format=table', 'app/db')).toMatch(
          /max_versions +5[\s\S]*Version 1/,
        )
        await run('kv', 'metadata', 'delete', 'app/db')
        expect(await refusal(app.rootToken, 'kv', 'metadata', 'get', 'app/db')).toContain('No value found')
        expect(await refusal(app.rootToken, 'kv', 'metadata', 'patch', '-max-versions=1', 'app/db')).toContain('404')
      })

      test('kv works without versions, and a mount is upgraded', async () => {
        const { app, textAs, run, refusal } = await commandLineBench(program, engine)
        await run('secrets', 'enable', '-path=old', 'kv')
        await run('kv', 'put', 'old/team/db', 'user=a', 'ttl=1h')
        expect(await run('kv', 'get', 'old/team/db')).toMatchObject({ data: { user: 'a' }, lease_duration: 3600 })
        expect(await run('kv', 'get', '-mount=old', '-field=user', 'team/db')).toBe('a')
        expect(await run('kv', 'list', 'old')).toEqual(['team/'])
        expect(await refusal(app.rootToken, 'kv', 'patch', 'old/team/db', 'a=b')).toContain(
          'KV engine mount must be version 2',
        )
        expect(await refusal(app.rootToken, 'kv', 'metadata', 'get', 'old/team/db')).toContain(
          'Metadata not supported on KV Version 1',
        )
        await run('kv', 'put', 'old/gone', 'a=b')
        await run('kv', 'delete', 'old/gone')
        expect(await refusal(app.rootToken, 'kv', 'get', 'old/gone')).toContain('No value found at old/gone')
        await textAs(app.rootToken, 'kv', 'enable-versioning', 'old/')
        expect((await run('kv', 'get', 'old/team/db')).data).toMatchObject({
          data: { user: 'a' },
          metadata: { version: 1 },
        })
        expect((await run('kv', 'put', '-cas=1', 'old/team/db', 'user=b')).data.version).toBe(2)
      })

      test('engines are enabled, listed, tuned, moved and disabled', async () => {
        const bench = await commandLineBench(program, engine)
        const { app, textAs, run, refusal } = bench
        await run('secrets', 'enable', '-path=team/kv', '-description=Team', '-max-lease-ttl=2h', '-version=2', 'kv')
        expect((await run('secrets', 'list', '-detailed'))['team/kv/']).toMatchObject({
          type: 'kv',
          description: 'Team',
          options: { version: '2' },
          config: { max_lease_ttl: 7200 },
        })
        expect(await textAs(app.rootToken, 'secrets', 'list', '-format=table')).toMatch(
          /team\/kv\/ +kv +kv_\w{8} +Team/,
        )
        await run(
          'secrets',
          'tune',
          '-default-lease-ttl=30m',
          '-listing-visibility=unauth',
          '-description=All',
          'team/kv/',
        )
        expect((await run('read', 'sys/mounts/team/kv/tune')).data).toMatchObject({
          default_lease_ttl: 1800,
          description: 'All',
          listing_visibility: 'unauth',
        })
        expect(await refusal(app.rootToken, 'secrets', 'enable', '-path=team', 'kv')).toContain(
          'path is already in use at team/kv/',
        )
        expect(await refusal(app.rootToken, 'secrets', 'enable', 'transit')).toContain("type 'transit'")
        await run('kv', 'put', 'team/kv/a', 'x=1')
        expect(await textAs(app.rootToken, 'secrets', 'move', 'team/kv/', 'all/')).toContain('all/')
        expect(await run('kv', 'get', '-field=x', 'all/a')).toBe('1')
        expect(await textAs(app.rootToken, 'path-help', '-format=table', 'all/data/a')).toContain('Read a secret')
        // The program learns the version of a mount also by a token that may read one secret alone.
        const reader = await tokenWith(bench, 'reader', 'path "all/data/a" { capabilities = ["read"] }')
        expect(await textAs(reader, 'kv', 'get', '-format=table', '-field=x', 'all/a')).toBe('1')
        expect(await refusal(reader, 'kv', 'get', 'all/b')).toContain('Code: 403')
        expect(await refusal(reader, 'kv', 'get', 'none/a')).toContain("no mount at 'none/a'")
        await run('secrets', 'disable', 'all/')
        expect(Object.keys(await run('secrets', 'list'))).toEqual(['cubbyhole/', 'identity/', 'sys/'])
      })

      test('application roles and JWTs log in, also with a wrapped secret id', async () => {
        const { app, run, runAs, refusal } = await commandLineBench(program, engine)
        await run('auth', 'enable', 'approle')
        const role = 'auth/approle/role/web'
        await run('write', role, 'token_policies=reader', 'secret_id_num_uses=1', 'secret_id_ttl=10m', 'token_ttl=20m')
        expect(await run('list', 'auth/approle/role')).toEqual(['web'])
        const { role_id } = (await run('read', `${role}/role-id`)).data
        const { secret_id, secret_id_accessor } = (await run('write', '-f', `${role}/secret-id`)).data
        expect(await run('list', `${role}/secret-id`)).toEqual([secret_id_accessor])
        const login = ['write', 'auth/approle/login', `role_id=${role_id}`]
        const { auth } = await runAs('', ...login, `secret_id=${secret_id}`)
        expect(auth).toMatchObject({
          lease_duration: 1200,
          metadata: { role_name: 'web' },
          policies: ['default', 'reader'],
        })
        expect(await refusal('', ...login, `secret_id=${secret_id}`)).toContain('invalid role or secret ID')
        const { wrap_info } = await run('write', '-f', '-wrap-ttl=1m', `${role}/secret-id`)
        expect(wrap_info.creation_path).toBe(`${role}/secret-id`)
        const opened = (await runAs('', 'unwrap', wrap_info.token)).data
        expect(opened.secret_id_accessor).toBe(wrap_info.wrapped_accessor)
        await run('write', `${role}/secret-id-accessor/destroy`, `secret_id_accessor=${opened.secret_id_accessor}`)
        expect(await refusal('', ...login, `secret_id=${opened.secret_id}`)).toContain('invalid role or secret ID')
        await run('delete', role)

        const provider = await closedAfterTest(tokenProvider())
        await run('auth', 'enable', '-path=ci', 'jwt')
        await run('write', 'auth/ci/config', `oidc_discovery_url=${provider.url}`)
        const terms = ['role_type=jwt', 'user_claim=sub', 'bound_audiences=holdfast', 'token_policies=reader']
        await run('write', 'auth/ci/role/deploy', ...terms)
        const now = Math.floor(app.clock.now() / 1_000)
        const jwt = await provider.sign({ iss: provider.url, sub: 'job', aud: 'holdfast', iat: now, exp: now + 60 })
        const job = await runAs('', 'write', 'auth/ci/login', 'role=deploy', `jwt=${jwt}`)
        expect(job.auth.metadata).toEqual({ role: 'deploy' })
        expect(await refusal('', 'write', 'auth/ci/login', 'role=deploy', 'jwt=x.y.z')).toContain(
          'error validating token',
        )
      })
    })
  })
})

type Version = { readonly destroyed: boolean; readonly deletion_time: string }
