import type { Copy } from '../copy.ts'
import { type Resource, textOf } from '../documents.ts'
import { copyBindings } from './binding-import.ts'

/** Copies flat tags and tags with values. */
export async function copyTags(copy: Copy, source: Resource, target: Resource | undefined): Promise<void> {
  const owner = textOf(source, 'name')
  const path = target && `/api/v2/workspaces/${target.id}`
  // This server keeps names in lower case.
  const missing = new Map(tagNames(source).map((name) => [name.toLowerCase(), name]))
  for (const name of tagNames(target)) if (missing.delete(name.toLowerCase())) copy.report.existed('tag')
  if (missing.size > 0) await addTags(copy, path, [...missing.values()], owner)
  await copyBindings(copy, source, path, owner)
}

const tagNames = (workspace: Resource | undefined): string[] => (workspace?.attributes['tag-names'] ?? []) as string[]

/** Adds flat tags to what exists at the target. If one is refused, each is tried alone. */
async function addTags(copy: Copy, path: string | undefined, names: string[], owner: string): Promise<void> {
  const { to, dryRun, report } = copy
  const reportAll = (): void => {
    for (const name of names) report.copied('tag', `${name} of ${owner}`)
  }
  if (path === undefined || dryRun) return reportAll()
  const data = names.map((name) => ({ type: 'tags', attributes: { name } }))
  const call = { method: 'POST', path: `${path}/relationships/tags`, body: { data } }
  const answer = await to.ask(call)
  if (answer.status === 422 && names.length > 1) {
    for (const name of names) await addTags(copy, path, [name], owner)
    return
  }
  await report.attempt(`Tag ${names.join(', ')} of ${owner}`, async () => {
    to.requireSuccess(call, answer)
    reportAll()
  })
}
