import { toIsoNano } from '../kernel/clock.ts'
import { parseVerbatim } from '../kernel/exact-json.ts'
import type { AuditEvent } from '../kit/audit-trail.ts'
import type { AuthAnswer, IssuedAuth, LongList, Reply } from '../kit/reply.ts'
import type { Hash, HashOptions, Mask } from './hashing.ts'
import { compact, type Fields, field, isEmpty, type MountPart } from './record-parts.ts'

/** What the `response` part of a record is made with. `hash` is the device's own, or a faster one. */
type ReplyRules = { mask: Mask; hash: Hash; options: HashOptions }

/** An answer as a device writes it down. */
export type ReplyPart = {
  /** The `response` of a record. */
  readonly text: string
  /** The token it hands out, in the open or wrapped, as `auth` with a comma before it; empty if there is none. */
  readonly auth: string
}

/**
 * Describes an answer. Files and archives leave no data behind, documents only what they are about; of an answer that was
 * wrapped the record says what came out.
 */
export function replyPart(event: AuditEvent, mount: MountPart, { mask, hash, options }: ReplyRules): ReplyPart {
  const { reply, warnings, errorData, operation } = event
  let text = ''
  let handedOut = ''
  let wrappedUp = ''
  if (errorData) text = field('data', errorData)
  else if (reply?.kind === 'document') text = field('data', summaryOf(reply.document))
  else {
    const { auth, wrapped, data, secret, wrap_info } = partsOf(reply)
    const shown = options.elideListResponses && operation === 'list' ? elideList(data) : data
    if (auth) handedOut = field('auth', mask.keys(auth))
    if (wrapped) wrappedUp = field('auth', mask.keys(wrapped))
    if (!isEmpty(shown)) text = `,"data":${mask.json(shown, mount.responseKeys, hash)}`
    text += field('secret', secret)
    if (wrap_info) text += field('wrap_info', mask.keys(wrap_info))
  }
  text = handedOut + text + field('warnings', warnings) + mount.text
  return { text: `{${text.slice(1)}}`, auth: handedOut || wrappedUp }
}

type ReplyParts = { auth?: Fields; wrapped?: Fields; data?: object; secret?: Fields; wrap_info?: Fields }

function partsOf(reply: Exclude<Reply, { kind: 'document' }> | undefined): ReplyParts {
  if (reply?.kind === 'bare') return { data: reply.body }
  if (reply?.kind === 'list') return { data: summaryOfList(reply.list) }
  if (reply?.kind === 'bytes')
    return typeof reply.body === 'string' && reply.isEnvelope ? partsOfEnvelope(reply.body) : {}
  if (reply?.kind !== 'data') return {}
  return {
    auth: authOf(reply),
    wrapped: reply.wrapped && authOf(reply.wrapped),
    data: reply.data,
    secret: reply.lease?.id ? { lease_id: reply.lease.id } : undefined,
    wrap_info: reply.wrapInfo,
  }
}

/** A long list is recorded as the number of its names, and a hash from which it can be told whether it was this one. */
const summaryOfList = ({ count, digest, hasInfo }: LongList): Record<string, unknown> => ({
  keys: count,
  keys_hash: digest,
  key_info: hasInfo ? count : undefined,
})

/** What an envelope holds that was written out before. */
function partsOfEnvelope(envelope: string): ReplyParts {
  const { auth, data } = parseVerbatim(envelope) as { auth?: AuthAnswer | null; data?: object | null }
  return { auth: authOf({ auth: auth ?? undefined }), data: data ?? undefined }
}

/** A token that is handed out, in the words that records have for the token of a caller. */
function authOf({ auth, recordedAuth = {} }: IssuedAuth): Fields | undefined {
  if (!auth) return undefined
  const { lease_duration: ttl, ...answered } = auth
  const { issuedAt, ...recorded } = recordedAuth
  return compact({ ...answered, token_ttl: ttl, token_issue_time: issuedAt && toIsoNano(issuedAt), ...recorded })
}

/**
 * Type and id of a JSON:API resource, or the number of resources of a page: their attributes can be read again by id,
 * and hashing a page of them would cost more than making it.
 */
function summaryOf(document: object): Record<string, unknown> {
  const primary: unknown = 'data' in document ? document.data : undefined
  if (Array.isArray(primary)) return { ...identify(primary[0]), id: undefined, count: primary.length }
  return identify(primary)
}

function identify(resource: unknown): Record<string, unknown> {
  if (typeof resource !== 'object' || resource === null) return {}
  const { type, id }: { type?: unknown; id?: unknown } = resource
  return { type, id }
}

/** Replaces the names of a list by their number. */
function elideList(data: object | undefined): object | undefined {
  if (!data) return data
  const { keys, key_info: info }: { keys?: unknown; key_info?: unknown } = data
  return {
    ...data,
    keys_hash: undefined,
    ...(Array.isArray(keys) && { keys: keys.length }),
    ...(typeof info === 'object' && info !== null && { key_info: Object.keys(info).length }),
  }
}
