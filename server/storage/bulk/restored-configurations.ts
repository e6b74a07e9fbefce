import { type DatabaseNames, type Statement, statement } from './statement.ts'

/** How a configuration of snapshots is paused: not at all, by hand, or because it was restored from elsewhere. */
export const pauseCodes = { none: 0, byHand: 1, restored: 2 } as const

/** A configuration in both databases: one that was deleted and created again under its name is another one. */
const isSame = 'l.name = s.name and l.created_at = s.created_at'

/**
 * Who pauses or resumes a configuration decides about what this installation does from now on, and a restore does not
 * take that back. What comes from elsewhere is paused anyhow; there only a pause by hand is kept as one.
 */
export function pauseStatements({ live, scratch }: DatabaseNames, elsewhere: boolean): Statement[] {
  const match = `select l.paused from ${live}.snapshot_configurations l where ${isSame}`
  const kept = elsewhere ? `${match} and l.paused = ${pauseCodes.byHand}` : match
  const update = `update ${scratch}.snapshot_configurations as s set paused = (${kept}) where exists (${kept})`
  return [statement(update)]
}

/**
 * Forgets how the snapshots of configurations went that are not those of the restored data, and who logged in. Only
 * for data from elsewhere: within an installation, status and history are not rewound. They are in the database `local`.
 */
export function forgetRunsStatements(
  { live, scratch }: DatabaseNames,
  { elsewhere, local }: { readonly elsewhere: boolean; readonly local: string },
): Statement[] {
  if (!elsewhere) return []
  const both = `${live}.snapshot_configurations l, ${scratch}.snapshot_configurations s`
  const isKept = `exists (select 1 from ${both} where ${isSame} and l.name = t.name)`
  const forget = (table: string) => statement(`delete from ${local}.${table} as t where not ${isKept}`)
  // What is sealed in the record of logins cannot be read with the keys of the restored data.
  const forgetLogins = statement(`delete from ${local}.cert_logins`)
  return [...['snapshot_status', 'snapshot_attempts', 'snapshot_days'].map(forget), forgetLogins]
}
