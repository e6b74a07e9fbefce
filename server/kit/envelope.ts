import { Type } from 'typebox'
import { model } from './model.ts'
import type { Reply } from './reply.ts'
import type { RequestFacts } from './request.ts'

/** What goes into an envelope; whatever is absent is shown empty. */
type EnvelopeContent = Pick<Extract<Reply, { kind: 'data' }>, 'data' | 'auth' | 'lease' | 'wrapInfo'>

/** The envelope of every `/v1` answer: all keys always present, `data` an object even when it is empty. */
export const envelopeOf = (
  request: Pick<RequestFacts, 'id' | 'mount'>,
  { data, auth, lease, wrapInfo }: EnvelopeContent,
  warnings: readonly string[] = [],
): Record<string, unknown> => ({
  request_id: request.id,
  lease_id: lease?.id ?? '',
  renewable: lease?.renewable ?? false,
  lease_duration: lease?.seconds ?? 0,
  data: data ?? {},
  wrap_info: wrapInfo ?? null,
  warnings: warnings.length > 0 ? warnings : null,
  auth: auth ?? null,
  mount_type: request.mount?.type ?? '',
})

/** The `auth` part of a `/v1` answer. */
export const TokenAuth = model('TokenAuth', {
  client_token: Type.String({ description: 'The token; empty if it must not be shown.' }),
  accessor: Type.String({ description: 'Identifies the token without giving access; empty for batch tokens.' }),
  policies: Type.Array(Type.String(), {
    description: 'All policies that apply: those of the token and those of its entity.',
  }),
  token_policies: Type.Optional(Type.Array(Type.String(), { description: 'Policies of the token itself.' })),
  identity_policies: Type.Optional(Type.Array(Type.String(), { description: 'Policies of its entity.' })),
  metadata: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], { description: 'Its metadata.' }),
  lease_duration: Type.Integer({ description: 'Lifetime in seconds; 0 if it does not expire.' }),
  renewable: Type.Boolean({ description: 'Whether it can be renewed.' }),
  entity_id: Type.String({ description: 'The entity it acts for; may be empty.' }),
  token_type: Type.String({ description: '`service` or `batch`.' }),
  orphan: Type.Boolean({ description: 'Whether it is an orphan, that is, has no parent.' }),
  mfa_requirement: Type.Null({ description: 'Always null.' }),
  num_uses: Type.Integer({ description: 'How many times it can be used; 0 for no limit.' }),
})

/** The `wrap_info` part of a `/v1` answer. */
export const WrapInfo = model('WrapInfo', {
  token: Type.String({ description: 'The wrapping token.' }),
  accessor: Type.String({ description: 'Its accessor.' }),
  ttl: Type.Integer({ description: 'Seconds that the response is kept.' }),
  creation_time: Type.String({ description: 'When it was wrapped.' }),
  creation_path: Type.String({ description: 'The path that produced the response.' }),
  wrapped_accessor: Type.Optional(Type.String({ description: 'The accessor of the wrapped token.' })),
})

/** The `data` of a list. */
export const KeyList = model('KeyList', {
  keys: Type.Array(Type.String(), { description: 'Keys in sorted order; folders end in a slash.' }),
})

/** The `data` of a list that says something about each entry. */
export const KeyInfoList = model('KeyInfoList', {
  keys: Type.Array(Type.String(), { description: 'Keys in sorted order.' }),
  key_info: Type.Record(Type.String(), Type.Unknown(), { description: 'Facts about each entry, by its key.' }),
})

/** An answer that has nothing but warnings. */
export const WarningsAlone = Type.Object({
  warnings: Type.Array(Type.String(), { description: 'Warnings for the caller.' }),
})
