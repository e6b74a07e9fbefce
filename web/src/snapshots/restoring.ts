import type { Schemas } from '../api/client.ts'
import { count, counted } from '../kit/numbers.ts'

type Change = Schemas['SnapshotChange']

/** What a restore changes of one kind of thing. */
export type Difference = {
  readonly kind: string
  readonly now: number
  readonly saved: number
  readonly lost: number
  readonly back: number
  readonly changed: number
}

/** What people call the tables; the rest is told as one. */
const kinds: readonly (readonly [kind: string, ...tables: string[]])[] = [
  ['Workspaces', 'workspaces'],
  ['State versions', 'state_versions'],
  ['Variables', 'variables'],
  ['Runs', 'runs'],
  ['Secrets', 'kv_secrets'],
  ['Secret versions', 'kv_versions'],
  ['Entities', 'entities'],
  ['Certificate roles', 'cert_roles'],
  ['Revocation lists', 'cert_crls'],
  ['Policies', 'policies'],
  ['Tokens', 'tokens', 'api_tokens'],
  ['Sessions', 'sessions'],
  ['Organizations and projects', 'organizations', 'projects'],
  ['Teams and members', 'teams', 'team_members', 'organization_memberships', 'users'],
  ['Mounts', 'mounts'],
  ['Snapshot schedules', 'snapshot_configurations'],
]

const rest = 'Other records'

/** What a restore changes, by kind: what is lost first. */
export function differencesOf(tables: Readonly<Record<string, Change>>): readonly Difference[] {
  const named = new Set(kinds.flatMap(([, ...names]) => names))
  const others = Object.keys(tables).filter((table) => !named.has(table))
  const all = [...kinds, [rest, ...others] as const].map(([kind, ...names]) => ({
    kind,
    changes: names.flatMap((name) => tables[name] ?? []),
  }))
  return all.flatMap(({ kind, changes }) => {
    const sum = (of: (change: Change) => number): number => changes.reduce((total, change) => total + of(change), 0)
    const difference = {
      kind,
      now: sum((change) => change.rows_now),
      saved: sum((change) => change.rows_then),
      lost: sum((change) => change.removed),
      back: sum((change) => change.added),
      changed: sum((change) => change.changed),
    }
    return changes.length > 0 ? [difference] : []
  })
}

/** What is lost, in words: "12 workspaces and 67 state versions". */
export function lossesOf(differences: readonly Difference[]): string {
  const lost = differences.filter((difference) => difference.lost > 0).map(({ kind, lost: n }) => countedKind(n, kind))
  if (lost.length < 2) return lost.join('')
  const shown = lost.length > 4 ? [...lost.slice(0, 3), 'more'] : lost
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

function countedKind(n: number, kind: string): string {
  const several = kind.toLowerCase()
  if (several.includes(' and ')) return `${count(n)} of ${several}`
  return counted(n, several.replace(/ies$/, 'y').replace(/s$/, ''), several)
}

/** "12 lost", "1 comes back", "3 differ". */
export const differenceText = ({ lost, back, changed }: Difference): string =>
  [
    ...(lost > 0 ? [`${count(lost)} lost`] : []),
    ...(back > 0 ? [`${count(back)} ${back === 1 ? 'comes' : 'come'} back`] : []),
    ...(changed > 0 ? [`${count(changed)} ${changed === 1 ? 'differs' : 'differ'}`] : []),
  ].join(', ')
