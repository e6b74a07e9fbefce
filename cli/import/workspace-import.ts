import { toolVersionAlias } from '../../server/compat/workspace-names.ts'
import type { Answer, Client } from '../client.ts'
import { copyBindings } from './binding-import.ts'
import type { Copy } from './copy.ts'
import {
  copyableMode,
  createOnce,
  dataOf,
  findOne,
  listAll,
  type Resource,
  requireSuccessAfterRetry,
  resultOfLostAttempt,
  textOf,
} from './documents.ts'

/** Settings that are the same on every server. */
const plainSettings = [
  'description',
  'allow-destroy-plan',
  'auto-apply',
  'auto-apply-run-trigger',
  'file-triggers-enabled',
  'global-remote-state',
  'project-remote-state',
  'queue-all-runs',
  'source-name',
  'source-url',
  'speculative-enabled',
  'structured-run-output-enabled',
  toolVersionAlias,
  'trigger-prefixes',
  'trigger-patterns',
  'working-directory',
] as const

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** Settings of a workspace that can be copied; agents and repositories belong to the server they are known to. */
function settingsOf(source: Resource): Record<string, unknown> {
  const { attributes } = source
  const settings = Object.fromEntries(
    plainSettings.flatMap((name) => (isSet(attributes[name]) ? [[name, attributes[name]]] : [])),
  )
  return { name: attributes.name, ...settings, ...modeOf(source), ...autoDestroyOf(source) }
}

/** A workspace that follows its project or organization does so here, too. */
function modeOf(source: Resource): Record<string, unknown> {
  const overwrites = Object(source.attributes['setting-overwrites']) as Record<string, unknown>
  if (overwrites['execution-mode'] === false) return { 'setting-overwrites': { 'execution-mode': false } }
  const mode = copyableMode(source, 'execution-mode')
  return mode ? { 'execution-mode': mode } : {}
}

/** A time that is derived from a duration, or from the project, is calculated again. */
function autoDestroyOf(source: Resource): Record<string, unknown> {
  if (source.attributes['inherits-project-auto-destroy'] !== false) return {}
  const duration = textOf(source, 'auto-destroy-activity-duration')
  if (duration !== '') return { 'auto-destroy-activity-duration': duration }
  return { 'auto-destroy-at': textOf(source, 'auto-destroy-at') || null }
}

/** Creates a workspace like the one at the source; one that exists already is left as it is. */
export async function copyWorkspace(
  copy: Copy,
  organization: string,
  source: Resource,
  projectId: string | undefined,
): Promise<Resource | undefined> {
  const name = textOf(source, 'name')
  const existing = await findOne(copy.to, `/api/v2/organizations/${organization}/workspaces/${name}`)
  if (existing) {
    copy.report.existed('workspace')
    return existing
  }
  const connectByHand = (link: string) => copy.report.note(`${name} uses a ${link}; connect it here by hand.`)
  if (source.attributes['vcs-repo']) connectByHand('vcs-repo')
  if (source.relationships?.['agent-pool']?.data) connectByHand('agent-pool')
  const made = copy.dryRun ? undefined : await createWithAcceptedSettings(copy, organization, source, projectId)
  copy.report.copied('workspace', name)
  return made
}

type Refused = { errors?: { source?: { pointer?: string }; detail?: string }[] }

/** Settings that this server does not accept are left out and reported. */
async function createWithAcceptedSettings(
  copy: Copy,
  organization: string,
  source: Resource,
  projectId: string | undefined,
): Promise<Resource> {
  const attributes = settingsOf(source)
  const relationships = projectId ? { project: { data: { type: 'projects', id: projectId } } } : {}
  const path = `/api/v2/organizations/${organization}/workspaces`
  const find = () => findOne(copy.to, `${path}/${textOf(source, 'name')}`)
  for (let isRepeated = false; ; ) {
    const call = { method: 'POST', path, body: { data: { type: 'workspaces', attributes, relationships } } }
    const answer = await copy.to.ask(call)
    if (answer.status < 400) return dataOf(answer)
    isRepeated ||= answer.isRepeated
    const made = await resultOfLostAttempt({ ...answer, isRepeated }, find)
    if (made) return made
    const refused = answer.status === 422 ? refusedSettings(answer, attributes) : []
    if (refused.length === 0) return dataOf(requireSuccessAfterRetry(copy.to, call, answer))
    for (const { name, detail } of refused) {
      delete attributes[name]
      copy.report.note(`${textOf(source, 'name')}: ${name} was left out: ${detail}`)
    }
  }
}

/** Those of the settings that an answer refuses, and why. A workspace cannot be created without its name. */
function refusedSettings({ body }: Answer, settings: object): { name: string; detail: string | undefined }[] {
  const faults = (body as Refused | null)?.errors ?? []
  return faults.flatMap(({ source, detail }) => {
    const name = /^\/data\/attributes\/([a-z-]+)$/.exec(source?.pointer ?? '')?.[1] ?? ''
    return name !== 'name' && Object.hasOwn(settings, name) ? [{ name, detail }] : []
  })
}

/** Copies flat tags and tags with values. */
export async function copyTags(copy: Copy, source: Resource, target: Resource | undefined): Promise<void> {
  const owner = textOf(source, 'name')
  const path = target && `/api/v2/workspaces/${target.id}`
  const known = new Set((target?.attributes['tag-names'] ?? []) as string[])
  const missing = ((source.attributes['tag-names'] ?? []) as string[]).filter((name) => !known.has(name))
  for (const name of missing) copy.report.copied('tag', `${name} of ${owner}`)
  if (path !== undefined && !copy.dryRun && missing.length > 0) {
    const data = missing.map((name) => ({ type: 'tags', attributes: { name } }))
    await copy.to.call({ method: 'POST', path: `${path}/relationships/tags`, body: { data } })
  }
  await copyBindings(copy, { source: `/api/v2/workspaces/${source.id}`, target: path }, owner)
}

/** A key may be used once in each category. */
const keyOf = (variable: Resource): string => `${textOf(variable, 'category')} ${textOf(variable, 'key')}`

async function findVariable(client: Client, path: string, key: string): Promise<Resource | undefined> {
  for await (const each of listAll(client, path)) if (keyOf(each) === key) return each
  return undefined
}

/** Copies variables. Values of sensitive ones cannot be read, so these are created empty and reported. */
export async function copyVariables(copy: Copy, source: Resource, target: Resource | undefined): Promise<void> {
  const known = new Set<string>()
  if (target) {
    for await (const variable of listAll(copy.to, `/api/v2/workspaces/${target.id}/vars`)) known.add(keyOf(variable))
  }
  for await (const variable of listAll(copy.from, `/api/v2/workspaces/${source.id}/vars`)) {
    const { key, value, description, category, hcl, sensitive } = variable.attributes
    const name = `${key} of ${textOf(source, 'name')}`
    if (known.has(keyOf(variable))) {
      copy.report.existed('variable')
      // A run that was killed may have created it empty, and whether it still is cannot be read.
      if (sensitive)
        copy.report.noteForEnd(`Variable ${name} is sensitive and was here already; make sure that its value is set.`)
      continue
    }
    if (target && !copy.dryRun) {
      const attributes = { key, value: value ?? '', category, hcl, sensitive, ...(description ? { description } : {}) }
      const path = `/api/v2/workspaces/${target.id}/vars`
      const find = () => findVariable(copy.to, path, keyOf(variable))
      await createOnce(copy.to, path, { type: 'vars', attributes }, find)
    }
    copy.report.copied('variable', name)
    if (sensitive) copy.report.note(`Variable ${name} is sensitive; set its value again.`)
  }
}
