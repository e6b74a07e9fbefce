import { type Acl, compileAcl, parsePolicy } from '../server/access/policies/index.ts'
import type { Operation } from '../server/kit/access.ts'
import type { Bench } from './harness/bench.ts'
import { renderTable } from './harness/table.ts'

const requests: readonly { path: string; operation: Operation }[] = [
  { path: 'kv/team-0/app/config', operation: 'read' },
  { path: 'kv/team-0/app/', operation: 'list' },
  { path: 'auth/token/lookup-self', operation: 'read' },
  { path: 'nothing/grants/this', operation: 'update' },
]

/** A policy as a team would have it: exact paths, globs, a segment wildcard, a denial. */
const policyText = (team: number): string => `
  path "auth/token/lookup-self" { capabilities = ["read"] }
  path "kv/team-${team}/*" { capabilities = ["create", "read", "update", "delete", "list"] }
  path "kv/team-${team}/private/*" { capabilities = ["deny"] }
  path "kv/+/shared-${team}/config" { capabilities = ["read"] }
  path "sys/mounts/team-${team}" { capabilities = ["read"] }
`

const compile = (count: number): Acl =>
  compileAcl(Array.from({ length: count }, (_, team) => parsePolicy(`team-${team}`, policyText(team))))

function nanosecondsPerCheck(acl: Acl, rounds: number): number {
  const start = process.hrtime.bigint()
  for (let round = 0; round < rounds; round++) for (const request of requests) acl.check(request)
  return Number(process.hrtime.bigint() - start) / (rounds * requests.length)
}

/** A check against sets of 1 and 1,000 policies, alternating so that noise affects both. */
export const bench: Bench = {
  about: 'an ACL check against 1,000 policies, against one',
  async *run() {
    const sets = [1, 1_000].map((policies) => {
      const start = performance.now()
      const acl = compile(policies)
      return { policies, acl, compileMs: performance.now() - start, checkNs: Number.POSITIVE_INFINITY }
    })
    for (const set of sets) nanosecondsPerCheck(set.acl, 20_000)
    for (let turn = 0; turn < 7; turn++) {
      for (const set of sets) set.checkNs = Math.min(set.checkNs, nanosecondsPerCheck(set.acl, 20_000))
    }
    const single = sets[0]?.checkNs ?? Number.NaN
    const rows = sets.map(({ policies, compileMs, checkNs }) => [
      policies.toLocaleString('en'),
      `${checkNs.toFixed(0)} ns`,
      (checkNs / single).toFixed(2),
      `${compileMs.toFixed(1)} ms`,
    ])
    yield renderTable(['policies', 'check', 'ratio', 'read and compiled'], rows)
  },
}
