import type { Copy } from '../copy.ts'
import { listAll, listIfAny, type Resource, textOf } from '../documents.ts'

/** A workspace of the source, and the one it was copied to; undefined in a dry run. */
export type Pair = { readonly source: Resource; readonly target: Resource | undefined }

const listOf = ({ id }: Resource): string => `/api/v2/workspaces/${id}/relationships/remote-state-consumers`

/**
 * Lets the same workspaces read a workspace's state as at the source. `pairs` has all copied ones, by their ids there.
 */
export async function copyConsumers(
  copy: Copy,
  { source, target }: Pair,
  pairs: ReadonlyMap<string, Pair>,
): Promise<void> {
  // A workspace that shares its state globally or with its project lists all of them as consumers, and accepts no list.
  if (source.attributes['global-remote-state'] !== false || source.attributes['project-remote-state'] === true) return
  const wanted: Pair[] = []
  for await (const { id } of listIfAny(copy.from, source, 'remote-state-consumers', listOf(source))) {
    const consumer = pairs.get(id)
    if (consumer) wanted.push(consumer)
  }
  const known = new Set<string>()
  if (wanted.length > 0 && target) {
    for await (const { id } of listAll(copy.to, listOf(target))) known.add(id)
  }
  const missing = wanted.filter((each) => !known.has(each.target?.id ?? ''))
  const data = missing.flatMap((each) => (each.target ? [{ type: 'workspaces', id: each.target.id }] : []))
  if (!copy.dryRun && target && data.length > 0)
    await copy.to.call({ method: 'POST', path: listOf(target), body: { data } })
  for (const each of missing) {
    copy.report.copied('consumer', `${textOf(each.source, 'name')} of ${textOf(source, 'name')}`)
  }
}
