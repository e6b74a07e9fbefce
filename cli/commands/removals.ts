import type { Command } from 'commander'
import type { Answer, Client } from '../connection/client.ts'
import type { Io } from '../io.ts'
import { renderData, renderTable } from '../output/formats.ts'
import { type ClientFlags, clientFor, formatFor, withClientFlags } from './context.ts'

/** Something that is gone, and whose rows are still being removed. */
type Removal = {
  readonly kind: string
  readonly id: string
  readonly name: string
  readonly requested_by: string
  readonly requested_at: string
  readonly rows_left: number
  readonly last_error: string | null
}

/** `holdfast admin removals`: how far the removal of large things is. */
export function addRemovals(admin: Command, io: Io): void {
  withClientFlags(admin.command('removals'))
    .description('list what was deleted and whose rows are still being removed')
    .action(async (flags: ClientFlags) => {
      const removals = await listRemovals(clientFor(io, flags))
      const format = formatFor(io, flags)
      io.out(format === 'table' ? describe(removals) : renderData(removals, format))
    })
}

/** Both APIs have a list. A token that may read one of them is shown that. */
async function listRemovals(client: Client): Promise<Removal[]> {
  const [organizations, mounts] = [
    { method: 'GET', path: '/api/v2/admin/removals?page[size]=100' },
    { method: 'GET', path: '/v1/sys/removals' },
  ] as const
  const [first, second] = [await client.ask(organizations), await client.ask(mounts)]
  if (first.status >= 400 && second.status >= 400) client.requireSuccess(mounts, second)
  return [...resourcesOf(first), ...entriesOf(second)]
}

function entriesOf({ status, body }: Answer): Removal[] {
  return status >= 400 ? [] : (body as { data: { removals: Removal[] } }).data.removals
}

function resourcesOf({ status, body }: Answer): Removal[] {
  if (status >= 400) return []
  const { data } = body as { data: { id: string; attributes: Record<string, unknown> }[] }
  return data.map(({ id, attributes }) => {
    const members = Object.entries(attributes).map(([name, value]) => [name.replaceAll('-', '_'), value])
    return { id, ...Object.fromEntries(members) } as Removal
  })
}

function describe(removals: readonly Removal[]): string {
  if (removals.length === 0) return 'Nothing is being removed.\n'
  const rows = removals.map((each) => [
    each.kind,
    each.name,
    `${each.rows_left}`,
    each.requested_by,
    each.requested_at,
    each.last_error ?? '',
  ])
  return renderTable(['Kind', 'Name', 'Rows left', 'Requested by', 'Requested at', 'Last error'], rows)
}
