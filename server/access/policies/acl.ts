import { failure } from '../../kernel/failure.ts'
import type { AclRequest, AclVerdict, Operation } from '../../kit/access.ts'
import type { IdentityFacts } from './identity-template.ts'
import { type AclRule, uniteRules } from './matching/acl-rules.ts'
import { isExact } from './matching/path-pattern.ts'
import { indexRules, type RuleIndex } from './matching/rule-index.ts'
import { chooseListRule, chooseRule, grantsUnder } from './matching/rule-reach.ts'
import { bitOf, type Capability, type CapabilityBits, capabilityWords, denyBit, type Policy } from './policy.ts'
import { rootPolicyName } from './policy-names.ts'

/** What was missing: the capability the rule lacks, or another condition. */
type Missing = Operation | 'sudo' | 'rule' | 'denied' | 'parameters' | 'wrapping' | 'clean-path'

/** An access request as an ACL takes it; fields and wrapping may be left out where there are none. */
export type AclCheck = Pick<AclRequest, 'path' | 'operation'> & Partial<AclRequest>

/** The answer of an ACL, with the reasons for whoever explains it. */
export type AclDecision = AclVerdict & {
  /** True if the rule for this path grants `sudo`, asked for or not: it widens what a caller may do there. */
  readonly sudo: boolean
  /** The pattern that decided. */
  readonly rule?: string
  readonly missing?: Missing
}

/** Every pattern of an ACL with its capabilities; patterns that end in `*` and hold no `+` are named without the `*`. */
type ResultantAcl = {
  readonly root: boolean
  readonly exactPaths: Readonly<Record<string, { readonly capabilities: readonly string[] }>>
  readonly globPaths: Readonly<Record<string, { readonly capabilities: readonly string[] }>>
}

/** A set of policies, compiled for one caller. */
export type Acl = {
  readonly root: boolean
  check(request: AclCheck): AclDecision
  /** Sorted words; `root` alone for the root policy, `deny` alone where nothing is granted. */
  capabilities(path: string): string[]
  resultant(): ResultantAcl
  /** True if anything is granted on the mount or below it. */
  anyCapabilityUnder(mountPath: string): boolean
}

/** The policy that allows everything. */
export const rootPolicy: Policy = { name: rootPolicyName, rules: [], warnings: [] }

/** Compiles a set of policies for a caller whose identity facts are known. */
export function compileAcl(policies: readonly Policy[], facts: IdentityFacts = {}): Acl {
  if (policies.some((policy) => policy.name === rootPolicyName)) {
    if (policies.length === 1) return rootAcl
    throw failure('internal', 'acl.root-not-alone', 'The root policy is combined with other policies.')
  }
  const rules = uniteRules(policies, facts)
  const index = indexRules(rules)
  return {
    root: false,
    check: (request) => decide(index, request),
    capabilities: (path) => capabilitiesAt(index, path),
    resultant: () => resultantOf(rules),
    anyCapabilityUnder: (mountPath) => grantsUnder(index, rules, mountPath),
  }
}

const rootAcl: Acl = {
  root: true,
  check: () => ({ allowed: true, sudo: true, grantingPolicies: [rootPolicyName] }),
  capabilities: () => ['root'],
  resultant: () => ({ root: true, exactPaths: {}, globPaths: {} }),
  anyCapabilityUnder: () => true,
}

const operationsWithFields: ReadonlySet<Operation> = new Set<Operation>(['create', 'read', 'update', 'patch'])
const noFields: Readonly<Record<string, unknown>> = {}

function decide(index: RuleIndex, request: AclCheck): AclDecision {
  const { path: sent, operation, sudo, wrapTtl } = request
  const path = cleanPath(sent)
  if (path === undefined) return refuse(undefined, 'clean-path')
  const rule = operation === 'list' ? chooseListRule(index, path) : chooseRule(index, path)
  if (!rule) return refuse(undefined, 'rule')
  if (hasBit(rule, denyBit)) return refuse(rule, 'denied')
  if (!hasBit(rule, bitOf(operation))) return refuse(rule, operation)
  if (sudo && !hasBit(rule, sudoBit)) return refuse(rule, 'sudo')
  if (!wrappingAllowed(rule, wrapTtl)) return refuse(rule, 'wrapping')
  if (operationsWithFields.has(operation) && !rule.fieldsAllowed(request.fields ?? noFields, request.fieldNotes))
    return refuse(rule, 'parameters')
  return {
    allowed: true,
    sudo: hasBit(rule, sudoBit),
    grantingPolicies: rule.grantedBy.get(operation) ?? [],
    rule: rule.pattern.text,
  }
}

const sudoBit = bitOf('sudo')
const hasBit = (rule: AclRule, bit: CapabilityBits): boolean => (rule.granted & bit) !== 0

const refuse = (rule: AclRule | undefined, missing: Missing): AclDecision => ({
  allowed: false,
  sudo: rule !== undefined && hasBit(rule, sudoBit),
  grantingPolicies: [],
  rule: rule?.pattern.text,
  missing,
})

/** With either bound set the answer must be wrapped; bounds united from several policies may leave no room at all. */
function wrappingAllowed({ minWrappingTtl, maxWrappingTtl }: AclRule, wrapTtl: number | undefined): boolean {
  if (minWrappingTtl === 0 && maxWrappingTtl === 0) return true
  if (!wrapTtl) return false
  return wrapTtl >= minWrappingTtl && (maxWrappingTtl === 0 || wrapTtl <= maxWrappingTtl)
}

/**
 * The path as patterns see it, or nothing if it has empty, `.` or `..` segments: such paths are refused long before, and no
 * rule may be reached by them if one slips through.
 */
function cleanPath(path: string): string | undefined {
  const bare = path.startsWith('/') ? path.replace(/^\/+/, '') : path
  return bare.includes('//') || /(?:^|\/)\.\.?(?:\/|$)/.test(bare) ? undefined : bare
}

/**
 * What requests may do at a path. A slash at its end changes nothing, as with requests; the word `list` comes from the
 * rule that a list request would choose. `sudo` is of no use without an operation.
 */
function capabilitiesAt(index: RuleIndex, sent: string): Capability[] {
  const path = cleanPath(sent)?.replace(/\/$/, '')
  if (path === undefined) return ['deny']
  const listRule = chooseListRule(index, path)
  const toList = listRule && hasBit(listRule, listBit) ? listRule.granted & (listBit | sudoBit) : 0
  const granted = (chooseRule(index, path)?.granted ?? 0) & ~(listBit | denyBit)
  return capabilityWords((granted & ~sudoBit) === 0 ? toList : granted | (toList & listBit))
}

const listBit = bitOf('list')

function resultantOf(rules: readonly AclRule[]): ResultantAcl {
  const exact = rules.filter(({ pattern }) => isExact(pattern))
  const globs = rules.filter(({ pattern }) => !isExact(pattern))
  // fromEntries defines own properties, so that a path `__proto__` stays data.
  return {
    root: false,
    exactPaths: Object.fromEntries(exact.map(resultantEntry)),
    globPaths: Object.fromEntries(globs.map(resultantEntry)),
  }
}

function resultantEntry({ pattern, granted }: AclRule): [name: string, { capabilities: Capability[] }] {
  const isPlainGlob = pattern.glob && pattern.plusCount === 0
  const name = isPlainGlob ? pattern.text.slice(0, -1) : pattern.text
  return [name, { capabilities: capabilityWords(granted) }]
}
