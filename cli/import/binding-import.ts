import type { Copy } from './copy.ts'
import { listAll, type Resource, textOf } from './documents.ts'

/**
 * Copies the tags with values that a workspace or project has at the source and not at the target, where it has a path
 * if it exists. Tags that exist at the target keep their values.
 */
export async function copyBindings(
  copy: Copy,
  paths: { readonly source: string; readonly target: string | undefined },
  owner: string,
): Promise<void> {
  const missing = new Map<string, Resource>()
  for await (const each of listAll(copy.from, `${paths.source}/tag-bindings`, 'if any')) {
    missing.set(textOf(each, 'key'), each)
  }
  if (missing.size > 0 && paths.target !== undefined) {
    for await (const each of listAll(copy.to, `${paths.target}/tag-bindings`)) missing.delete(textOf(each, 'key'))
  }
  if (!copy.dryRun && paths.target !== undefined && missing.size > 0) await addBindings(copy, paths.target, missing)
  for (const key of missing.keys()) copy.report.copied('tag', `${key} of ${owner}`)
}

async function addBindings({ to }: Copy, target: string, missing: ReadonlyMap<string, Resource>): Promise<void> {
  const data = [...missing].map(([key, { attributes }]) => ({
    type: 'tag-bindings',
    attributes: { key, value: attributes.value },
  }))
  await to.call({ method: 'PATCH', path: `${target}/tag-bindings`, body: { data } })
}
