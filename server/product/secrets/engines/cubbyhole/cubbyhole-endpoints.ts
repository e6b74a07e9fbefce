import { failure } from '../../../../kernel/failure.ts'
import type { Principal } from '../../../../kernel/principal.ts'
import { anyObject } from '../../../../kit/bodies.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { acl, type Call, endpoint, type MountEndpoint, Type } from '../../../../kit/endpoint.ts'
import { KeyList } from '../../../../kit/envelope.ts'
import { type ListCall, listTerms, namesReply } from '../../../../kit/list.ts'
import { refuseLongName } from '../../../../kit/name-length.ts'
import { data, nothing, type Reply } from '../../../../kit/reply.ts'
import { isForeignKeyViolation } from '../../../../storage/database-errors.ts'
import {
  callerToken,
  deleteValue,
  findValue,
  hasValue,
  invalidToken,
  listEntries,
  type Spot,
  saveValue,
  type Value,
} from '../../tokens/index.ts'

/** Only service tokens have a private store: batch tokens are not stored themselves. */
function ownerOf(caller: Principal): string {
  const token = callerToken(caller)
  if (token.type === 'service') return token.id
  throw failure('refused', 'cubbyhole.batch', 'cubbyhole operations are only supported by service tokens')
}

/** Saves a value for the calling token; if that was revoked since it was recognised, nothing is kept. */
async function saveForOwner(deps: Deps, spot: Spot, value: Value): Promise<void> {
  try {
    await saveValue(deps.db, deps.keyring, spot, value)
  } catch (thrown) {
    throw isForeignKeyViolation(thrown) ? invalidToken() : thrown
  }
}

function list(call: ListCall & Pick<Call, 'caller'>, path: string): Promise<Reply> {
  const place = { tokenId: ownerOf(call.caller), folder: path === '' ? '' : `${path}/` }
  return namesReply(call, (db, page) => listEntries(db, place, page))
}

const common = {
  access: acl(),
  params: { path: { description: 'Path of the value; slashes make folders.', example: 'build/key' } },
} as const
const listCommon = { ...listTerms, returns: { 200: KeyList }, fails: ['missing', 'refused'] } as const

const maxPathBytes = 2_048

/** The private store of a token: nobody else can read it, and it vanishes with the token. */
export const cubbyholeEndpoints: readonly MountEndpoint[] = [
  endpoint({
    ...listCommon,
    id: 'cubbyhole.list-all',
    route: 'LIST /',
    summary: "List the cubbyhole of the caller's token.",
    access: acl(),
    handle: (call) => list(call, ''),
  }),
  endpoint({
    ...common,
    ...listCommon,
    id: 'cubbyhole.list',
    route: 'LIST /*path',
    summary: "List a folder in the cubbyhole of the caller's token.",
    handle: (call) => list(call, call.params.path ?? ''),
  }),
  endpoint({
    ...common,
    id: 'cubbyhole.read',
    route: 'GET /*path',
    summary: "Read a value from the cubbyhole of the caller's token.",
    returns: { 200: Type.Record(Type.String(), Type.Unknown(), { description: 'The value, as it was stored.' }) },
    fails: ['missing', 'refused'],
    handle: async ({ deps, caller, params }) => {
      const value = await findValue(deps.db, deps.keyring, { tokenId: ownerOf(caller), path: params.path ?? '' })
      return value ? data({ ...value }) : nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'cubbyhole.write',
    route: 'POST /*path',
    summary: "Store a value in the cubbyhole of the caller's token.",
    body: anyObject('The value: any object.'),
    returns: { 204: null },
    fails: ['invalid', 'refused', 'too-large'],
    example: { request: { key: 'value' } },
    exists: async ({ deps, caller, params }) => {
      const { type, id } = callerToken(caller)
      return type === 'service' && hasValue(deps.db, { tokenId: id, path: params.path ?? '' })
    },
    handle: async ({ deps, caller, params, body }) => {
      const spot = { tokenId: ownerOf(caller), path: params.path ?? '' }
      refuseLongName('The path', spot.path, maxPathBytes)
      if (Object.keys(body).length === 0) throw failure('invalid', 'cubbyhole.empty', 'missing data fields')
      await saveForOwner(deps, spot, body)
      return nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'cubbyhole.delete',
    route: 'DELETE /*path',
    summary: "Delete a value from the cubbyhole of the caller's token.",
    returns: { 204: null },
    fails: ['refused'],
    handle: async ({ deps, caller, params }) => {
      await deleteValue(deps.db, { tokenId: ownerOf(caller), path: params.path ?? '' })
      return nothing()
    },
  }),
]
