import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { exportSPKI, generateKeyPair } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { startJobs } from '../../server/jobs/runner.ts'
import { snapshotJobs } from '../../server/product/snapshots/schedule/schedule-actions.ts'
import { mintCa, mintCrl, mintLeaf } from '../../test/support/certificates.ts'
import { clientEnvironment, runCommand } from '../../test/support/command-line.ts'
import { sharedFolder } from '../../test/support/folders.ts'
import { organization, person, team } from '../../test/support/platform.ts'
import { ownApp, shared, sharedApp } from '../../test/support/shared.ts'

const app = sharedApp()
const ann = shared(() => person(app, 'ann'))
const acme = shared(() => organization(ann, 'acme'))
const ops = shared(() => team(acme, 'ops'))
const directory = sharedFolder()

const runAs = (token: string, line: string | readonly string[], input = '') =>
  runCommand(typeof line === 'string' ? line.split(' ') : line, {
    environment: { HOLDFAST_ADDR: app.url, HOLDFAST_TOKEN: token, HOLDFAST_ORGANIZATION: acme.name },
    directory,
    readInput: async () => input,
  })
const run = (line: string | readonly string[], input?: string) => runAs(app.rootToken, line, input)
const file = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text)
  return join(directory, name)
}

const policyText = 'path "secret/*" {\n  capabilities = ["read"]\n}\n'

test('policy: refused without rights; create, list, show, update, delete', async () => {
  const weak = JSON.parse((await run('token create --policies default --json')).out).token
  expect(await runAs(weak, 'policy list')).toMatchObject({ code: 2, err: expect.stringContaining('403') })
  expect(await run(['policy', 'show', 'web'])).toMatchObject({
    code: 2,
    err: "holdfast: There is no policy 'web'. 'holdfast policy list' shows all.\n",
  })
  expect(await run('policy update web -', policyText)).toMatchObject({ code: 2 })
  expect((await run(['policy', 'create', 'web', file('web.hcl', policyText)])).out).toBe('Created: web\n')
  expect(await run('policy create web -', policyText)).toMatchObject({
    code: 1,
    err: "holdfast: There is a policy 'web' already; 'holdfast policy update' changes it.\n",
  })
  expect(await run('policy create web nowhere.hcl')).toMatchObject({
    code: 1,
    err: expect.stringContaining('it does not exist'),
  })
  expect((await run('policy list --all')).out).toBe('name\n----\ndefault\nweb\nroot\n')
  expect((await run('policy show web')).out).toBe(policyText)
  expect((await run('policy update web -', policyText.replace('read', 'list'))).code).toBe(0)
  expect(JSON.parse((await run('policy show web --json')).out).policy).toContain('list')
  expect(await run('policy update web -', 'path {')).toMatchObject({ code: 2 })
  expect(await run('policy delete web')).toMatchObject({ code: 1, err: expect.stringContaining('Add --yes') })
  expect((await run('policy delete web --yes')).out).toBe('Deleted: web\n')
})

test('token: create, show, renew and delete a service token', async () => {
  const made = await run(
    'token create --policies default --ttl 1h --no-parent --meta team=core --display-name web --field token',
  )
  expect(made.err).toBe('')
  const token = made.out
  const shown = JSON.parse((await run(['token', 'show', token, '--json'])).out)
  expect(shown).toMatchObject({ policies: ['default'], orphan: true, meta: { team: 'core' }, creation_ttl: 3600 })
  expect((await runAs(token, 'token show')).out).toMatch(/\npolicies +default\n/)
  expect((await run('token list')).out).toContain(shown.accessor)
  expect(JSON.parse((await runAs(token, 'token renew --increment 2h --json')).out)).toMatchObject({ renewable: true })
  expect((await run(['token', 'show', shown.accessor, '--accessor'])).out).toContain('token-web')
  expect(await run(['token', 'delete', shown.accessor, '--accessor'])).toMatchObject({ code: 1 })
  expect((await run(['token', 'delete', shown.accessor, '--accessor', '--yes'])).code).toBe(0)
  expect(await runAs(token, 'token show')).toMatchObject({ code: 2, err: expect.stringContaining('403') })
})

test('token: API tokens of users and teams', async () => {
  const mine = await runAs(ann.token, ['token', 'create', '--user', 'me', '--description', 'for a script', '--json'])
  const { id, token } = JSON.parse(mine.out)
  expect(token).toMatch(/^hfu\./)
  expect((await runAs(token, 'token list --user me')).out).toContain('for a script')
  expect((await runAs(ann.token, `token create --team ${ops.name} --description ci`)).out).toMatch(/\ntoken +hft\./)
  expect((await runAs(ann.token, `token list --team ${ops.id} --all`)).out).toMatch(/ ci /)
  expect(await runAs(ann.token, 'token create --user me --ttl 1h')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no ttl'),
  })
  expect(await run('token create --description x')).toMatchObject({
    code: 1,
    err: expect.stringContaining('--display-name'),
  })
  expect((await runAs(ann.token, `token show ${id}`)).out).toMatch(/\ndescription +for a script\n/)
  expect((await runAs(ann.token, `token delete ${id} --yes`)).out).toBe(`Revoked: the token ${id}\n`)
  expect((await runAs(token, 'token list --user me')).code).toBe(2)
})

test('cert: roles and revocation lists are created, listed, shown, changed and deleted', async () => {
  await app.root.post('/v1/sys/auth/edge', { type: 'cert' })
  const ca = mintCa()
  const pem = file('ca.pem', ca.pem)
  const role = [
    'cert',
    'create',
    'web',
    '--certificate',
    `@${pem}`,
    '--allowed-dns-sans',
    '*.example.com',
    '--token-policies',
    'a,b',
  ]
  expect(await run([...role, '--mount', 'nowhere'])).toMatchObject({ code: 2 })
  expect(await run([...role, '--mount', 'edge'])).toMatchObject({ code: 0, out: 'Created: web\n' })
  expect((await run('cert list --mount edge')).out).toBe('name\n----\nweb\n')
  expect((await run('cert show web --mount edge')).out).toMatch(
    /\ncertificate +-----BEGIN CERTIFICATE----- … \(\d+ lines\)\n[\s\S]*\nallowed_dns_sans +\*\.example\.com\n[\s\S]*\ntoken_policies +a, b\n/,
  )
  expect((await run('cert update web --token-ttl 30m --mount edge')).code).toBe(0)
  expect(JSON.parse((await run('cert show web --mount edge --json')).out)).toMatchObject({
    token_ttl: 1800,
    token_policies: ['a', 'b'],
  })
  expect(await run('cert update web --mount edge')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing to change'),
  })
  const crl = file('ca.crl', mintCrl(ca).pem)
  expect(await run(['cert', 'crl', 'create', 'issuing', '--crl', `@${crl}`, '--mount', 'edge'])).toMatchObject({
    code: 0,
    err: '',
  })
  expect((await run('cert crl list --mount edge')).out).toContain('issuing')
  expect((await run('cert crl show issuing --mount edge')).code).toBe(0)
  expect((await run('cert crl delete issuing --mount edge --yes')).code).toBe(0)
  expect((await run('cert delete web --mount edge --yes')).out).toBe('Deleted: web\n')
  expect((await run('cert show web --mount edge')).err).toContain("There is no certificate role 'web'")
})

test('cert explain: shows each check, and exits with 2 for a certificate that would not log in', async () => {
  await app.root.post('/v1/sys/auth/cert', { type: 'cert' })
  const since = { notBefore: new Date(app.clock.now()) }
  const [ca, other] = [mintCa(since), mintCa(since)]
  const leaf = file('leaf.pem', mintLeaf(ca, { commonName: 'web', ...since }).pem)
  expect(await run(`cert explain ${leaf}`)).toMatchObject({ code: 2, err: expect.stringContaining('There is no role') })
  await run(['cert', 'create', 'strangers', '--certificate', other.pem])
  expect(await run(`cert explain ${leaf}`)).toMatchObject({
    code: 2,
    out: expect.stringMatching(/\nstrangers +\w.* no +/),
    err: expect.stringContaining('does not log in'),
  })
  await run(['cert', 'create', 'web', '--certificate', ca.pem])
  expect(await run(`cert explain ${leaf} --role web`)).toMatchObject({
    code: 0,
    err: expect.stringContaining("by the role 'web'"),
  })
  expect(JSON.parse((await run(['cert', 'explain', leaf, '--json'])).out)).toMatchObject({
    accepted: true,
    accepted_by: 'web',
  })
})

test('snapshot: configurations are created, shown, run, changed and deleted', async () => {
  const runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 20 })
  onTestFinished(() => runner.stop())
  const place = ['--storage-type', 'local', '--path-prefix', join(directory, 'store'), '--local-max-space', '100000000']
  expect(await run(['snapshot', 'create', 'nightly', '--interval', '24h', ...place])).toMatchObject({
    code: 0,
    out: 'Created: nightly\n',
  })
  expect((await run('snapshot update nightly --retain 3')).out).toBe('Updated: nightly\n')
  expect((await run('snapshot show nightly --field retain')).out).toBe('3')
  expect((await run('snapshot run nightly')).code).toBe(0)
  expect((await run('snapshot status nightly')).out).toMatch(/\nlast_verified_at +20/)
  expect(await run('snapshot status nowhere')).toMatchObject({
    code: 2,
    err: expect.stringContaining("There is no snapshot configuration 'nowhere'"),
  })
  expect((await run('snapshot delete nightly --yes')).out).toBe('Deleted: nightly\n')
})

test('node: lists the nodes for site administrators, and for nobody else', async () => {
  const several = await ownApp({ runJobs: true })
  const list = (token: string) => runCommand(['node', 'list'], { environment: clientEnvironment(several.url, token) })
  expect(await list((await person(several, 'cleo')).token)).toMatchObject({ code: 2, out: '' })
  expect((await list(several.rootToken)).out).toMatch(/^name +state +version .*\n.*\ntest +present +\d/)
})

test('a command that takes something away asks where a terminal can answer', async () => {
  await run('policy create asked -', policyText)
  const typed = (line: string) => {
    const keyboard = Object.assign(new PassThrough(), { setRawMode: () => undefined })
    keyboard.end(line)
    const environment = clientEnvironment(app.url, app.rootToken)
    return runCommand(['policy', 'delete', 'asked'], { environment, keyboard })
  }
  expect(await typed('no\n')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /^This deletes the policy 'asked', which its tokens then lack\.\n.*Type yes to go on: holdfast: Nothing was done\.\n$/,
    ),
  })
  expect(await typed('yes\n')).toMatchObject({ code: 0, out: 'Deleted: asked\n' })
})

test('approle: roles, role ids and secret ids', async () => {
  await app.root.post('/v1/sys/auth/apps', { type: 'approle' })
  expect((await run('approle create web --token-policies a,b --secret-id-ttl 10m --mount apps')).code).toBe(0)
  expect((await run('approle list --mount apps')).out).toBe('name\n----\nweb\n')
  const { role_id } = JSON.parse((await run('approle role-id web --mount apps --json')).out)
  const made = JSON.parse((await run('approle secret-id create web --num-uses 2 --mount apps --json')).out)
  expect(made).toMatchObject({ secret_id_num_uses: 2, secret_id_ttl: 600 })
  const login = ['login', '--method', 'approle', '--path', 'apps', '--no-store', `role_id=${role_id}`]
  expect(await run([...login, `secret_id=${made.secret_id}`])).toMatchObject({ code: 0 })
  expect((await run('approle secret-id list web --mount apps')).out).toContain(made.secret_id_accessor)
  expect((await run(`approle secret-id destroy web ${made.secret_id_accessor} --mount apps --yes`)).code).toBe(0)
  expect(await run([...login, `secret_id=${made.secret_id}`])).toMatchObject({ code: 2 })
  expect((await run('approle delete web --mount apps --yes')).out).toBe('Deleted: web\n')
})

test('jwt: settings and roles', async () => {
  await app.root.post('/v1/sys/auth/jobs', { type: 'jwt' })
  const { publicKey } = await generateKeyPair('ES256')
  const pem = file('jwt.pem', await exportSPKI(publicKey))
  expect(await run('jwt config show --mount jobs')).toMatchObject({
    code: 2,
    err: expect.stringContaining('jwt config write'),
  })
  expect((await run('jwt config write --mount jobs')).code).toBe(1)
  expect((await run(['jwt', 'config', 'write', '--jwt-validation-pubkeys', `@${pem}`, '--mount', 'jobs'])).code).toBe(0)
  expect((await run('jwt config show --mount jobs')).out).toContain('BEGIN PUBLIC KEY')
  const create =
    'jwt create ci --role-type jwt --user-claim sub --bound-subject x --bound-claims {"ref":"main"} --mount jobs'
  expect((await run(create)).code).toBe(0)
  expect(JSON.parse((await run('jwt show ci --mount jobs --json')).out)).toMatchObject({
    bound_claims: { ref: 'main' },
  })
  expect((await run('jwt delete ci --mount jobs --yes')).out).toBe('Deleted: ci\n')
})
