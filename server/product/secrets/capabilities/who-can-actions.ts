import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Acl,
  compileAcl,
  type IdentityFacts,
  type Policy,
  rootPolicy,
  rootPolicyName,
} from '../../../access/policies/index.ts'
import { type HolderSource, holderKinds, type PolicyHolder } from '../../../access/policy-holder.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { partsOf } from '../../../kit/parts.ts'
import { eachPolicy } from '../policies/index.ts'
import { decidingRule, grants } from './explanation.ts'
import { countLivingTokens } from './who-can-store.ts'

/** What is asked: who may do this at a path. */
export type Question = {
  readonly path: string
  readonly capability: string
  readonly after: string
  readonly limit: number
}

/** A policy that grants it. */
type GrantingPolicy = {
  readonly name: string
  /** The pattern of the deciding rule; null for the root policy. */
  readonly rule: string | null
  readonly capabilities: readonly string[]
  readonly living_tokens: number
}

/** Who carries such policies. */
type Holder = {
  readonly kind: HolderSource['kind']
  readonly id: string
  readonly name: string
  readonly mount: string
  readonly policies: readonly string[]
  readonly via: readonly string[]
}

/** Who may do it, and where the list goes on. */
export type WhoCan = {
  readonly policies: readonly GrantingPolicy[]
  readonly holders: readonly Holder[]
  readonly next: string | null
}

/** So many holders are read in one go; between two pages others get a turn. */
const pageSize = 200

/** So many are looked at for one answer, however few of them are found. */
const mostLookedAt = 20_000

/** Finds out which policies grant a capability at a path, and who carries them. */
export async function whoCan(deps: Deps, { path, capability, after, limit }: Question): Promise<WhoCan> {
  const judge = new Judge(deps, path, capability)
  await judge.readPolicies()
  const holders: Holder[] = []
  let looked = 0
  let next: string | null = null
  for (const { source, kind, page, from } of sourcesAfter(deps, after)) {
    for (let at: string | undefined = from; at !== undefined && next === null; ) {
      const found = await page(deps, { after: at, most: pageSize })
      for (const entry of found) {
        const policies = await judge.policiesOf(entry.holder)
        looked += 1
        const { id, name, mount } = entry.holder
        if (policies.length > 0) holders.push({ kind, id, name, mount, policies, via: [] })
        if (holders.length < limit && looked < mostLookedAt) continue
        next = `${source}:${entry.after}`
        break
      }
      at = found.length < pageSize ? undefined : found.at(-1)?.after
      await nextTurn()
    }
    if (next !== null) break
  }
  return { policies: await judge.grantingPolicies(), holders, next }
}

type OpenSource = HolderSource & { readonly from: string }

/** The sources that are left, and from where each is read. */
function sourcesAfter(deps: Deps, after: string): readonly OpenSource[] {
  const sources = holderKinds.flatMap((kind) => partsOf(deps, 'holderSource').filter((each) => each.kind === kind))
  if (after === '') return sources.map((each) => ({ ...each, from: '' }))
  const [, name, place = ''] = /^([^:]+):(.*)$/s.exec(after) ?? []
  const at = sources.findIndex(({ source }) => source === name)
  if (at < 0) throw failure('invalid', 'who-can.after', "'after' must be what 'next' of the answer before was.")
  return sources.slice(at).map((each, index) => ({ ...each, from: index === 0 ? place : '' }))
}

/** Judges policies by one path and capability. */
class Judge {
  readonly #deps: Deps
  readonly #path: string
  readonly #capability: string
  readonly #all = new Map<string, Policy>()
  /** What each policy grants to somebody about whom nothing is known. */
  readonly #granting = new Map<string, Acl>()
  /** What policies with templates grant to somebody who was found. */
  readonly #personal = new Map<string, Acl>()
  readonly #templated: Policy[] = []

  constructor(deps: Deps, path: string, capability: string) {
    this.#deps = deps
    this.#path = path
    this.#capability = capability
  }

  async readPolicies(): Promise<void> {
    for await (const policy of eachPolicy(this.#deps)) this.#add(policy)
    this.#add(rootPolicy)
  }

  #add(policy: Policy): void {
    this.#all.set(policy.name, policy)
    if (policy.rules.some(({ template }) => template)) this.#templated.push(policy)
    const acl = compileAcl([policy])
    if (grants(acl, this.#path, this.#capability)) this.#granting.set(policy.name, acl)
  }

  /** The granting policies that somebody carries; none if other policies of theirs deny it. */
  async policiesOf({ carries, together, facts = {} }: PolicyHolder): Promise<string[]> {
    // No login hands out the root policy, and by a token role only a root token gets it, which has it already.
    const plain = [...this.#granting.keys()].filter((name) => name !== rootPolicyName && carries(name))
    const personal = this.#templated.filter(({ name }) => carries(name) && this.#isPersonal(name, facts))
    const names = [...new Set([...plain, ...personal.map(({ name }) => name)])].sort()
    if (names.length === 0 || together === undefined) return names
    const policies = together.flatMap((name) => this.#all.get(name) ?? [])
    return grants(compileAcl(policies, facts), this.#path, this.#capability) ? names : []
  }

  #isPersonal(name: string, facts: IdentityFacts): boolean {
    const policy = this.#all.get(name)
    if (!policy) return false
    const acl = compileAcl([policy], facts)
    if (!grants(acl, this.#path, this.#capability)) return false
    this.#personal.set(name, acl)
    return true
  }

  async grantingPolicies(): Promise<GrantingPolicy[]> {
    const acls = new Map([...this.#personal, ...this.#granting])
    const counts = acls.size === 0 ? [] : await countLivingTokens(this.#deps.reads, this.#deps.clock.now())
    return [...acls.keys()].sort().map((name) => {
      const acl = acls.get(name) as Acl
      const carrying = counts.filter(({ policies }) => policies.includes(name))
      return {
        name,
        rule: this.#ruleOf(name, acl),
        capabilities: acl.capabilities(this.#path),
        living_tokens: carrying.reduce((sum, { tokens }) => sum + tokens, 0),
      }
    })
  }

  /** The rule as it was written: one with a template has been filled in for whoever was found. */
  #ruleOf(name: string, acl: Acl): string | null {
    const filled = decidingRule(acl, this.#path)
    const rules = this.#all.get(name)?.rules ?? []
    const written = rules.find(({ path }) => path === filled) ?? rules.find(({ template }) => template)
    return filled === undefined ? null : (written?.path ?? filled)
  }
}
