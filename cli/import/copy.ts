import { isDeepStrictEqual } from 'node:util'
import type { Answer, Call } from '../connection/client.ts'
import { CliFailure } from '../io.ts'
import { findOne, listAll, type Resource, send, textOf } from './documents.ts'
import { isEmpty, type Kind, requireAcceptedName, type Settings, withoutEmpty } from './kinds.ts'
import type { PatientClient } from './patient-client.ts'
import type { Report } from './report.ts'

/** Source and target of an import, and its options. */
export type Copy = {
  readonly from: PatientClient
  readonly to: PatientClient
  readonly dryRun: boolean
  /** Overwrite settings and variables that differ at the target; otherwise they are only named. */
  readonly update: boolean
  readonly report: Report
}

/** Documents of one kind, and the list of the target where they belong. */
type Documents = {
  readonly kind: Kind
  readonly sources: AsyncIterable<Resource> | Iterable<Resource>
  /** Undefined in a dry run that would create it. */
  readonly list: string | undefined
  /** What they belong to, if their names do not tell. */
  readonly owner?: string
  /** Those of the target by their keys, if they need not be read. */
  readonly known?: ReadonlyMap<string, Resource>
  /** Refuses a document. Returns its project at the target, if it has one, and whether to overwrite what differs. */
  readonly before?: (source: Resource, existing?: Resource) => { project?: string; update?: boolean } | undefined
  /** Copies what a document contains. The target is undefined in a dry run that would create it. */
  readonly after?: (source: Resource, target: Resource | undefined, isNew: boolean) => Promise<void> | void
}

/** A document as it is to be at the target. */
type Item = { readonly source: Resource; readonly name: string; readonly wanted: Settings }

/**
 * Creates what the target lacks; what exists is compared, and overwritten if that was asked for. A document that is
 * refused is reported, and the others are copied.
 */
export async function copyAll(copy: Copy, documents: Documents): Promise<void> {
  const { kind, before, after } = documents
  let { known } = documents
  const together: Item[] = []
  for await (const source of documents.sources) {
    known ??= await keyed(copy, documents)
    const name = nameIn(documents, source)
    await copy.report.attempt(`${kind.title} ${name || source.id}`, async () => {
      requireAcceptedName(kind, name)
      const existing = kind.key ? known?.get(kind.key(source)) : await find(copy, documents, source)
      const { project, update = copy.update } = before?.(source, existing) ?? {}
      const item = { source, name, wanted: { ...kind.settings(source), project } }
      if (existing) await compare({ ...copy, update }, documents, item, existing)
      else if (kind.entry) return void together.push(item)
      const target = existing ?? (await create(copy, documents, item))
      await after?.(source, target, !existing)
    })
  }
  if (together.length > 0) await addEntries(copy, documents, together)
}

const nameIn = ({ kind, owner }: Documents, source: Resource): string =>
  `${textOf(source, kind.named ?? 'name')}${owner === undefined ? '' : ` of ${owner}`}`

/** A list of the target by the keys of its documents; nothing if these are found by their names. */
export async function keyed({ to }: Copy, { kind: { key }, list }: Pick<Documents, 'kind' | 'list'>) {
  const known = new Map<string, Resource>()
  if (key && list) for await (const each of listAll(to, list)) known.set(key(each), each)
  return known
}

/** Looks for one document by what is unique about it. */
async function find(copy: Copy, documents: Documents, source: Resource): Promise<Resource | undefined> {
  const { kind, list } = documents
  if (kind.key) return (await keyed(copy, documents)).get(kind.key(source))
  return await findOne(copy.to, `${list}/${textOf(source, kind.named ?? 'name')}`)
}

/** Returns the new document; nothing in a dry run. */
async function create(copy: Copy, documents: Documents, { source, name, wanted }: Item): Promise<Resource | undefined> {
  const { kind, list } = documents
  const settings = { ...kind.first?.(source), ...withoutEmpty(wanted) }
  const call = { method: 'POST', path: `${list}` }
  const made = copy.dryRun
    ? undefined
    : await sendDocument(copy, kind, name, call, settings, () => find(copy, documents, source))
  copy.report.copied(kind.name, name)
  return made
}

/** Names the settings that differ at the target, or overwrites them if that was asked for. */
async function compare(copy: Copy, documents: Documents, { source, name, wanted }: Item, found: Resource) {
  const { kind, list } = documents
  const { update, dryRun, report } = copy
  const changed = differences(wanted, { ...found.attributes, project: found.relationships?.project?.data?.id })
  const names = Object.keys(changed).join(', ')
  if (names === '' || !update) {
    report.existed(kind.name)
    if (names !== '') report.note(`The ${kind.name} ${name} differs here: ${names}. Use --update to overwrite it.`)
    return
  }
  // A refused change must not cost a workspace its state.
  await report.attempt(`Change of ${kind.name} ${name} (${names})`, async () => {
    const call = { method: 'PATCH', path: `${kind.isNested ? list : `/api/v2/${kind.type}`}/${found.id}` }
    if (!dryRun && kind.entry) await copy.to.call(entriesCall(documents, [source]))
    else if (!dryRun) await sendDocument(copy, kind, name, call, changed)
    report.updated(kind.name, `${name}: ${names}`)
  })
}

async function sendDocument(
  { to, report }: Copy,
  kind: Kind,
  name: string,
  call: Call,
  { project, ...settings }: Settings,
  find?: () => Promise<Resource | undefined>,
): Promise<Resource> {
  const attributes: Record<string, unknown> = settings
  const relationships = project === undefined ? {} : { project: { data: { type: 'projects', id: project } } }
  const mend = (answer: Answer): boolean => {
    const refused = kind.leavesOut && answer.status === 422 ? refusedSettings(answer, attributes) : []
    for (const { setting, detail } of refused) {
      delete attributes[setting]
      report.note(`${name}: ${setting} was left out: ${detail}`)
    }
    return refused.length > 0
  }
  try {
    return await send(to, { ...call, body: { data: { type: kind.type, attributes, relationships } } }, { mend, find })
  } catch (thrown) {
    if (!kind.hint || !(thrown instanceof CliFailure && thrown.message.includes('has already been taken'))) throw thrown
    throw new CliFailure(`${thrown.message}\n  ${kind.hint}`, thrown.exitCode)
  }
}

type Refused = { errors?: { source?: { pointer?: string }; detail?: string }[] }

/** Those of the settings that an answer refuses, and why. Nothing can be created without its name. */
function refusedSettings({ body }: Answer, settings: object): { setting: string; detail: string | undefined }[] {
  const faults = (body as Refused | null)?.errors ?? []
  return faults.flatMap(({ source, detail }) => {
    const setting = /^\/data\/attributes\/([a-z-]+)$/.exec(source?.pointer ?? '')?.[1] ?? ''
    return setting !== 'name' && Object.hasOwn(settings, setting) ? [{ setting, detail }] : []
  })
}

/** Adds entries in one call. If one of them is refused, each may be tried alone. */
async function addEntries(copy: Copy, documents: Documents, items: readonly Item[]): Promise<void> {
  const { kind } = documents
  const call = entriesCall(
    documents,
    items.map(({ source }) => source),
  )
  const answer = copy.dryRun ? undefined : await copy.to.ask(call)
  if (kind.entry?.isEachTried && answer?.status === 422 && items.length > 1) {
    for (const item of items) await addEntries(copy, documents, [item])
    return
  }
  const conclude = async (): Promise<void> => {
    if (answer) copy.to.requireSuccess(call, answer)
    for (const { name } of items) copy.report.copied(kind.name, name)
  }
  if (!kind.entry?.isEachTried) return await conclude()
  const keys = items.map(({ source }) => textOf(source, 'name')).join(', ')
  await copy.report.attempt(`${kind.title} ${keys} of ${documents.owner}`, conclude)
}

const entriesCall = ({ kind: { entry }, list }: Documents, sources: readonly Resource[]): Call => ({
  method: entry?.method ?? 'POST',
  path: `${list}`,
  body: { data: sources.map((source) => entry?.data(source)) },
})

/** Those of the wanted settings that differ from the existing ones. What the source does not know does not differ. */
export const differences = (wanted: Settings, existing: Settings): Settings =>
  Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => value !== undefined && !isSame(value, existing[name])),
  )

function isSame(wanted: unknown, existing: unknown): boolean {
  if (isEmpty(wanted) || isEmpty(existing)) return isEmpty(wanted) && isEmpty(existing)
  if (wanted instanceof Date) return wanted.getTime() === Date.parse(String(existing))
  if (typeof wanted !== 'object' || Array.isArray(wanted)) return isDeepStrictEqual(wanted, existing)
  return Object.keys(differences(wanted as Settings, Object(existing))).length === 0
}
