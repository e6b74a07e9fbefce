import { toolVersionAlias } from '../../../server/compat/vendor-names.ts'
import type { Answer } from '../../connection/client.ts'
import type { Copy } from '../copy.ts'
import {
  copyableMode,
  dataOf,
  findOne,
  type Resource,
  requireSuccessAfterRetry,
  resultOfLostAttempt,
  textOf,
} from '../documents.ts'
import { requireAcceptedName } from '../names.ts'
import { overwritesOf, reconcile, type Settings, withoutEmpty } from '../reconcile.ts'
import { workspaceSettings } from './setting-names.ts'

/** Settings of a workspace that can be copied; agents and repositories belong to the server they are known to. */
function settingsOf(source: Resource): Settings {
  const plain = Object.fromEntries(workspaceSettings.map((name) => [name, source.attributes[name]]))
  const version = textOf(source, toolVersionAlias) || undefined
  return { ...plain, [toolVersionAlias]: version, ...modeOf(source), ...autoDestroyOf(source) }
}

/** Settings with which a workspace is created: defaults stay, and where it comes from is told only here. */
const firstSettingsOf = (source: Resource): Record<string, unknown> => ({
  name: source.attributes.name,
  ...withoutEmpty({ ...settingsOf(source), ...originOf(source) }),
  ...autoDestroyOf(source),
})

const originOf = ({ attributes }: Resource): Settings => ({
  'source-name': attributes['source-name'],
  'source-url': attributes['source-url'],
})

/** A workspace that follows its project or organization does so here, too. */
function modeOf(source: Resource): Settings {
  if (overwritesOf(source)['execution-mode'] === false) return { 'setting-overwrites': { 'execution-mode': false } }
  const mode = copyableMode(source, 'execution-mode')
  return mode ? { 'execution-mode': mode } : {}
}

/** A time that is derived from a duration, or from the project, is calculated again. */
function autoDestroyOf(source: Resource): Settings {
  if (source.attributes['inherits-project-auto-destroy'] !== false) return {}
  const duration = textOf(source, 'auto-destroy-activity-duration')
  if (duration !== '') return { 'auto-destroy-activity-duration': duration }
  const at = textOf(source, 'auto-destroy-at')
  return { 'auto-destroy-at': at === '' ? null : new Date(at) }
}

/** A workspace of an organization. */
type Place = { readonly path: string; readonly projectId: string | undefined }

/** Creates a workspace like the one at the source, unless it exists; undefined in a dry run that would create it. */
export async function copyWorkspace(
  copy: Copy,
  organization: string,
  source: Resource,
  projectId: string | undefined,
): Promise<Resource | undefined> {
  const name = textOf(source, 'name')
  requireAcceptedName('workspace', name)
  const place = { path: `/api/v2/organizations/${organization}/workspaces`, projectId }
  const existing = await findOne(copy.to, `${place.path}/${name}`)
  if (existing) {
    await updateWorkspace(copy, source, existing, projectId)
    return existing
  }
  const connectByHand = (link: string) => copy.report.note(`${name} uses ${link}; connect it here by hand.`)
  if (source.attributes['vcs-repo']) connectByHand('a repository')
  // Not every server says which pool it is.
  if (source.attributes['execution-mode'] === 'agent' || source.relationships?.['agent-pool']?.data)
    connectByHand('an agent pool')
  const made = copy.dryRun ? undefined : await createWithAcceptedSettings(copy, source, place)
  copy.report.copied('workspace', name)
  if (made) noteOtherTool(copy, source, made)
  return made
}

async function updateWorkspace(
  copy: Copy,
  source: Resource,
  existing: Resource,
  projectId: string | undefined,
): Promise<void> {
  const twins = {
    kind: 'workspace',
    name: textOf(source, 'name'),
    wanted: { ...settingsOf(source), project: projectId },
    existing: { ...existing.attributes, project: existing.relationships?.project?.data?.id },
  } as const
  await reconcile(copy, twins, ({ project, ...changed }) =>
    changeWithAcceptedSettings(copy, source, {
      path: `/api/v2/workspaces/${existing.id}`,
      attributes: { ...changed },
      ...(project !== undefined && inProject(projectId)),
    }),
  )
}

type Change = { readonly path: string; readonly attributes: Record<string, unknown> }

async function changeWithAcceptedSettings(copy: Copy, source: Resource, { path, ...resource }: Change): Promise<void> {
  for (;;) {
    const call = { method: 'PATCH', path, body: { data: { type: 'workspaces', ...resource } } }
    const answer = await copy.to.ask(call)
    if (!leaveOutRefused(copy, source, answer, resource.attributes)) return void copy.to.requireSuccess(call, answer)
  }
}

const inProject = (id: string | undefined): object =>
  id === undefined ? {} : { relationships: { project: { data: { type: 'projects', id } } } }

/** The version may stand for a release of another tool here, where other releases are known. */
function noteOtherTool({ report }: Copy, source: Resource, made: Resource): void {
  const [theirs, ours] = [textOf(source, 'tool-name'), textOf(made, 'tool-name')]
  if (theirs !== '' && theirs !== ours)
    report.note(`${textOf(source, 'name')} uses ${theirs} at the source and ${ours} here; set its ${toolVersionAlias}.`)
}

type Refused = { errors?: { source?: { pointer?: string }; detail?: string }[] }

/** Settings that this server does not accept are left out and reported. */
async function createWithAcceptedSettings(copy: Copy, source: Resource, { path, projectId }: Place): Promise<Resource> {
  const attributes = firstSettingsOf(source)
  const find = () => findOne(copy.to, `${path}/${textOf(source, 'name')}`)
  for (let isRepeated = false; ; ) {
    const call = { method: 'POST', path, body: { data: { type: 'workspaces', attributes, ...inProject(projectId) } } }
    const answer = await copy.to.ask(call)
    if (answer.status < 400) return dataOf(answer)
    isRepeated ||= answer.isRepeated
    const made = await resultOfLostAttempt({ ...answer, isRepeated }, find)
    if (made) return made
    if (!leaveOutRefused(copy, source, answer, attributes))
      return dataOf(requireSuccessAfterRetry(copy.to, call, answer))
  }
}

/** Takes out the settings that an answer refuses, and reports them. Returns whether there were any. */
function leaveOutRefused(
  { report }: Copy,
  source: Resource,
  answer: Answer,
  settings: Record<string, unknown>,
): boolean {
  const refused = answer.status === 422 ? refusedSettings(answer, settings) : []
  for (const { name, detail } of refused) {
    delete settings[name]
    report.note(`${textOf(source, 'name')}: ${name} was left out: ${detail}`)
  }
  return refused.length > 0
}

/** Those of the settings that an answer refuses, and why. A workspace cannot be created without its name. */
function refusedSettings({ body }: Answer, settings: object): { name: string; detail: string | undefined }[] {
  const faults = (body as Refused | null)?.errors ?? []
  return faults.flatMap(({ source, detail }) => {
    const name = /^\/data\/attributes\/([a-z-]+)$/.exec(source?.pointer ?? '')?.[1] ?? ''
    return name !== 'name' && Object.hasOwn(settings, name) ? [{ name, detail }] : []
  })
}
