import { toIsoOffset } from '../../../kernel/clock.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { listTerms } from '../../../kit/list.ts'
import { bytes, keys, nothing } from '../../../kit/reply.ts'
import { nameParam } from '../configurations/configuration-endpoints.ts'
import { requireLicence } from '../licence.ts'
import { archiveType } from '../manual/archive-fields.ts'
import { listInventory, openStoredSnapshot, removeStoredSnapshot } from './inventory-actions.ts'

const base = '/storage/raft/snapshot-auto/snapshots/:name'
const sudo = { access: acl({ sudo: true }) } as const

/** The path parameters of a stored snapshot. */
export const fileParams = {
  ...nameParam,
  file: {
    description: 'Name of the snapshot.',
    pattern: /^[^/]+$/,
    example: 'holdfast-snapshot-1794736800000000007.snap',
  },
}

/** What is actually in the destination of a configuration. */
export const inventoryEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...sudo,
    ...listTerms,
    id: 'snapshots.inventory',
    route: `LIST ${base}`,
    summary: 'List the snapshots in the destination, newest first.',
    params: nameParam,
    returns: {
      200: Type.Object({
        keys: Type.Array(Type.String({ description: 'A name.' })),
        key_info: Type.Record(
          Type.String(),
          Type.Object({
            time: Type.String({ description: 'When it was started.' }),
            size: Type.Integer({ description: 'Bytes.' }),
            kept: Type.Boolean({ description: 'Whether retention would keep it.' }),
          }),
          { description: 'Details of each snapshot.' },
        ),
      }),
    },
    fails: ['missing', 'upstream'],
    deadline: 0,
    handle: async ({ deps, params: { name = '' }, query: { after = '', limit = 0 }, signal }) => {
      requireLicence(deps)
      const items = await listInventory(deps, name, signal)
      // Newest first: what comes after a name is older, and so has a smaller number in its own.
      const wanted = items.filter((item) => after === '' || item.name < after).slice(0, limit > 0 ? limit : undefined)
      const info = wanted.map((item) => {
        const facts = { time: toIsoOffset(item.takenAt), size: item.size, kept: item.kept }
        return [item.name, facts] as const
      })
      return keys(
        wanted.map((item) => item.name),
        Object.fromEntries(info),
      )
    },
  }),
  endpoint({
    ...sudo,
    id: 'snapshots.download',
    route: `GET ${base}/:file`,
    summary: 'Download a stored snapshot.',
    params: fileParams,
    returns: { 200: Type.String({ description: 'The archive.', format: 'binary' }) },
    mediaType: archiveType,
    fails: ['missing', 'upstream'],
    deadline: 0,
    handle: async ({ deps, params: { name = '', file = '' }, signal }) => {
      requireLicence(deps)
      const { stream, size } = await openStoredSnapshot(deps, name, file, signal)
      const headers = { 'Content-Disposition': 'attachment', 'Content-Length': String(size) }
      return bytes(archiveType, stream, { headers })
    },
  }),
  endpoint({
    ...sudo,
    id: 'snapshots.remove',
    route: `DELETE ${base}/:file`,
    summary: 'Delete a stored snapshot.',
    params: fileParams,
    returns: { 204: null },
    fails: ['missing', 'upstream'],
    handle: async ({ deps, params: { name = '', file = '' }, signal }) => {
      requireLicence(deps)
      await removeStoredSnapshot(deps, name, file, signal)
      return nothing()
    },
  }),
])
