import { acl, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { data } from '../../../kit/reply.ts'
import { readConfiguration } from '../configurations/configuration-actions.ts'
import { nameParam } from '../configurations/configuration-endpoints.ts'
import { requireLicence } from '../licence.ts'
import { loadHistory, rememberedAttempts } from '../schedule/attempt-store.ts'
import { gatherStatus } from './status-actions.ts'
import { attemptToWire, HistoryEntry, SnapshotStatus, statusToWire } from './status-wire.ts'

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
        node: 'node-1',
        snapshot_timeout: 3_600,
      },
    },
    handle: async ({ deps, params: { name = '' } }) => {
      requireLicence(deps)
      return data(statusToWire(await gatherStatus(deps, name)))
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
])
