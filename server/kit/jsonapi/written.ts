import { weakTagOf } from '../entity-tag.ts'
import type { Reply } from '../reply.ts'
import type { Resource } from './schemas.ts'

/** A resource as text, and the tag that moves with it. */
type WrittenResource = { readonly text: string; readonly tag: string }

/** What is kept of a resource for as long as it is the same. */
type ResourceMemo = {
  /** What it was made of, if it was made of another one. */
  readonly layers: Layers | undefined
  written: WrittenResource | undefined
  reply: Reply | undefined
  cut: CutText | undefined
}

const memos = new WeakMap<Resource, ResourceMemo>()

function memoOf(resource: Resource, layers?: Layers): ResourceMemo {
  const known = memos.get(resource)
  if (known) return known
  const made: ResourceMemo = { layers, written: undefined, reply: undefined, cut: undefined }
  memos.set(resource, made)
  return made
}

/** A resource written out, once for as long as the resource is the same. */
export function writeResource(resource: Resource): WrittenResource {
  const known = memoOf(resource)
  known.written ??= known.layers ? writeLayers(known.layers) : writeWhole(resource)
  return known.written
}

function writeWhole(resource: Resource): WrittenResource {
  const text = JSON.stringify(resource)
  return { text, tag: weakTagOf(text) }
}

/** Members of a resource that change more often than all others: at least one of each kind, and always the same. */
type ChangingMembers = {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: NonNullable<Resource['relationships']>
}

type Layers = { readonly below: Resource; readonly above: ChangingMembers }

/** A resource with other values for some of its members. When it is written out, only those are written again. */
export function withChanged(below: Resource, above: ChangingMembers): Resource {
  const resource = {
    ...below,
    attributes: { ...below.attributes, ...above.attributes },
    relationships: { ...below.relationships, ...above.relationships },
  }
  memoOf(resource, { below, above })
  return resource
}

/** The text of a resource without its changing members, cut where they belong. */
type CutText = { readonly head: string; readonly middle: string; readonly tail: string; readonly tag: string }

function writeLayers({ below, above }: Layers): WrittenResource {
  const known = memoOf(below)
  known.cut ??= cutAround(below, above)
  const { cut } = known
  const [attributes, relationships] = [members(above.attributes), members(above.relationships)]
  const text = `${cut.head}${attributes}${cut.middle}${relationships}${cut.tail}`
  return { text, tag: weakTagOf(`${cut.tag}${attributes}${relationships}`) }
}

function cutAround({ attributes, relationships, type, id, ...rest }: Resource, above: ChangingMembers): CutText {
  const head = `{${members({ type, id })},"attributes":{${withComma(members(without(attributes, above.attributes)))}`
  const middle = `},"relationships":{${withComma(members(without(relationships, above.relationships)))}`
  const others = members(rest)
  const tail = `}${others && `,${others}`}}`
  return { head, middle, tail, tag: weakTagOf(`${head}${middle}${tail}`) }
}

const without = (all: object | undefined, omitted: object): object =>
  Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => !Object.hasOwn(omitted, name)))

/** The members of an object as text, without its braces. */
const members = (object: object): string => JSON.stringify(object).slice(1, -1)

/** Members that others follow. */
const withComma = (text: string): string => text && `${text},`

/** Answers with one resource, written out and tagged before where it has not changed. */
export function answerWritten(resource: Resource): Reply {
  const known = memoOf(resource)
  known.reply ??= replyOf(resource)
  return known.reply
}

function replyOf(resource: Resource): Reply {
  const { text, tag } = writeResource(resource)
  return { kind: 'document', document: { data: resource }, text: `{"data":${text}}`, headers: { ETag: tag } }
}
