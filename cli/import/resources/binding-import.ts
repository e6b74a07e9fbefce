import type { Copy } from '../copy.ts'
import { listAll, listIfAny, type Resource, textOf } from '../documents.ts'
import { reconcile } from '../reconcile.ts'

/** Copies the tags with values of a workspace or project to the one at the target, which has a path if it exists. */
export async function copyBindings(
  copy: Copy,
  source: Resource,
  target: string | undefined,
  owner: string,
): Promise<void> {
  const path = `/api/v2/${source.type}/${source.id}/tag-bindings`
  const wanted = await Array.fromAsync(listIfAny(copy.from, source, 'tag-bindings', path))
  const known = new Map<string, Resource>()
  if (wanted.length > 0 && target !== undefined) {
    for await (const each of listAll(copy.to, `${target}/tag-bindings`)) known.set(textOf(each, 'key'), each)
  }
  const missing = wanted.filter((each) => !known.has(textOf(each, 'key')))
  if (missing.length > 0) await setBindings(copy, target, missing)
  for (const each of missing) copy.report.copied('tag', `${textOf(each, 'key')} of ${owner}`)
  for (const each of wanted) {
    const key = textOf(each, 'key')
    const existing = known.get(key)
    if (!existing) continue
    const values = { wanted: { value: each.attributes.value }, existing: existing.attributes }
    await reconcile(copy, { kind: 'tag', name: `${key} of ${owner}`, ...values }, () =>
      setBindings(copy, target, [each]),
    )
  }
}

/** Adds tags with values, or changes their values. */
async function setBindings({ to, dryRun }: Copy, target: string | undefined, bindings: Resource[]): Promise<void> {
  if (dryRun || target === undefined) return
  const data = bindings.map(({ attributes: { key, value } }) => ({ type: 'tag-bindings', attributes: { key, value } }))
  await to.call({ method: 'PATCH', path: `${target}/tag-bindings`, body: { data } })
}
