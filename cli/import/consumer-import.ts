import type { Copy } from './copy.ts'
import { everyOf, type Resource, textOf } from './documents.ts'

/** A workspace of the source, and what became of it here; nothing in a dry run. */
export type Pair = { readonly source: Resource; readonly target: Resource | undefined }

const listOf = ({ id }: Resource): string => `/api/v2/workspaces/${id}/relationships/remote-state-consumers`

/** Lets the same workspaces read the state of one as at the source. `pairs` has all that were copied, by their ids there. */
export async function copyConsumers(
  copy: Copy,
  { source, target }: Pair,
  pairs: ReadonlyMap<string, Pair>,
): Promise<void> {
  // One that shares with many lists all of them, and takes no list.
  if (source.attributes['global-remote-state'] !== false || source.attributes['project-remote-state'] === true) return
  const wanted: Pair[] = []
  for await (const { id } of everyOf(copy.from, listOf(source), 'if any')) {
    const consumer = pairs.get(id)
    if (consumer) wanted.push(consumer)
  }
  const known = new Set<string>()
  if (wanted.length > 0 && target) {
    for await (const { id } of everyOf(copy.to, listOf(target))) known.add(id)
  }
  const missing = wanted.filter((each) => !known.has(each.target?.id ?? ''))
  for (const each of missing) {
    copy.report.copied('consumer', `${textOf(each.source, 'name')} of ${textOf(source, 'name')}`)
  }
  const data = missing.flatMap((each) => (each.target ? [{ type: 'workspaces', id: each.target.id }] : []))
  if (copy.dryRun || !target || data.length === 0) return
  await copy.to.call({ method: 'POST', path: listOf(target), body: { data } })
}
