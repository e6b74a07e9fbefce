import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Operation } from '../../kit/access.ts'
import { compileAcl } from './acl.ts'
import type { Capability, Policy } from './policy.ts'
import { parsePolicy } from './policy-text.ts'

const operations = ['create', 'read', 'update', 'delete', 'list', 'patch'] as const
const words: Capability[] = [...operations, 'sudo', 'deny']

/** Few names, so that patterns and paths meet often. */
const segment = fc.constantFrom('a', 'b', 'ab', 'abc', 'c')
const pattern = fc
  .tuple(
    fc.array(fc.oneof(segment, fc.constant('+')), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '/', '*', '/*'),
  )
  .map(([segments, end]) => segments.join('/') + end)
  .filter((text) => !text.includes('+*'))
const path = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 5 }), fc.boolean())
  .map(([segments, slash]) => segments.join('/') + (slash ? '/' : ''))
const rule = fc.record({ pattern, capabilities: fc.uniqueArray(fc.constantFrom(...words), { maxLength: 4 }) })
const policies = fc.array(fc.array(rule, { maxLength: 6 }), { minLength: 1, maxLength: 4 })

type Rule = { pattern: string; capabilities: Capability[] }
type Merged = { pattern: string; capabilities: Set<Capability> }

const compiled = (lists: Rule[][]) =>
  compileAcl(
    lists.map((rules, at): Policy => {
      const blocks = rules.map(
        (each) => `path "${each.pattern}" { capabilities = ${JSON.stringify(each.capabilities)} }`,
      )
      return parsePolicy(`p${at}`, `# ${at}\n${blocks.join('\n')}`)
    }),
  )

/* The reference implementation: slow, with regular expressions and sorting, written from the documented rules. */

const matches = (text: string, target: string): boolean => {
  const glob = text.endsWith('*')
  const source = (glob ? text.slice(0, -1) : text)
    .split('/')
    .map((each) => (each === '+' ? '[^/]*' : each))
    .join('/')
  return new RegExp(`^${source}${glob ? '' : '$'}`).test(target)
}

const wildcardAt = (text: string): number => {
  const at = text.search(/\+|\*$/)
  return at === -1 ? 1_000 : at
}

/** The four measures of how specific a pattern is, the weightiest first; greater is more specific. */
const measures = (text: string): number[] => [
  wildcardAt(text),
  text.endsWith('*') ? 0 : 1,
  -(text.match(/\+/g)?.length ?? 0),
  text.length,
]

const compareMeasures = (a: Merged, b: Merged): number => {
  const [left, right] = [measures(a.pattern), measures(b.pattern)]
  const differing = left.findIndex((value, at) => value !== right[at])
  return differing === -1 ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0)
}

const mostSpecific = (candidates: Merged[]): Merged | undefined =>
  [...candidates].sort((a, b) => compareMeasures(b, a) || (a.pattern < b.pattern ? 1 : -1))[0]

function merge(lists: Rule[][]): Merged[] {
  const byPattern = new Map<string, Set<Capability>>()
  for (const each of lists.flat()) {
    byPattern.set(each.pattern, new Set([...(byPattern.get(each.pattern) ?? []), ...each.capabilities]))
  }
  return [...byPattern].map(([text, capabilities]) => ({
    pattern: text,
    capabilities: capabilities.has('deny') ? new Set<Capability>(['deny']) : capabilities,
  }))
}

function referenceRule(lists: Rule[][], operation: Operation, target: string): Merged | undefined {
  const bare = target.replace(/\/$/, '')
  const spellings = operation === 'list' ? [`${bare}/`, bare] : [target]
  const candidates = merge(lists).filter((each) => spellings.some((spelling) => matches(each.pattern, spelling)))
  const best = mostSpecific(candidates)
  if (operation !== 'list' || !best) return best
  const denial = mostSpecific(candidates.filter((each) => each.capabilities.has('deny')))
  return denial && compareMeasures(denial, best) >= 0 ? denial : best
}

test('check: agrees with a plain reference on random policies and paths', () => {
  fc.assert(
    fc.property(policies, path, fc.constantFrom(...operations), fc.boolean(), (lists, target, operation, sudo) => {
      const expected = referenceRule(lists, operation, target)
      const allowed = expected?.capabilities.has(operation) && (!sudo || expected.capabilities.has('sudo'))
      const decision = compiled(lists).check({ path: target, operation, sudo })
      expect(decision.allowed).toBe(allowed ?? false)
      expect(decision.rule).toBe(expected?.pattern)
    }),
    { numRuns: 3_000 },
  )
})

test('capabilities: name exactly the operations that a request would get', () => {
  fc.assert(
    fc.property(policies, path, (lists, target) => {
      const acl = compiled(lists)
      // Requests have no slash at the end.
      const asked = target.replace(/\/$/, '')
      const allowed = operations.filter((operation) => acl.check({ path: asked, operation }).allowed).sort()
      const words = acl.capabilities(target).filter((word) => word !== 'deny')
      expect(words.filter((word) => word !== 'sudo')).toEqual(allowed)
      const withSudo = operations.filter((operation) => acl.check({ path: asked, operation, sudo: true }).allowed)
      if (words.includes('sudo')) expect(withSudo).not.toEqual([])
      if (allowed.length > 0 && withSudo.length === allowed.length) expect(words).toContain('sudo')
    }),
    { numRuns: 1_000 },
  )
})

test('anyCapabilityUnder: is true for every mount below which a path is granted', () => {
  const mount = fc.array(segment, { minLength: 1, maxLength: 2 }).map((segments) => segments.join('/'))
  const bare = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join('/'))
  // One of the rules grants the path, so that few cases are skipped: those in which another one takes precedence.
  const granted = fc.constantFrom('exact' as const, 'glob' as const, 'plus' as const)
  const parts = fc.record({
    lists: policies,
    under: mount,
    below: bare,
    operation: fc.constantFrom(...operations),
    granted,
  })
  fc.assert(
    fc.property(parts, ({ lists, under, below, operation, granted: by }) => {
      const patterns = {
        exact: `${under}/${below}`,
        glob: `${under}/*`,
        plus: [under, ...below.split('/').map(() => '+')].join('/'),
      }
      const acl = compiled([...lists, [{ pattern: patterns[by], capabilities: [operation] }]])
      fc.pre(acl.check({ path: `${under}/${below}`, operation }).allowed)
      expect(acl.anyCapabilityUnder(`${under}/`)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})
