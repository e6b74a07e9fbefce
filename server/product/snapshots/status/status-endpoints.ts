import { type Instant, instant, toIso, toIsoOffset } from '../../../kernel/clock.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, model, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { data } from '../../../kit/reply.ts'
import { placeProblemOf, readConfiguration } from '../configurations/configuration-actions.ts'
import { nameParam } from '../configurations/configuration-endpoints.ts'
import { requireLicence } from '../licence.ts'
import { loadDays, loadHistory, rememberedAttempts } from '../schedule/attempt-store.ts'
import { attemptDeadline } from '../schedule/schedule.ts'
import { firstDay, keptDays, type SnapshotDay } from '../schedule/snapshot-day.ts'
import type { SnapshotAttemptRow as Attempt } from '../snapshot.ts'
import { isOverdueNow, nextStartOf, type StatusFacts, scheduleStateOf } from './status.ts'
import { gatherStatus } from './status-actions.ts'

const text = (description: string) => Type.String({ description })

/** The status of automated snapshots. The first six keys are always present, empty before anything has happened. */
const SnapshotStatus = model('SnapshotStatus', {
  snapshot_start: text('When the newest attempt began.'),
  snapshot_url: text('Where the snapshots are stored.'),
  last_snapshot_start: text('When the newest finished attempt began.'),
  last_snapshot_end: text('When it ended.'),
  last_snapshot_error: text('Why it failed; empty on success.'),
  last_snapshot_url: text('Location of the newest successful snapshot.'),
  state: text('`scheduled`, `running`, `backoff` or `paused`.'),
  next_snapshot_start: text('When the next attempt is due.'),
  consecutive_errors: Type.Integer({ description: 'Number of consecutive failed attempts.' }),
  overdue: Type.Boolean({ description: 'Whether the newest successful snapshot is older than it should be.' }),
  last_success_end: text('When the newest successful snapshot was stored.'),
  last_snapshot_size: Type.Integer({ description: 'Size of the newest successful snapshot in bytes.' }),
  last_snapshot_sha256: text('SHA-256 of the newest successful snapshot.'),
  last_prune_error: text('Why old snapshots could not be removed; empty on success.'),
  stored_snapshots: Type.Optional(
    Type.Integer({ description: 'Number of snapshots in the destination, once counted.' }),
  ),
  used_space: Type.Optional(Type.Integer({ description: 'Their total size in bytes; `local` destinations only.' })),
  snapshot_timeout: Type.Integer({ description: 'Seconds that an attempt may take.' }),
  verify: text('How stored snapshots are verified.'),
  last_verified_at: text(
    'When a snapshot was last verified by a restore; if after `last_success_end`, it was the newest.',
  ),
  last_verify_error: text(
    'Why the newest successful snapshot failed verification; empty if it passed or has not been verified yet.',
  ),
  not_restorable: Type.Boolean({ description: 'Whether the newest successful snapshot was proved not to restore.' }),
  node: text('Node that took the newest snapshot.'),
})

const time = (at: Instant | number | null | undefined): string => (at ? toIsoOffset(instant(at)) : '')

/** The status as it is answered. */
function statusToWire(facts: StatusFacts): Record<string, unknown> {
  const { configuration, status, begun, ended, good, verifiedAt } = facts
  const known = status.stored < 0 ? {} : { stored_snapshots: status.stored }
  const used = status.stored < 0 || configuration.type !== 'local' ? {} : { used_space: status.used_bytes }
  return {
    snapshot_start: time(begun?.started_at),
    snapshot_url: begun?.url ?? '',
    last_snapshot_start: time(ended?.started_at),
    last_snapshot_end: time(ended?.ended_at),
    last_snapshot_error: ended?.error ?? '',
    last_snapshot_url: good?.url ?? '',
    state: scheduleStateOf(facts),
    next_snapshot_start: time(nextStartOf(facts)),
    consecutive_errors: status.consecutive_errors,
    overdue: isOverdueNow(facts),
    last_success_end: time(good?.ended_at),
    last_snapshot_size: good?.size ?? 0,
    last_snapshot_sha256: good?.sha256 ?? '',
    last_prune_error: status.prune_error,
    ...known,
    ...used,
    snapshot_timeout: attemptDeadline(configuration) / 1_000,
    verify: configuration.verify,
    last_verified_at: time(verifiedAt),
    last_verify_error: good?.verify_error ?? '',
    not_restorable: good?.verify_failed === 1,
    node: begun?.node ?? '',
  }
}

/** One attempt of the history. */
const HistoryEntry = model('SnapshotAttempt', {
  id: text('Identifies the attempt.'),
  start: text('When it began.'),
  end: text('When it ended; empty while it runs.'),
  duration_ms: Type.Integer({ description: 'How long it took.' }),
  size: Type.Integer({ description: 'Bytes.' }),
  sha256: text('SHA-256 of the whole archive.'),
  url: text('Location of the snapshot.'),
  error: text('Why it failed; empty on success.'),
  pruned: Type.Array(Type.String(), { description: 'Names of the old snapshots removed after it.' }),
  verified_at: text('When it was verified by a restore.'),
  verify_error: text('Why verification failed, or could not be done.'),
  not_restorable: Type.Boolean({ description: 'Whether it was proved not to restore.' }),
  node: text('Node that took it.'),
})

/** An attempt as the history shows it. */
export function attemptToWire(attempt: Attempt): Record<string, unknown> {
  const { started_at: start, ended_at: end } = attempt
  return {
    id: attempt.id,
    start: time(start),
    end: time(end),
    duration_ms: start !== null && end !== null ? end - start : 0,
    size: attempt.size ?? 0,
    sha256: attempt.sha256 ?? '',
    url: attempt.url,
    error: attempt.error,
    pruned: JSON.parse(attempt.pruned) as string[],
    verified_at: time(attempt.verified_at),
    verify_error: attempt.verify_error,
    not_restorable: attempt.verify_failed === 1,
    node: attempt.node,
  }
}

/** The attempts of one day. */
const DayEntry = model('SnapshotDay', {
  day: text('The day in UTC.'),
  attempts: Type.Integer({ description: 'Number of attempts that began on it and have ended.' }),
  failed: Type.Integer({ description: 'How many of them failed.' }),
  proved: Type.Integer({ description: 'How many snapshots were verified.' }),
  not_restorable: Type.Integer({ description: 'How many snapshots were proved not to restore.' }),
  size: Type.Integer({ description: 'Bytes of the largest snapshot; 0 if none was stored.' }),
  duration_ms: Type.Integer({ description: 'The longest time that it took to store one.' }),
  proof_ms: Type.Integer({ description: 'The longest time from there until one was verified.' }),
  error: text('Why an attempt failed or a snapshot does not restore; empty if all went well.'),
})

const dayToWire = ({ day, disproved, ...rest }: SnapshotDay): Record<string, unknown> => ({
  day: toIso(instant(day)).slice(0, 10),
  not_restorable: disproved,
  ...rest,
})

const base = '/storage/raft/snapshot-auto'

/** How automated snapshots stand, and how they went. */
export const statusEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'snapshots.status',
    route: `GET ${base}/status/:name`,
    summary: 'Read the status of an automated snapshot configuration.',
    access: acl(),
    params: nameParam,
    returns: { 200: SnapshotStatus },
    fails: ['missing'],
    example: {
      response: {
        snapshot_start: '2026-11-15T10:00:00+00:00',
        snapshot_url: 'file:///var/backups/holdfast/holdfast-snapshot-1794736800000000007.snap',
        last_snapshot_start: '2026-11-15T10:00:00+00:00',
        last_snapshot_end: '2026-11-15T10:00:05+00:00',
        last_snapshot_error: '',
        last_snapshot_url: 'file:///var/backups/holdfast/holdfast-snapshot-1794736800000000007.snap',
        state: 'scheduled',
        next_snapshot_start: '2026-11-15T11:00:00+00:00',
        consecutive_errors: 0,
        overdue: false,
        last_success_end: '2026-11-15T10:00:05+00:00',
        last_snapshot_size: 1_048_576,
        last_snapshot_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        last_prune_error: '',
        verify: 'checksum',
        last_verified_at: '',
        last_verify_error: '',
        not_restorable: false,
        node: 'node-1',
        snapshot_timeout: 3_600,
      },
    },
    handle: async ({ deps, params: { name = '' }, warn }) => {
      requireLicence(deps)
      const facts = await gatherStatus(deps, name)
      const problem = await placeProblemOf(deps, facts.configuration)
      if (problem) warn(`A new configuration could not be stored here: ${problem}.`)
      return data(statusToWire(facts))
    },
  }),
  endpoint({
    id: 'snapshots.history',
    route: `GET ${base}/history/:name`,
    summary: 'List the latest attempts of a configuration, newest first.',
    access: acl(),
    params: nameParam,
    query: Type.Object({
      limit: field.whole('Maximum number of attempts; all stored ones by default.', { minimum: 1 }),
    }),
    returns: { 200: Type.Object({ attempts: Type.Array(HistoryEntry) }) },
    fails: ['missing', 'invalid'],
    handle: async ({ deps, params: { name = '' }, query }) => {
      requireLicence(deps)
      await readConfiguration(deps, name)
      const limit = Math.min(query.limit ?? rememberedAttempts, rememberedAttempts)
      return data({ attempts: (await loadHistory(deps.db, name, limit)).map(attemptToWire) })
    },
  }),
  endpoint({
    id: 'snapshots.days',
    route: `GET ${base}/days/:name`,
    summary: 'Summarize the attempts of a configuration by day, oldest first.',
    description:
      'Attempts older than the newest hundred are kept as one row a day, for 400 days. Days without an attempt are left out.',
    access: acl(),
    params: nameParam,
    query: Type.Object({
      days: field.whole('How many days, today among them; a year by default.', { minimum: 1, default: 365 }),
    }),
    returns: { 200: Type.Object({ days: Type.Array(DayEntry) }) },
    fails: ['missing', 'invalid'],
    handle: async ({ deps, params: { name = '' }, query }) => {
      requireLicence(deps)
      await readConfiguration(deps, name)
      const since = firstDay(Math.min(query.days ?? 365, keptDays), await deps.store.databaseNow())
      return data({ days: (await loadDays(deps.db, name, since)).map(dayToWire) })
    },
  }),
])
