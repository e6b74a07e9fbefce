import { toolVersionAlias } from '../../server/compat/workspace-names.ts'
import type { Client } from '../client.ts'
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
  const there = await findOne(copy.to, `/api/v2/organizations/${organization}/workspaces/${name}`)
  if (there) {
    copy.report.existed('workspace')
    return there
  }
  for (const left of ['vcs-repo', 'agent-pool'] as const) {
    const linked = left === 'vcs-repo' ? source.attributes[left] : source.relationships?.[left]?.data
    if (linked) copy.report.note(`${name} uses a ${left}; connect it here by hand.`)
  }
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
    const faults = (answer.body as Refused | null)?.errors ?? []
    const left = faults.flatMap(({ source: at, detail }) => {
      const name = /^\/data\/attributes\/([a-z-]+)$/.exec(at?.pointer ?? '')?.[1] ?? ''
      return name !== 'name' && name in attributes ? [{ name, detail }] : []
    })
    if (answer.status !== 422 || left.length === 0) return dataOf(requireSuccessAfterRetry(copy.to, call, answer))
    for (const { name, detail } of left) {
      delete attributes[name]
      copy.report.note(`${textOf(source, 'name')}: ${name} was left out: ${detail}`)
    }
  }
}

/** Copies flat tags and tags with values. */
export async function copyTags(copy: Copy, source: Resource, target: Resource | undefined): Promise<void> {
  const owner = textOf(source, 'name')
  const here = target && `/api/v2/workspaces/${target.id}`
  const known = new Set((target?.attributes['tag-names'] ?? []) as string[])
  const missing = ((source.attributes['tag-names'] ?? []) as string[]).filter((name) => !known.has(name))
  for (const name of missing) copy.report.copied('tag', `${name} of ${owner}`)
  if (here !== undefined && !copy.dryRun && missing.length > 0) {
    const data = missing.map((name) => ({ type: 'tags', attributes: { name } }))
    await copy.to.call({ method: 'POST', path: `${here}/relationships/tags`, body: { data } })
  }
  await copyBindings(copy, { there: `/api/v2/workspaces/${source.id}`, here }, owner)
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
    const told = `Variable ${key} of ${textOf(source, 'name')}`
    if (known.has(keyOf(variable))) {
      copy.report.existed('variable')
      // A run that was killed may have created it empty, and whether it still is cannot be read.
      if (sensitive)
        copy.report.noteForEnd(`${told} is sensitive and was here already; make sure that its value is set.`)
      continue
    }
    if (target && !copy.dryRun) {
      const attributes = { key, value: value ?? '', category, hcl, sensitive, ...(description ? { description } : {}) }
      const path = `/api/v2/workspaces/${target.id}/vars`
      const find = () => findVariable(copy.to, path, keyOf(variable))
      await createOnce(copy.to, path, { type: 'vars', attributes }, find)
    }
    copy.report.copied('variable', `${key} of ${textOf(source, 'name')}`)
    if (sensitive) copy.report.note(`${told} is sensitive; set its value again.`)
  }
}
