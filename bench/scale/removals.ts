import { setTimeout as sleep } from 'node:timers/promises'
import { type CallOptions, call } from './call.ts'
import type { Arm } from './requests.ts'
import type { Sql } from './sql.ts'

/** Something large to remove: by which request, and a query for what is left of it. */
export type Removal = {
  readonly name: string
  readonly path: string
  readonly options: CallOptions
  readonly left: string
}

/** How it went, in seconds. */
export type RemovalResult = { readonly answered: number; readonly gone: number }

/** The removals of a store, from the smallest to that of everything. */
export async function removalsOf({ facts }: Arm, sql: Sql): Promise<Removal[]> {
  const [tag] = await sql.all(`select id from tags where name = 'a50'`)
  const [parent] = await sql.all(`select id from tokens where accessor = '${facts.parentAccessor}'`)
  const [mount] = await sql.all(`select id from mounts where path = 'auth/cert/' or path = 'cert/'`)
  return [
    {
      name: 'a flat tag of 1 %',
      path: '/api/v2/organizations/big/tags',
      options: { verb: 'DELETE', body: { data: [{ type: 'tags', id: tag?.id }] } },
      left: `select 1 from workspace_tags where tag_id = '${tag?.id}' limit 1`,
    },
    {
      name: 'a tenth of the tokens, by prefix',
      path: '/v1/sys/leases/revoke-prefix/auth/token/create/part',
      options: { verb: 'POST', body: {} },
      left: `select 1 from tokens where path = 'auth/token/create/part' limit 1`,
    },
    {
      name: 'a tenth of the tokens, by their parent',
      path: '/v1/auth/token/revoke-accessor',
      options: { verb: 'POST', body: { accessor: facts.parentAccessor } },
      left: `select 1 from tokens where parent_id = '${parent?.id}' and parent_id <> '' limit 1`,
    },
    {
      name: 'the mount of the certificate roles',
      path: '/v1/sys/auth/cert',
      options: { verb: 'DELETE' },
      left: `select 1 from cert_roles where mount_id = '${mount?.id}' limit 1`,
    },
    {
      name: 'the organization',
      path: '/api/v2/organizations/big',
      options: { verb: 'DELETE' },
      left: `select 1 from workspaces where organization_id = '${facts.organizationId}' limit 1`,
    },
  ]
}

const patience = 1_800_000

/** Removes it, and waits until nothing is left. */
export async function carryOut({ server }: Arm, sql: Sql, removal: Removal): Promise<RemovalResult> {
  const begin = performance.now()
  const seconds = (): number => (performance.now() - begin) / 1_000
  await call(server, removal.path, removal.options)
  const answered = seconds()
  while ((await sql.all(removal.left)).length > 0) {
    if (performance.now() - begin > patience) throw new Error(`Of ${removal.name} something is still left.`)
    await sleep(50)
  }
  return { answered, gone: seconds() }
}
