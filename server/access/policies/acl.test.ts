import { expect, test } from 'vitest'
import type { Operation } from '../../kit/access.ts'
import { type Acl, type AclCheck, type AclDecision, compileAcl, rootPolicy } from './acl.ts'
import type { IdentityFacts } from './identity-template.ts'
import { parsePolicy } from './policy-text.ts'

/** An ACL of one or more policies, named p1, p2 and so on. */
const aclOf = (...texts: string[]): Acl => compileAcl(texts.map((text, at) => parsePolicy(`p${at + 1}`, text)))

/** One rule per argument: `kv/* read,list`. */
const rules = (...lines: string[]): string =>
  lines
    .map((line) => {
      const [path, words = ''] = line.split(' ')
      return `path "${path}" { capabilities = ${JSON.stringify(words.split(',').filter(Boolean))} }`
    })
    .join('\n')

const ask = (acl: Acl, operation: Operation, path: string, more: Partial<AclCheck> = {}): AclDecision =>
  acl.check({ path, operation, ...more })

test.each<[string, string[], Operation, string, string | undefined]>([
  ['an exact path', ['kv/a read'], 'read', 'kv/a', 'kv/a'],
  ['another path', ['kv/a read'], 'read', 'kv/b', undefined],
  ['a path below', ['kv/a read'], 'read', 'kv/a/b', undefined],
  ['another operation', ['kv/a read'], 'update', 'kv/a', undefined],
  ['a path with a leading slash', ['kv/a read'], 'read', '/kv/a', 'kv/a'],
  ['a glob', ['kv/* read'], 'read', 'kv/a/b', 'kv/*'],
  ['a glob within a segment', ['kv/ab* read'], 'read', 'kv/abc/d', 'kv/ab*'],
  ['a glob and the path before its slash', ['kv/* read'], 'read', 'kv', undefined],
  ['a glob of everything', ['* read'], 'read', 'any/thing', '*'],
  ['a star inside is plain text', ['kv/*/x read'], 'read', 'kv/a/x', undefined],
  ['a plus', ['kv/+/x read'], 'read', 'kv/a/x', 'kv/+/x'],
  ['a plus is one segment only', ['kv/+/x read'], 'read', 'kv/a/b/x', undefined],
  ['a plus is not part of a segment', ['kv/a+ read'], 'read', 'kv/ab', undefined],
  ['a plus at the end', ['kv/+ read'], 'read', 'kv/a', 'kv/+'],
  ['two plus and a glob', ['+/+/x* read'], 'read', 'a/b/xyz/q', '+/+/x*'],
  ['a plus before a glob needs both segments', ['kv/+/* read'], 'read', 'kv/a', undefined],
  ['exact before glob', ['kv/* read', 'kv/a list'], 'read', 'kv/a', undefined],
  ['exact before plus', ['kv/+ deny', 'kv/a read'], 'read', 'kv/a', 'kv/a'],
  ['the longer glob', ['kv/* deny', 'kv/a* read'], 'read', 'kv/ab', 'kv/a*'],
  ['the later first wildcard', ['+/b/c deny', 'a/+/c read'], 'read', 'a/b/c', 'a/+/c'],
  ['no glob before glob', ['a/+/* deny', 'a/+/c read'], 'read', 'a/b/c', 'a/+/c'],
  ['fewer plus segments', ['+/+/c deny', '+/b/c read'], 'read', 'a/b/c', '+/b/c'],
  ['the longer of two', ['a/+/c* deny', 'a/+/cd* read'], 'read', 'a/b/cde', 'a/+/cd*'],
  ['the later in sorting', ['+/+/c deny', '+/b/+ read'], 'read', 'a/b/c', '+/b/+'],
  ['lower rules add nothing', ['kv/* read,update', 'kv/a* read'], 'update', 'kv/ab', undefined],
  ['deny on a pattern', ['kv/* read', 'kv/a/* deny'], 'read', 'kv/a/b', undefined],
  ['a grant inside a denial', ['kv/* deny', 'kv/a read'], 'read', 'kv/a', 'kv/a'],
  ['create is not update', ['kv/a create'], 'update', 'kv/a', undefined],
  ['patch', ['kv/a patch'], 'patch', 'kv/a', 'kv/a'],
  ['words without effect', ['kv/a subscribe,recover,scan'], 'read', 'kv/a', undefined],
])('check: rule that allows, if any: %s', (_name, lines, operation, path, rule) => {
  const decision = ask(aclOf(rules(...lines)), operation, path)
  expect(decision.allowed ? decision.rule : undefined).toBe(rule)
})

test.each<[string, string[], string]>([
  ['rule with slash, path with slash', ['kv/ list'], 'kv/'],
  ['rule without slash', ['kv/a list'], 'kv/a/'],
  ['rule with slash, path without', ['kv/a/ list'], 'kv/a'],
  ['glob', ['kv/* list'], 'kv/a/'],
  ['glob on its own directory', ['kv/* list'], 'kv/'],
  ['plus without slash', ['+/policies list'], 'sys/policies/'],
  ['deny by glob that is less specific', ['kv/* deny', 'kv/a/* list'], 'kv/a/'],
  ['exact grant with slash over bare denial', ['kv/a deny', 'kv/a/ list'], 'kv/a/'],
])('list: is allowed: %s', (_name, lines, path) => {
  expect(ask(aclOf(rules(...lines)), 'list', path).allowed).toBe(true)
})

test.each<[string, string[], string]>([
  ['deny below a directory covers the directory', ['kv/* list', 'kv/private/* deny'], 'kv/private/'],
  ['deny with exact slash', ['kv/* list', 'kv/private/ deny'], 'kv/private/'],
  ['deny with exact bare path', ['kv/* list', 'kv/private deny'], 'kv/private/'],
  ['deny by plus without slash', ['kv/* list', 'kv/+ deny'], 'kv/private/'],
  ['exact denial with slash over bare grant', ['kv/a list', 'kv/a/ deny'], 'kv/a/'],
  ['denial as specific as the grant', ['+/+/c deny', '+/b/+ list'], 'a/b/c/'],
  ['no list word', ['kv/* read'], 'kv/a/'],
])('list: is denied: %s', (_name, lines, path) => {
  expect(ask(aclOf(rules(...lines)), 'list', path).allowed).toBe(false)
})

test.each(['kv/../sys/seal', 'kv//a', 'kv/./a', '..', 'kv/..', './kv', 'kv/a/../../b'])(
  'check: the unclean path %s is refused whatever the rules',
  (path) => {
    const acl = aclOf(rules('* read,list,update,sudo'))
    expect(ask(acl, 'read', path)).toMatchObject({ allowed: false, missing: 'clean-path' })
    expect(acl.capabilities(path)).toEqual(['deny'])
  },
)

test('check: a refusal says what is missing', () => {
  const acl = aclOf(
    `${rules('a read', 'b deny')}
     path "c" { capabilities = ["update"] required_parameters = ["x"] min_wrapping_ttl = 5 }`,
  )
  expect(ask(acl, 'read', 'z').missing).toBe('rule')
  expect(ask(acl, 'read', 'b').missing).toBe('denied')
  expect(ask(acl, 'update', 'a').missing).toBe('update')
  expect(ask(acl, 'read', 'a', { sudo: true }).missing).toBe('sudo')
  expect(ask(acl, 'update', 'c', { fields: { x: 1 } }).missing).toBe('wrapping')
  expect(ask(acl, 'update', 'c', { wrapTtl: 9 }).missing).toBe('parameters')
  expect(ask(acl, 'update', 'c', { wrapTtl: 9, fields: { x: 1 } })).toMatchObject({ allowed: true, rule: 'c' })
})

test('sudo: must be in the same rule that grants the operation', () => {
  const acl = aclOf(rules('sys/* sudo,update', 'sys/seal update', 'sys/audit update,sudo'))
  expect(ask(acl, 'update', 'sys/seal', { sudo: true }).allowed).toBe(false)
  expect(ask(acl, 'update', 'sys/audit', { sudo: true }).allowed).toBe(true)
  expect(ask(acl, 'update', 'sys/seal').sudo).toBe(false)
  expect(ask(acl, 'update', 'sys/rotate').sudo).toBe(true)
})

test('several policies: capabilities for one pattern are united, and the granting policies are named', () => {
  const acl = aclOf(rules('kv/* read'), rules('kv/* read,update'), rules('other read'))
  expect(ask(acl, 'read', 'kv/a').grantingPolicies).toEqual(['p1', 'p2'])
  expect(ask(acl, 'update', 'kv/a').grantingPolicies).toEqual(['p2'])
  expect(ask(acl, 'delete', 'kv/a').grantingPolicies).toEqual([])
})

test('several policies: a deny in any of them overrides the others, in any order', () => {
  for (const texts of [
    [rules('kv/* read,sudo'), rules('kv/* deny')],
    [rules('kv/* deny'), rules('kv/* read,sudo')],
  ]) {
    const acl = aclOf(...texts)
    expect(ask(acl, 'read', 'kv/a').allowed).toBe(false)
    expect(ask(acl, 'read', 'kv/a').sudo).toBe(false)
    expect(acl.capabilities('kv/a')).toEqual(['deny'])
  }
})

test.each([
  ['in order', [0, 1]],
  ['in reverse', [1, 0]],
])('several policies: parameter rules are united, %s', (_name, order) => {
  const texts = [
    'path "a" { capabilities = ["update"] allowed_parameters = { x = ["1"], y = ["1"] } required_parameters = ["x"] }',
    'path "a" { capabilities = ["update"] allowed_parameters = { x = ["2"], y = [] } denied_parameters = { z = [] } }',
  ]
  const acl = aclOf(...order.map((at) => texts[at] ?? ''))
  expect(ask(acl, 'update', 'a', { fields: { x: '1', y: 'any' } }).allowed).toBe(true)
  expect(ask(acl, 'update', 'a', { fields: { x: '2', y: 'any' } }).allowed).toBe(true)
  expect(ask(acl, 'update', 'a', { fields: { x: '3' } }).allowed).toBe(false)
  expect(ask(acl, 'update', 'a', { fields: { y: '1' } }).allowed).toBe(false)
  expect(ask(acl, 'update', 'a', { fields: { x: '1', z: '1' } }).allowed).toBe(false)
})

test.each<[Operation, boolean]>([
  ['create', false],
  ['read', false],
  ['update', false],
  ['patch', false],
  ['delete', true],
  ['list', true],
])('parameter rules: %s with a denied parameter is allowed: %s', (operation, allowed) => {
  const all = '["create","read","update","patch","delete","list"]'
  const acl = aclOf(`path "a" { capabilities = ${all} denied_parameters = { x = [] } }`)
  expect(ask(acl, operation, 'a', { fields: { x: 1 } }).allowed).toBe(allowed)
})

const aclWithin = (bounds: string[]) => aclOf(...bounds.map((bound) => `path "a" { capabilities = ["read"] ${bound} }`))

test.each<[string, string[], number | undefined]>([
  ['no bounds', [''], undefined],
  ['at the maximum', ['max_wrapping_ttl = 60'], 60],
  ['at the minimum', ['min_wrapping_ttl = 60'], 60],
  ['bounds that are the same', ['min_wrapping_ttl = 60 max_wrapping_ttl = 60'], 60],
  ['the smaller of two minima', ['min_wrapping_ttl = 60', 'min_wrapping_ttl = 30'], 40],
  ['one bound from each', ['min_wrapping_ttl = 10', 'max_wrapping_ttl = 20'], 15],
])('wrapping TTL: is allowed with %s', (_name, bounds, wrapTtl) => {
  expect(ask(aclWithin(bounds), 'read', 'a', { wrapTtl }).allowed).toBe(true)
})

test.each<[string, string[], number | undefined]>([
  ['a maximum, not wrapped', ['max_wrapping_ttl = 60'], undefined],
  ['a maximum, wrapped for no time', ['max_wrapping_ttl = 60'], 0],
  ['a minimum, not wrapped', ['min_wrapping_ttl = 60'], undefined],
  ['above the maximum', ['max_wrapping_ttl = 60'], 61],
  ['below the minimum', ['min_wrapping_ttl = 60'], 59],
  ['the smaller of two maxima', ['max_wrapping_ttl = 60', 'max_wrapping_ttl = 30'], 40],
  ['bounds that leave no room', ['min_wrapping_ttl = 60', 'max_wrapping_ttl = 30'], 45],
])('wrapping TTL: is denied with %s', (_name, bounds, wrapTtl) => {
  expect(ask(aclWithin(bounds), 'read', 'a', { wrapTtl }).allowed).toBe(false)
})

const entityNamed = (name: string): IdentityFacts => ({ entity: { id: 'e-1', name, metadata: {}, aliases: [] } })

test('templates: the path is that of the entity, and names that would widen it make the rule void', () => {
  const policy = parsePolicy('own', rules('kv/{{identity.entity.name}}/* read'))
  expect(compileAcl([policy], entityNamed('ann')).check({ path: 'kv/ann/x', operation: 'read' }).allowed).toBe(true)
  expect(compileAcl([policy], entityNamed('ann')).check({ path: 'kv/bob/x', operation: 'read' }).allowed).toBe(false)
  for (const name of ['*', '+', 'a/b', '']) {
    const acl = compileAcl([policy], entityNamed(name))
    expect(acl.resultant()).toEqual({ root: false, exactPaths: {}, globPaths: {} })
  }
  expect(compileAcl([policy]).check({ path: 'kv//x', operation: 'read' }).allowed).toBe(false)
})

test('root: everything is allowed', () => {
  const acl = compileAcl([rootPolicy])
  expect(ask(acl, 'delete', 'any', { sudo: true })).toEqual({ allowed: true, sudo: true, grantingPolicies: ['root'] })
  expect(acl.capabilities('any')).toEqual(['root'])
  expect([acl.root, acl.resultant().root]).toEqual([true, true])
  expect(acl.anyCapabilityUnder('kv/')).toBe(true)
})

test('root: compiling it together with other policies throws', () => {
  expect(() => compileAcl([rootPolicy, parsePolicy('p', rules('a read'))])).toThrow('root policy')
})

test('no policies: nothing is allowed', () => {
  expect(ask(compileAcl([]), 'read', 'a').allowed).toBe(false)
  expect(compileAcl([]).capabilities('a')).toEqual(['deny'])
  expect(compileAcl([]).root).toBe(false)
})

test.each<[string, string[], string, string[]]>([
  ['sorted', ['a update,sudo,read,create'], 'a', ['create', 'read', 'sudo', 'update']],
  ['nothing granted', ['a read'], 'b', ['deny']],
  ['denied', ['a deny,read'], 'a', ['deny']],
  ['no capabilities', ['a '], 'a', ['deny']],
  ['words without effect', ['a subscribe,recover'], 'a', ['deny']],
  ['rule with a slash, asked without', ['a/ list,sudo'], 'a', ['list', 'sudo']],
  ['rule with a slash, asked without: only what lists', ['a/ list,read'], 'a', ['list']],
  ['rule with a slash that lists nothing, asked without', ['a/ read,sudo'], 'a', ['deny']],
  ['rule without a slash, asked with', ['a list,read'], 'a/', ['list', 'read']],
  ['glob, asked at its own directory with a slash', ['a/* list,read,sudo'], 'a/', ['list', 'sudo']],
  ['glob, asked at its own directory without', ['a/* list,read,sudo'], 'a', ['list', 'sudo']],
  ['glob that lists nothing, asked at its own directory', ['a/* read,sudo'], 'a/', ['deny']],
  ['sudo alone', ['a sudo'], 'a', ['deny']],
  ['sudo alone, listed by a rule without it', ['* sudo', 'a/* list'], 'a', ['list']],
  ['a leading slash', ['a read'], '/a', ['read']],
  ['list denied below, read granted', ['kv/* read,list', 'kv/x/* deny'], 'kv/x', ['read']],
  ['list denied below, nothing else granted', ['kv/* list', 'kv/x/* deny'], 'kv/x', ['deny']],
  ['denied here, list granted below', ['kv/* list', 'kv/x deny'], 'kv/x', ['deny']],
])('capabilities listed: %s', (_name, lines, path, expected) => {
  expect(aclOf(rules(...lines)).capabilities(path)).toEqual(expected)
})

test('resultant: exact patterns and others are listed separately, with their capabilities', () => {
  expect(aclOf(rules('a read', 'kv/* read,list', 'x/+/y update', 'z/+/* deny', '__proto__ read')).resultant()).toEqual({
    root: false,
    exactPaths: Object.fromEntries([
      ['a', { capabilities: ['read'] }],
      ['__proto__', { capabilities: ['read'] }],
    ]),
    globPaths: {
      'kv/': { capabilities: ['list', 'read'] },
      'x/+/y': { capabilities: ['update'] },
      'z/+/*': { capabilities: ['deny'] },
    },
  })
})

test.each<[string, string[], string]>([
  ['a path below', ['kv/a/b read'], 'kv/'],
  ['a glob below', ['kv/a/* read'], 'kv/'],
  ['the mount itself', ['kv/ list'], 'kv/'],
  ['the mount without its slash', ['kv list'], 'kv/'],
  ['the mount without its slash, read only', ['kv read'], 'kv/'],
  ['a glob above', ['* read'], 'auth/cert/'],
  ['a glob within the name', ['auth/c* read'], 'auth/cert/'],
  ['a plus in the mount', ['auth/+/login update'], 'auth/cert/'],
  ['a broad grant, denied here but for one path', ['kv/* deny', 'kv/a read'], 'kv/'],
  ['a grant below a denied first segment', ['kv/* read', 'kv/+ deny'], 'kv/'],
])('anyCapabilityUnder: there is one: %s', (_name, lines, mount) => {
  expect(aclOf(rules(...lines)).anyCapabilityUnder(mount)).toBe(true)
})

test.each<[string, string[], string]>([
  ['a neighbour', ['kv2/a read'], 'kv/'],
  ['a neighbour by glob', ['kv2* read'], 'kv/'],
  ['a plus that ends too early', ['auth/+ read'], 'auth/a/b/'],
  ['denied only', ['kv/* deny'], 'kv/'],
  ['a broad grant, wholly denied here', ['* read', 'kv/* deny'], 'kv/'],
  ['no capabilities', ['kv/* '], 'kv/'],
])('anyCapabilityUnder: there is none: %s', (_name, lines, mount) => {
  expect(aclOf(rules(...lines)).anyCapabilityUnder(mount)).toBe(false)
})
