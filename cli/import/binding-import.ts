import type { Copy } from './copy.ts'
import { listAll, type Resource, textOf } from './documents.ts'

/**
 * Copies the tags with values that a workspace or project has at the source and not here; `at` has its path there, and
 * here if it exists. Tags that exist here keep their values.
 */
export async function copyBindings(
  copy: Copy,
  at: { readonly there: string; readonly here: string | undefined },
  owner: string,
): Promise<void> {
  const missing = new Map<string, Resource>()
  for await (const each of listAll(copy.from, `${at.there}/tag-bindings`, 'if any')) {
    missing.set(textOf(each, 'key'), each)
  }
  if (missing.size > 0 && at.here !== undefined) {
    for await (const each of listAll(copy.to, `${at.here}/tag-bindings`)) missing.delete(textOf(each, 'key'))
  }
  for (const key of missing.keys()) copy.report.copied('tag', `${key} of ${owner}`)
  if (copy.dryRun || at.here === undefined || missing.size === 0) return
  const data = [...missing].map(([key, { attributes }]) => ({
    type: 'tag-bindings',
    attributes: { key, value: attributes.value },
  }))
  await copy.to.call({ method: 'PATCH', path: `${at.here}/tag-bindings`, body: { data } })
}
