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
import type { PatientClient } from './patient-client.ts'

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
  const connectByHand = (link: string) => copy.report.note(`${name} uses ${link}; connect it here by hand.`)
  if (source.attributes['vcs-repo']) connectByHand('a repository')
  // Not every server says which pool it is.
  if (source.attributes['execution-mode'] === 'agent' || source.relationships?.['agent-pool']?.data)
    connectByHand('an agent pool')
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
  // This server keeps names in lower case.
  const missing = new Map(tagNames(source).map((name) => [name.toLowerCase(), name]))
  for (const name of tagNames(target)) missing.delete(name.toLowerCase())
  if (missing.size > 0) await addTags(copy, path, [...missing.values()], owner)
  await copyBindings(copy, { source: `/api/v2/workspaces/${source.id}`, target: path }, owner)
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
    const { key, sensitive } = variable.attributes
    const name = `${key} of ${textOf(source, 'name')}`
    if (known.has(keyOf(variable))) {
      copy.report.existed('variable')
      // A run that was killed may have created it empty, and whether it still is cannot be read.
      if (sensitive)
        copy.report.noteForEnd(`Variable ${name} is sensitive and was here already; make sure that its value is set.`)
      continue
    }
    await copy.report.attempt(`Variable ${name}`, async () => {
      if (target && !copy.dryRun) await createVariable(copy.to, target, variable)
      copy.report.copied('variable', name)
      if (sensitive) copy.report.note(`Variable ${name} is sensitive; set its value again.`)
    })
  }
}

async function createVariable(to: PatientClient, target: Resource, source: Resource): Promise<void> {
  const { key, value, description, category, hcl, sensitive } = source.attributes
  const attributes = { key, value: value ?? '', category, hcl, sensitive, ...(description ? { description } : {}) }
  const path = `/api/v2/workspaces/${target.id}/vars`
  const find = () => findVariable(to, path, keyOf(source))
  await createOnce(to, path, { type: 'vars', attributes }, find)
}
