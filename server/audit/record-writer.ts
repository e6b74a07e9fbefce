import { toIsoNano } from '../kernel/clock.ts'
import type { Principal } from '../kernel/principal.ts'
import type { AuditEvent } from '../kit/audit-trail.ts'
import { runningVersionOf } from '../kit/mount.ts'
import { type CallerPart, createCallerWriter } from './caller-record.ts'
import { type Hash, type HashOptions, maskOf } from './hashing.ts'
import type { AuditRecord } from './record.ts'
import { field, mountPartOf } from './record-parts.ts'
import { type ReplyPart, replyPart } from './reply-record.ts'
import { requestText } from './request-record.ts'

/**
 * Writes records as one device does: every secret replaced by its keyed hash, unless the device logs raw values. Each line
 * is a JSON object whose closing brace is left to whoever adds the fields of the chain.
 */
export function createRecordWriter(
  hash: Hash,
  options: HashOptions,
  version: string,
): (recorded: AuditRecord) => string[] {
  const mask = maskOf(hash, options)
  const callerOf = createCallerWriter(mask)
  const requestOf = createRequestMemo()
  const runningVersion = field('mount_running_version', runningVersionOf(version))
  return ({ event, headers, requestAt, responseAt }) => {
    const caller = callerOf(event)
    const mount = mountPartOf(event.request.mount)
    const write = () => requestText(event, caller, mount, { mask, headers, runningVersion })
    // Where both lines are written at once, nothing has to be remembered from one for the other.
    const request = requestAt !== undefined && responseAt !== undefined ? write() : requestOf(event, write)
    const lines: string[] = []
    if (requestAt !== undefined) {
      lines.push(`{"time":"${toIsoNano(requestAt)}","type":"request",${caller.auth}"request":${request}`)
    }
    if (responseAt !== undefined) {
      const reply = replyPart(event, mount, { mask, hash: reuseCallerHashes(event, caller, hash), options })
      const both = `"request":${request},"response":${reply.text}`
      lines.push(`{"time":"${toIsoNano(responseAt)}","type":"response",${caller.auth || authAfterLogin(reply)}${both}`)
    }
    // A request that fails is recorded as it was sent; what went wrong is added at the end.
    if (event.error) lines.push(`${lines.pop()}${field('error', event.error)}`)
    return lines
  }
}

/** A caller without a token that is handed one, at a login, is recorded as the one that the token is for. */
const authAfterLogin = ({ auth }: ReplyPart): string => (auth === '' ? '' : `${auth.slice(1)},`)

/** The token and the accessor of a caller often come up in answers; their hashes are taken from where they were made. */
const reuseCallerHashes =
  ({ caller, request }: AuditEvent, { token, accessor }: CallerPart, hash: Hash): Hash =>
  (text) => {
    if (text === '') return hash(text)
    if (text === request.presentedToken) return token
    return caller.kind === 'token' && text === caller.accessor ? accessor : hash(text)
  }

type KnownRequest = { readonly caller: Principal; readonly path: string | undefined; readonly text: string }

/** The answer repeats the request as it was written first, unless a later step found out more about it. */
function createRequestMemo(): (event: AuditEvent, write: () => string) => string {
  const own = {}
  return ({ memo, caller, endpoint }, write) => {
    memo.value ??= new Map()
    const requests = memo.value as Map<object, KnownRequest>
    const known = requests.get(own)
    if (known && known.caller === caller && known.path === endpoint?.path) return known.text
    const text = write()
    requests.set(own, { caller, path: endpoint?.path, text })
    return text
  }
}
