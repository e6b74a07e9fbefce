import { describe, expect, test } from 'vitest'
import { mintCa, mintLeaf } from '../support/certificates.ts'
import { eachEngine } from '../support/databases.ts'
import { decryptPgp, pgpKey } from '../support/openpgp.ts'
import { isInstalled } from '../support/programs/programs.ts'
import { commandLineBench, commandLines, parsed } from './command-line-bench.ts'

/** Commands for what does not exist here, and words of the refusal that people then read. */
const absent: readonly (readonly [string, string])[] = [
  ['secrets enable -path=here pki', "no secrets engine of type 'pki'"],
  ['secrets move cubbyhole/ other/', "'from' must be the path of an auth method"],
  ['auth enable userpass', "no auth method of type 'userpass'"],
  ['audit enable syslog', "no audit device type 'syslog'"],
  ['kv get secret/a', "no mount at 'secret/a'"],
  ['kv put secret/a b=c', "no mount at 'secret/a'"],
  ['patch cubbyhole/a b=c', 'unsupported operation'],
  ['plugin reload -plugin=cert', 'unsupported path'],
  ['operator rekey -status', 'unseals itself'],
  ['operator raft join http://127.0.0.1:1', 'Nodes here share a database'],
  ['operator raft remove-peer other', 'Nodes here share a database'],
  ['monitor', 'unsupported path'],
  ['namespace create team', 'there is only the root namespace'],
  ['token lookup -namespace=team', 'namespace not found'],
]

/** The same for commands that only `bao` has. */
const absentInBao: typeof absent = [
  ['scan cubbyhole/a', 'unsupported operation'],
  ['scan sys/policies/acl', 'unsupported operation'],
  ['operator rotate-keys -status', 'unsupported path'],
]

describe.each(commandLines)('%s', (name, program) => {
  describe.skipIf(!isInstalled(program, 'version'))('unmodified', () => {
    eachEngine((engine) => {
      test('commands for features that do not exist end with an error that says so', async () => {
        const { app, refusal } = await commandLineBench(program, engine)
        for (const [line, words] of name === 'bao' ? [...absent, ...absentInBao] : absent)
          expect(await refusal(app.rootToken, ...line.split(' ')), line).toContain(words)
      })

      test('certificate logins print and store the token as their flags ask', async () => {
        const { file, textAs, run } = await commandLineBench(program, engine)
        const clientCa = mintCa()
        const leaf = mintLeaf(clientCa, { commonName: 'web-1' })
        await run('auth', 'enable', '-path=edge', 'cert')
        await run('write', 'auth/edge/certs/web', `certificate=@${await file('ca.pem', clientCa.pem)}`)
        const pair = [
          `-client-cert=${await file('client.pem', leaf.chainPem)}`,
          `-client-key=${await file('client.key', leaf.keyPem)}`,
        ]
        const login = (...flags: string[]) => textAs('', 'login', '-method=cert', '-path=edge', ...flags, ...pair)
        expect(await login('-no-print')).toBe('')
        const stored = await textAs('', 'print', 'token')
        const only = await login('-token-only', '-format=table')
        expect((await run('token', 'lookup', only.trim())).data.path).toBe('auth/edge/login')
        expect((await textAs('', 'print', 'token')).trim()).toBe(stored.trim())
        expect(await login('-format=table', '-no-store')).toMatch(/token_meta_common_name +web-1/)
        expect(await login('-format=yaml', '-no-store')).toMatch(/^ {4}cert_name: web$/m)
        const wrapped = ['write', '-format=json', '-wrap-ttl=5m', ...pair, 'auth/edge/login', 'name=web']
        const { wrap_info: envelope } = parsed(await textAs('', ...wrapped))
        expect((await run('unwrap', envelope.token)).auth.metadata.cert_name).toBe('web')
        expect((await run('token', 'lookup', '-accessor', envelope.wrapped_accessor)).data.path).toBe('auth/edge/login')
      })

      test('init hands out key shares and the root token encrypted for PGP keys', async () => {
        const seal = { type: 'shamir', rootKey: { kind: 'file', path: '/nowhere' } } as const
        const { file, runAs } = await commandLineBench(program, engine, { settings: { seal } })
        const decrypt = (holder: string, message: string) => decryptPgp(`${holder}.sec`, Buffer.from(message, 'base64'))
        const holders = await Promise.all(['rsa', 'curve'].map((holder) => file(holder, pgpKey(`${holder}.pub`))))
        const pgp = [`-pgp-keys=${holders.join(',')}`, `-root-token-pgp-key=${holders[1]}`]
        const made = await runAs('', 'operator', 'init', '-key-shares=2', '-key-threshold=2', ...pgp)
        const [first, second] = made.unseal_keys_b64 as [string, string]
        await runAs('', 'operator', 'unseal', decrypt('rsa', first))
        const status = await runAs('', 'operator', 'unseal', decrypt('curve', second))
        expect(status).toMatchObject({ sealed: false })
        expect((await runAs(decrypt('curve', made.root_token), 'token', 'lookup')).data.policies).toEqual(['root'])
      })

      test('answers are printed in every format', async () => {
        const { app, textAs, run } = await commandLineBench(program, engine)
        const text = (...args: string[]) => textAs(app.rootToken, ...args)
        expect(await text('status', '-format=yaml')).toMatch(/^sealed: false$/m)
        expect(await text('status', '-format=table')).toMatch(/Initialized +true/)
        await run('write', 'cubbyhole/a', 'x=1')
        expect(parsed(await text('read', '-format=raw', 'cubbyhole/a')).data).toEqual({ x: '1' })
        expect(await text('read', '-field=x', '-format=table', 'cubbyhole/a')).toBe('1')
        expect(await text('list', '-format=yaml', 'cubbyhole')).toBe('- a\n')
        expect(await text('policy', 'list', '-format=table')).toMatch(/^default\nroot\n$/)
        expect(await text('operator', 'members', '-format=table')).toMatch(/Active Node/)
        const help = parsed(await text('path-help', '-format=json', 'auth/token/create'))
        expect(Object.keys(help.paths)).toEqual(['/create'])
        if (name === 'bao')
          expect((await run('list', '-format=json', '-limit=1', 'sys/policies/acl')).slice(-1)).toEqual(['root'])
      })
    })
  })
})
