import { toolNames } from '../../../server/compat/vendor-names.ts'
import { CliFailure } from '../../io.ts'
import type { Copy } from '../copy.ts'
import { copyableMode, createOnce, findOne, type Resource, textOf } from '../documents.ts'
import { requireAcceptedName } from '../names.ts'
import { reconcile, type Settings } from '../reconcile.ts'

/** How an import treats an organization. */
export type OrganizationRules = {
  /** Another organization of the source that this server cannot tell apart from this one, if there is one. */
  readonly twin: string | undefined
  readonly mayCreate: boolean
}

/** Creates an organization like the one at the source, unless it exists; a dry run that would create it has none. */
export async function copyOrganization(
  copy: Copy,
  source: Resource,
  { twin, mayCreate }: OrganizationRules,
): Promise<Resource | undefined> {
  const name = source.id
  requireAcceptedName('organization', name)
  const path = `/api/v2/organizations/${name}`
  const existing = await findOne(copy.to, path)
  if (!existing) {
    if (!mayCreate)
      throw new CliFailure('This token sees no organization of this name here, and may not create one.', 2)
    const made = copy.dryRun ? undefined : await createOrganization(copy, source, path)
    copy.report.copied('organization', name)
    return made
  }
  if (existing.id !== name && twin !== undefined)
    throw new CliFailure(`The source also has ${twin}, which is the same name here. Rename one of them.`)
  if (existing.id !== name) copy.report.note(`Organization ${name} is called ${existing.id} here.`)
  const twins = { kind: 'organization', name, wanted: settingsOf(source), existing: existing.attributes } as const
  await reconcile(copy, twins, (attributes) =>
    copy.to.call({ method: 'PATCH', path, body: { data: { type: 'organizations', attributes } } }),
  )
  return existing
}

/** A server that does not name a tool knows only one. */
function settingsOf(source: Resource): Settings {
  const mode = copyableMode(source, 'default-execution-mode')
  const tool = source.attributes['default-tool'] ?? toolNames[1]
  return { ...(mode && { 'default-execution-mode': mode }), 'default-tool': tool }
}

async function createOrganization({ to }: Copy, source: Resource, path: string): Promise<Resource> {
  const email = textOf(source, 'email') || 'import@example.invalid'
  const attributes = { name: source.id, email, ...settingsOf(source) }
  const resource = { type: 'organizations', attributes }
  try {
    return await createOnce(to, '/api/v2/organizations', resource, () => findOne(to, path))
  } catch (thrown) {
    if (!(thrown instanceof CliFailure && thrown.message.includes('has already been taken'))) throw thrown
    const hint = 'It exists here, and this token may not see it: use one of its members.'
    throw new CliFailure(`${thrown.message}\n  ${hint}`, thrown.exitCode)
  }
}
