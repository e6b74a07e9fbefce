import { beforeAll, describe, expect, test } from 'vitest'
import { doc, mustBe, organization, person, pointers } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { storeConnection, storePool } from '../../../../../test/support/workspace-parts.ts'

const app = sharedApp()
const ann = shared(() => person(app, 'ann'))
const acme = shared(() => organization(ann, 'acme'))
const elsewhere = shared(() => organization(ann, 'elsewhere'))
let pool: string
let foreignPool: string
let closedPool: string
let connection: string
let foreignConnection: string
let count = 0

beforeAll(async () => {
  pool = await storePool(app, acme, 'open')
  foreignPool = await storePool(app, elsewhere, 'open')
  closedPool = await storePool(app, acme, 'closed', { allowed: ['ws-nobody'] })
  connection = await storeConnection(app, acme, 'Git')
  foreignConnection = await storeConnection(app, elsewhere, 'Git')
})

const path = () => '/api/v2/organizations/acme/workspaces'
const freshName = () => `ws-${++count}`
const post = (attributes: object) => ann.post(path(), doc('workspaces', { name: freshName(), ...attributes }))
const made = async (attributes: object = {}) => mustBe(await post(attributes), 201).body.data
const patch = (id: string, attributes: object) => ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', attributes))

const at = (name: string) => `/data/attributes/${name}`
const repo = () => ({ identifier: 'acme/network', 'oauth-token-id': connection })
const long = (length: number) => 'x'.repeat(length)
const numbered = (count: number, text: string) => Array.from({ length: count }, (_, index) => `${text}${index}`)

/** Attributes of a create request, and the pointers of the expected faults. */
const refusedOnCreate: readonly (readonly [string, () => object, ...string[]])[] = [
  ['name missing', () => ({ name: undefined }), at('name')],
  ['name null', () => ({ name: null }), at('name')],
  ['name empty', () => ({ name: '' }), at('name')],
  ['name with a dot', () => ({ name: 'a.b' }), at('name')],
  ['name with a space', () => ({ name: 'a b' }), at('name')],
  ['name with a line end', () => ({ name: 'ab\n' }), at('name')],
  ['name with letters of another alphabet', () => ({ name: 'naïve' }), at('name')],
  ['name too long', () => ({ name: long(261) }), at('name')],
  ['name a number', () => ({ name: 7 }), at('name')],
  ['unknown execution mode', () => ({ 'execution-mode': 'cloud' }), at('execution-mode')],
  ['execution mode and operations', () => ({ 'execution-mode': 'local', operations: false }), at('operations')],
  ['overwrite without a value', () => ({ 'setting-overwrites': { 'execution-mode': true } }), at('execution-mode')],
  ['agent without a pool', () => ({ 'execution-mode': 'agent' }), at('agent-pool-id')],
  ['agent with a blank pool', () => ({ 'execution-mode': 'agent', 'agent-pool-id': '' }), at('agent-pool-id')],
  ['a pool in local mode', () => ({ 'execution-mode': 'local', 'agent-pool-id': pool }), at('agent-pool-id')],
  ['a pool with operations', () => ({ operations: true, 'agent-pool-id': pool }), at('agent-pool-id')],
  ['a pool and nothing else', () => ({ 'agent-pool-id': pool }), at('agent-pool-id')],
  ['an unknown pool', () => ({ 'execution-mode': 'agent', 'agent-pool-id': 'apool-x' }), at('agent-pool-id')],
  [
    'a pool of another organization',
    () => ({ 'execution-mode': 'agent', 'agent-pool-id': foreignPool }),
    at('agent-pool-id'),
  ],
  ['a pool for others', () => ({ 'execution-mode': 'agent', 'agent-pool-id': closedPool }), at('agent-pool-id')],
  ['a number for a pool', () => ({ 'execution-mode': 'agent', 'agent-pool-id': 5 }), at('agent-pool-id')],
  ['a pool for an unknown mode', () => ({ 'execution-mode': 'cloud', 'agent-pool-id': pool }), at('execution-mode')],
  [
    'overwrite with an unknown mode',
    () => ({ 'setting-overwrites': { 'execution-mode': true }, 'execution-mode': 'cloud' }),
    at('execution-mode'),
  ],
  ['a version by its old name', () => ({ 'terraform-version': 'nope' }), at('terraform-version')],
  ['a flag in snake case', () => ({ auto_apply: 'yes' }), at('auto_apply')],
  ['auto-destroy-at no time', () => ({ 'auto-destroy-at': 'tomorrow' }), at('auto-destroy-at')],
  ['duration 0d', () => ({ 'auto-destroy-activity-duration': '0d' }), at('auto-destroy-activity-duration')],
  ['duration 12345h', () => ({ 'auto-destroy-activity-duration': '12345h' }), at('auto-destroy-activity-duration')],
  ['duration 3w', () => ({ 'auto-destroy-activity-duration': '3w' }), at('auto-destroy-activity-duration')],
  [
    'duration with a line end',
    () => ({ 'auto-destroy-activity-duration': '3d\n' }),
    at('auto-destroy-activity-duration'),
  ],
  [
    'time and duration',
    () => ({ 'auto-destroy-at': '2030-01-01T00:00:00Z', 'auto-destroy-activity-duration': '3d' }),
    at('auto-destroy-at'),
  ],
  [
    'inheriting and a time',
    () => ({ 'inherits-project-auto-destroy': true, 'auto-destroy-at': '2030-01-01T00:00:00Z' }),
    at('inherits-project-auto-destroy'),
  ],
  [
    'inheriting and a duration',
    () => ({ 'inherits-project-auto-destroy': true, 'auto-destroy-activity-duration': '3d' }),
    at('inherits-project-auto-destroy'),
  ],
  ['tool version nonexisting', () => ({ 'tool-version': 'nonexisting' }), at('tool-version')],
  ['tool version empty', () => ({ 'tool-version': '' }), at('tool-version')],
  ['tool version v1.2.3', () => ({ 'terraform-version': 'v1.2.3' }), at('terraform-version')],
  ['tool version null', () => ({ 'tool-version': null }), at('tool-version')],
  ['a constraint that matches nothing', () => ({ 'tool-version': '> 99.0' }), at('tool-version')],
  ['an unknown tool', () => ({ 'tool-version': 'pulumi:1.0.0' }), at('tool-version')],
  ['two spellings that differ', () => ({ 'tool-version': '1.9.0', terraform_version: '1.9.1' }), at('tool-version')],
  [
    'prefixes and patterns',
    () => ({ 'trigger-prefixes': ['a'], 'trigger-patterns': ['b/**'] }),
    at('trigger-patterns'),
  ],
  ['a pattern with an open bracket', () => ({ 'trigger-patterns': ['ok', 'a[b'] }), at('trigger-patterns/1')],
  ['a pattern with an open brace', () => ({ 'trigger-patterns': ['{a,b'] }), at('trigger-patterns/0')],
  ['a pattern that climbs', () => ({ 'trigger-patterns': ['../x'] }), at('trigger-patterns/0')],
  ['a pattern with a control character', () => ({ 'trigger-patterns': ['a\tb'] }), at('trigger-patterns/0')],
  ['too many patterns', () => ({ 'trigger-patterns': numbered(1_001, 'a') }), at('trigger-patterns')],
  ['patterns too long in all', () => ({ 'trigger-patterns': numbered(70, 'a'.repeat(1_000)) }), at('trigger-patterns')],
  ['prefixes too long in all', () => ({ 'trigger-prefixes': numbered(70, 'a'.repeat(1_000)) }), at('trigger-prefixes')],
  ['patterns no list', () => ({ 'trigger-patterns': 'a' }), at('trigger-patterns')],
  ['a prefix that is not text', () => ({ 'trigger-prefixes': [1] }), at('trigger-prefixes/0')],
  [
    'tags-regex and patterns',
    () => ({ 'vcs-repo': { ...repo(), 'tags-regex': '^v' }, 'trigger-patterns': ['a'] }),
    at('vcs-repo/tags-regex'),
  ],
  [
    'tags-regex and prefixes',
    () => ({ 'vcs-repo': { ...repo(), 'tags-regex': '^v' }, 'trigger-prefixes': ['a'] }),
    at('vcs-repo/tags-regex'),
  ],
  [
    'tags-regex and file triggers',
    () => ({ 'vcs-repo': { ...repo(), 'tags-regex': '^v' }, 'file-triggers-enabled': true }),
    at('vcs-repo/tags-regex'),
  ],
  ['tags-regex invalid', () => ({ 'vcs-repo': { ...repo(), 'tags-regex': '(' } }), at('vcs-repo/tags-regex')],
  ['tags-regex beyond RE2', () => ({ 'vcs-repo': { ...repo(), 'tags-regex': '(?=a)\\1' } }), at('vcs-repo/tags-regex')],
  ['vcs-repo empty', () => ({ 'vcs-repo': {} }), at('vcs-repo/identifier'), at('vcs-repo/oauth-token-id')],
  ['assessments in this edition', () => ({ 'assessments-enabled': true }), at('assessments-enabled')],
  ['assessments by their old name', () => ({ 'drift-detection': true }), at('drift-detection')],
  ['vcs-repo no object', () => ({ 'vcs-repo': 'acme/network' }), at('vcs-repo')],
  ['vcs-repo a list', () => ({ 'vcs-repo': [] }), at('vcs-repo')],
  ['no identifier', () => ({ 'vcs-repo': { 'oauth-token-id': connection } }), at('vcs-repo/identifier')],
  ['only an unknown connection', () => ({ 'vcs-repo': { 'oauth-token-id': 'ot-x' } }), at('vcs-repo/identifier')],
  ['no connection', () => ({ 'vcs-repo': { identifier: 'a/b' } }), at('vcs-repo/oauth-token-id')],
  [
    'an app installation on create',
    () => ({ 'vcs-repo': { identifier: 'a/b', 'vcs-app-installation-id': 'ghain-1' } }),
    at('vcs-repo/oauth-token-id'),
  ],
  [
    'an app installation beside the connection',
    () => ({ 'vcs-repo': { ...repo(), 'github-app-installation-id': 'ghain-1' } }),
    at('vcs-repo/oauth-token-id'),
  ],
  ['an unknown connection', () => ({ 'vcs-repo': { ...repo(), 'oauth-token-id': 'ot-x' } }), at('vcs-repo/identifier')],
  [
    'a connection of another organization',
    () => ({ 'vcs-repo': { ...repo(), 'oauth-token-id': foreignConnection } }),
    at('vcs-repo/identifier'),
  ],
  [
    'identifier without a slash',
    () => ({ 'vcs-repo': { ...repo(), identifier: 'network' } }),
    at('vcs-repo/identifier'),
  ],
  ['identifier with a query', () => ({ 'vcs-repo': { ...repo(), identifier: 'a/b?c' } }), at('vcs-repo/identifier')],
  [
    'identifier with a blank in front',
    () => ({ 'vcs-repo': { ...repo(), identifier: 'a/ b' } }),
    at('vcs-repo/identifier'),
  ],
  ['identifier that climbs', () => ({ 'vcs-repo': { ...repo(), identifier: 'a/../b' } }), at('vcs-repo/identifier')],
  ['working directory that climbs', () => ({ 'working-directory': 'a/../../b' }), at('working-directory')],
  ['working directory with NUL', () => ({ 'working-directory': 'a\u0000b' }), at('working-directory')],
  ['source-url blank', () => ({ 'source-url': '' }), at('source-url')],
  ['source-url no URL', () => ({ 'source-url': 'javascript:alert(1)' }), at('source-url')],
  ['source-url without a host', () => ({ 'source-url': 'https:///catalogue' }), at('source-url')],
  ['source-url in two lines', () => ({ 'source-url': 'https://example.com/\ncatalogue' }), at('source-url')],
  ['description too long', () => ({ description: long(4_097) }), at('description')],
  [
    'global and project remote state',
    () => ({ 'global-remote-state': true, 'project-remote-state': true }),
    at('project-remote-state'),
  ],
  ['a boolean as text', () => ({ 'auto-apply': 'true' }), at('auto-apply')],
  ['a boolean null', () => ({ 'auto-apply': null }), at('auto-apply')],
  ['setting-overwrites no object', () => ({ 'setting-overwrites': true }), at('setting-overwrites')],
  [
    'several at once, sorted',
    () => ({ name: '', 'tool-version': 'x', 'auto-apply': 1, 'execution-mode': 'agent' }),
    at('agent-pool-id'),
    at('auto-apply'),
    at('name'),
    at('tool-version'),
  ],
]

describe('create: invalid attributes are 422 with pointers, and nothing is stored', () => {
  const stored = () => app.deps.db.selectFrom('workspaces').select('id').orderBy('id').execute()

  test.each(refusedOnCreate)('%s', async (_name, attributes, ...expected) => {
    const before = await stored()
    const answer = mustBe(await post((attributes as () => object)()), 422)
    expect(await stored()).toEqual(before)
    expect(pointers(answer)).toEqual(expected)
    for (const error of answer.body.errors) {
      expect(error).toMatchObject({ status: '422', title: 'invalid attribute', detail: expect.any(String) })
    }
  })
})

const accepted: readonly (readonly [string, () => object, object])[] = [
  ['name of 260 characters', () => ({ name: long(260) }), { name: long(260) }],
  ['operations false', () => ({ operations: false }), { 'execution-mode': 'local', operations: false }],
  ['operations true', () => ({ operations: true }), { 'execution-mode': 'remote', operations: true }],
  [
    'a blank pool in local mode',
    () => ({ 'execution-mode': 'local', 'agent-pool-id': '' }),
    { 'execution-mode': 'local' },
  ],
  [
    'false wins over values',
    () => ({
      'execution-mode': 'agent',
      'agent-pool-id': 'apool-nonsense',
      'setting-overwrites': { 'execution-mode': false, 'agent-pool': false },
    }),
    { 'execution-mode': 'remote', 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } },
  ],
  [
    'an unknown key of setting-overwrites',
    () => ({ 'setting-overwrites': { nonsense: true } }),
    { 'execution-mode': 'remote' },
  ],
  [
    'agent with its pool',
    () => ({ 'execution-mode': 'agent', 'agent-pool-id': pool }),
    { 'execution-mode': 'agent', operations: true },
  ],
  [
    'a prerelease',
    () => ({ 'tool-version': '1.6.0-rc1' }),
    { 'tool-version': '1.6.0-rc1', 'resolved-tool-version': '1.6.0-rc1' },
  ],
  [
    'a constraint',
    () => ({ 'tool-version': '~> 1.9.0' }),
    { 'tool-version': '~> 1.9.0', 'resolved-tool-version': '1.9.4' },
  ],
  [
    'latest',
    () => ({ 'terraform-version': 'latest' }),
    { 'tool-version': 'latest', 'resolved-tool-version': '1.12.6' },
  ],
  [
    'another tool',
    () => ({ 'tool-version': 'terraform:~> 1.5' }),
    { 'tool-version': 'terraform:~> 1.5', 'tool-name': 'terraform', 'resolved-tool-version': '1.13.3' },
  ],
  [
    'a constraint that only the other tool meets',
    () => ({ 'tool-version': '~> 1.2.0' }),
    { 'tool-version': '~> 1.2.0', 'tool-name': 'terraform', 'resolved-tool-version': '1.2.9' },
  ],
  [
    'the same version in two spellings',
    () => ({ 'tool-version': '1.9.0', terraformVersion: '1.9.0' }),
    { 'tool-version': '1.9.0' },
  ],
  ['a description of nothing', () => ({ description: '' }), { description: '' }],
  [
    'patterns alone',
    () => ({ 'trigger-patterns': ['/a/**/*', 'b/*.tf'] }),
    { 'trigger-patterns': ['/a/**/*', 'b/*.tf'] },
  ],
  [
    'patterns and no prefixes',
    () => ({ 'trigger-patterns': ['a'], 'trigger-prefixes': [] }),
    { 'trigger-patterns': ['a'], 'trigger-prefixes': [] },
  ],
  [
    'tags-regex switches file triggers off',
    () => ({ 'vcs-repo': { ...repo(), 'tags-regex': '^v\\d+' } }),
    { 'file-triggers-enabled': false, 'vcs-repo': expect.objectContaining({ 'tags-regex': '^v\\d+' }) },
  ],
  [
    'a blank tags-regex is none',
    () => ({ 'vcs-repo': { ...repo(), 'tags-regex': '' } }),
    { 'file-triggers-enabled': true, 'vcs-repo': expect.objectContaining({ 'tags-regex': null }) },
  ],
  ['no repository', () => ({ 'vcs-repo': null }), { 'vcs-repo': null, 'vcs-repo-identifier': null }],
  [
    'nested groups',
    () => ({ 'vcs-repo': { ...repo(), identifier: 'a/b/c' } }),
    { 'vcs-repo-identifier': 'a/b/c', 'oauth-client-name': 'Git' },
  ],
  [
    'one more form of repositories',
    () => ({ 'vcs-repo': { ...repo(), identifier: 'a/b c/_git/d' } }),
    { 'vcs-repo-identifier': 'a/b c/_git/d' },
  ],
  ['no assessments in this edition', () => ({ 'assessments-enabled': false }), { 'assessments-enabled': false }],
  ['a working directory with slashes', () => ({ 'working-directory': 'bar/' }), { 'working-directory': 'bar/' }],
]

test.each(accepted)('create, accepted: %s', async (_name, attributes, expected) => {
  expect((await made(attributes())).attributes).toMatchObject(expected)
})

test('vcs-repo: shows the provider and URLs of its oauth connection', async () => {
  const workspace = await made({ 'vcs-repo': { ...repo(), branch: null, 'ingress-submodules': true } })
  const { 'webhook-url': hook, ...shown } = workspace.attributes['vcs-repo']
  expect(shown).toEqual({
    branch: '',
    'display-identifier': 'acme/network',
    identifier: 'acme/network',
    'ingress-submodules': true,
    'oauth-token-id': connection,
    'repository-http-url': 'https://git.example.com/acme/network',
    'service-provider': 'gitlab_hosted',
    'tags-regex': null,
  })
  expect(hook).toMatch(new RegExp(`^${app.url}/webhooks/vcs/[0-9a-f-]{36}$`))
})

test('update: vcs-repo is merged key by key, can change its connection, and is removed by null', async () => {
  const { id } = await made({ 'vcs-repo': { ...repo(), branch: 'main', 'ingress-submodules': true } })
  const merged = mustBe(await patch(id, { 'vcs-repo': { branch: 'next' } }), 200).body.data.attributes['vcs-repo']
  expect(merged).toMatchObject({ branch: 'next', identifier: 'acme/network', 'ingress-submodules': true })
  const both = { 'vcs-repo': { 'oauth-token-id': connection, 'vcs-app-installation-id': 'ghain-1' } }
  expect(pointers(mustBe(await patch(id, both), 422))).toEqual([at('vcs-repo/oauth-token-id')])
  const byApp = mustBe(await patch(id, { 'vcs-repo': { 'vcs-app-installation-id': 'ghain-1' } }), 200)
  expect(byApp.body.data.attributes['vcs-repo']).toMatchObject({
    identifier: 'acme/network',
    'oauth-token-id': null,
    'vcs-app-installation-id': 'ghain-1',
  })
  const gone = mustBe(await patch(id, { 'vcs-repo': null }), 200).body.data.attributes
  expect([gone['vcs-repo'], gone['vcs-repo-identifier'], gone['oauth-client-name']]).toEqual([null, null, null])
  expect(pointers(mustBe(await patch(id, { 'vcs-repo': { branch: 'x' } }), 422))).toEqual([
    at('vcs-repo/identifier'),
    at('vcs-repo/oauth-token-id'),
  ])
})

test('update: a null or empty name is 422', async () => {
  const { id } = await made()
  for (const name of [null, '']) {
    const answer = mustBe(await patch(id, { name }), 422)
    expect(answer.body.errors).toMatchObject([{ detail: "Name can't be blank", source: { pointer: at('name') } }])
  }
})

test('update: patterns replace prefixes and the other way round', async () => {
  const { id } = await made({ 'trigger-prefixes': ['a', 'b'] })
  const patterns = mustBe(await patch(id, { 'trigger-patterns': ['x/**'] }), 200).body.data.attributes
  expect([patterns['trigger-prefixes'], patterns['trigger-patterns']]).toEqual([[], ['x/**']])
  const prefixes = mustBe(await patch(id, { 'trigger-prefixes': ['c'] }), 200).body.data.attributes
  expect([prefixes['trigger-prefixes'], prefixes['trigger-patterns']]).toEqual([['c'], []])
})

test.each([
  ['no prefixes', { 'trigger-patterns': ['a'] }, { 'trigger-prefixes': [] }],
  ['null as prefixes', { 'trigger-patterns': ['a'] }, { 'trigger-prefixes': null }],
  ['no patterns', { 'trigger-prefixes': ['a'] }, { 'trigger-patterns': [] }],
  ['null as patterns', { 'trigger-prefixes': ['a'] }, { 'trigger-patterns': null }],
])('update: patterns and prefixes are one setting; %s clear it', async (_name, before, change) => {
  const { id } = await made(before)
  const kept = mustBe(await patch(id, { 'auto-apply': true }), 200).body.data.attributes
  expect(kept).toMatchObject(before)
  const { attributes } = mustBe(await patch(id, change), 200).body.data
  expect([attributes['trigger-prefixes'], attributes['trigger-patterns']]).toEqual([[], []])
})

test('update: an empty vcs-repo changes nothing, with and without a repository', async () => {
  for (const before of [{}, { 'vcs-repo': { ...repo(), branch: 'main' } }]) {
    const { id, attributes } = await made(before)
    const answer = mustBe(await patch(id, { 'vcs-repo': {}, 'auto-apply': true }), 200)
    expect(answer.body.data.attributes['vcs-repo']).toEqual(attributes['vcs-repo'])
    expect(answer.body.data.attributes['auto-apply']).toBe(true)
  }
})

test('update: tags-regex in the stored settings conflicts with new file triggers (422)', async () => {
  const { id } = await made({ 'vcs-repo': { ...repo(), 'tags-regex': '^v' } })
  for (const change of [{ 'file-triggers-enabled': true }, { 'trigger-patterns': ['a'] }]) {
    expect(pointers(mustBe(await patch(id, change), 422))).toEqual([at('vcs-repo/tags-regex')])
  }
  mustBe(await patch(id, { 'file-triggers-enabled': true, 'vcs-repo': { 'tags-regex': null } }), 200)
})

test('documents: a malformed document is 422 with a pointer, invalid JSON is 400', async () => {
  const cases: [unknown, number, string | undefined][] = [
    [{}, 422, '/data'],
    [{ data: null }, 422, '/data'],
    [{ data: [] }, 422, '/data'],
    [{ data: { attributes: { name: 'x' } } }, 422, '/data/type'],
    [{ data: { type: 'teams', attributes: { name: 'x' } } }, 422, '/data/type'],
    [{ data: { type: 'workspaces', attributes: [] } }, 422, '/data/attributes'],
    [{ data: { type: 'workspaces', attributes: { name: 'x' }, relationships: 'x' } }, 422, '/data/relationships'],
  ]
  for (const [body, status, pointer] of cases) {
    expect(pointers(mustBe(await ann.post(path(), body), status))).toContain(pointer)
  }
  mustBe(await ann.post(path(), undefined, { raw: '{"data":' }), 400)
})

/** CPU time in milliseconds, which does not depend on how busy the machine is. */
async function busyFor(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

test('catastrophic patterns: each is answered within a second of CPU time', async () => {
  const globs = [
    `${'+(a|'.repeat(200)}b${')'.repeat(200)}`,
    `${'@(a|b)'.repeat(150)}`,
    `${'*'.repeat(1_000)}`,
    `${'{a,b}'.repeat(200)}`,
    `${'[a-z]'.repeat(200)}`,
    `${'**/'.repeat(300)}x`,
    `!(${'!('.repeat(7)}a${')'.repeat(8)}`,
    '+(+(+(a)))',
  ]
  const expressions = [
    '(a+)+$',
    '(a{1000}){1000}',
    `${'(a*)*'.repeat(100)}`,
    `${'(x+x+)+y'.repeat(50)}`,
    'a{0,1000}'.repeat(50),
  ]
  for (const glob of globs) {
    expect(await busyFor(() => post({ 'trigger-patterns': [glob] }))).toBeLessThan(1_000)
  }
  for (const expression of expressions) {
    expect(await busyFor(() => post({ 'vcs-repo': { ...repo(), 'tags-regex': expression } }))).toBeLessThan(1_000)
  }
})
