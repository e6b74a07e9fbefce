import { equalInConstantTime } from '../../../kernel/secret.ts'
import { fields } from '../../../kit/bodies.ts'
import type { Deps } from '../../../kit/deps.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { data, nothing } from '../../../kit/reply.ts'
import { mountTable } from './mount-actions.ts'
import { moveMount } from './move-actions.ts'

const RemountBody = Type.Object({
  from: field.text('Current path; that of an auth method with `auth/`.'),
  to: field.text('New path; that of an auth method with `auth/`.'),
})

type KeyringOnly = Pick<Deps, 'keyring'>

/** A move has ended when it is answered, so its id can contain all there is to know about it, and our signature. */
function migrationId({ keyring }: KeyringOnly, from: string, to: string): string {
  const move = Buffer.from(`${from} ${to}`).toString('base64url')
  return `${move}.${keyring.keyedHash('mount-move', move)}`
}

/** The paths of a move; undefined for an id that we did not make. */
function readMigration(deps: KeyringOnly, id: string): readonly [from: string, to: string] | undefined {
  const [from = '', to = ''] = Buffer.from(id.split('.', 1)[0] ?? '', 'base64url')
    .toString()
    .split(' ')
  return equalInConstantTime(migrationId(deps, from, to), id) ? [from, to] : undefined
}

/** Moving mounts from one path to another. */
export const remountEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'mounts.move',
    route: 'POST /remount',
    summary: 'Move a secrets engine or an auth method to another path.',
    description:
      'All that is stored in the mount, its settings and its rate limits are moved; policies are not. Tokens that logins at ' +
      'the old path of an auth method got are revoked.',
    access: acl({ sudo: true }),
    doubleRendered: true,
    body: fields(RemountBody),
    returns: { 200: Type.Object({ migration_id: Type.String({ description: 'Identifies the move.' }) }) },
    fails: ['invalid', 'refused'],
    example: { request: { from: 'auth/cert', to: 'auth/edge/cert' } },
    handle: async ({ deps, body, warn }) => {
      const { from, to, notes } = await moveMount(deps, { from: body.from ?? '', to: body.to ?? '' })
      for (const note of notes) warn(note)
      return data({ migration_id: migrationId(deps, from, to) })
    },
  }),
  endpoint({
    id: 'mounts.move-status',
    route: 'GET /remount/status/:id',
    summary: 'Read the status of a move.',
    access: acl(),
    params: { id: { description: 'The `migration_id` of the move.' } },
    returns: {
      200: Type.Object({
        migration_id: Type.String({ description: 'Identifies the move.' }),
        migration_info: Type.Object({}, { description: 'Both paths, and `success`.' }),
      }),
    },
    fails: ['missing'],
    handle: async ({ deps, params: { id = '' } }) => {
      const [from, to] = readMigration(deps, id) ?? []
      if (from === undefined || to === undefined || !(await mountTable(deps)).at(to)) return nothing()
      return data({
        migration_id: id,
        migration_info: { source_mount: from, target_mount: to, status: 'success' },
      })
    },
  }),
])
