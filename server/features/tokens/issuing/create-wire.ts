import type { Static } from 'typebox'
import type { TokenRequest } from '../../../access/token-plan.ts'
import { Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'

/**
 * The fields of a request for a token. Durations are parsed by the rules, so that faults are found in the order clients
 * expect.
 */
export const CreateFields = Type.Object({
  id: field.text('Text of the token; needs root or sudo. A generated one is safer.'),
  policies: field.list("Policies of the token; those of the caller's token when absent.", { examples: [['web']] }),
  meta: field.textMap('Facts about the token, shown on lookup and in audit records.'),
  no_parent: field.flag('Makes an orphan, which does not die with the caller; needs root or sudo.'),
  no_default_policy: field.flag('Leaves the policy `default` away.'),
  renewable: field.flag('Whether the token can be renewed; true unless told.', { default: true }),
  ttl: field.any('Lifetime: seconds, or a text such as `1h`.', { examples: ['1h'] }),
  lease: field.any('The old name of `ttl`.'),
  type: field.text('`service` (stored, the default) or `batch` (carries itself).', { examples: ['service'] }),
  explicit_max_ttl: field.any('Lifetime that no renewal can exceed.'),
  display_name: field.text('Name shown in audit records.'),
  num_uses: field.whole('How often the token can be used; 0 without limit.'),
  period: field.any('Makes a periodic token: each renewal sets this lifetime; needs root or sudo.'),
  entity_alias: field.text('Alias whose entity the token acts for; needs a role that allows it.'),
})

/** The request in the form that the rules take. */
export const toTokenRequest = (body: Static<typeof CreateFields>): TokenRequest => ({
  id: body.id ?? '',
  policies: body.policies ?? [],
  noParent: body.no_parent ?? false,
  noDefaultPolicy: body.no_default_policy ?? false,
  renewable: body.renewable ?? true,
  type: body.type ?? '',
  displayName: body.display_name ?? '',
  numUses: body.num_uses ?? 0,
  entityAlias: body.entity_alias ?? '',
  ttl: body.ttl || body.lease,
  explicitMaxTtl: body.explicit_max_ttl,
  period: body.period,
})

/** The `auth` part of an answer, for the reference. */
export const AuthShape = Type.Object({
  client_token: Type.String({ description: 'The token; empty where it must not be shown.' }),
  accessor: Type.String({ description: 'Names the token without giving access; empty for batch tokens.' }),
  policies: Type.Array(Type.String(), {
    description: 'Everything the token may do: its own policies and its entity’s.',
  }),
  token_policies: Type.Optional(Type.Array(Type.String(), { description: 'Policies of the token itself.' })),
  identity_policies: Type.Optional(Type.Array(Type.String(), { description: 'Policies of its entity.' })),
  metadata: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], { description: 'Facts about it.' }),
  lease_duration: Type.Integer({ description: 'Seconds it has to live; 0 without end.' }),
  renewable: Type.Boolean({ description: 'Whether it can be renewed.' }),
  entity_id: Type.String({ description: 'The entity it acts for; may be empty.' }),
  token_type: Type.String({ description: '`service` or `batch`.' }),
  orphan: Type.Boolean({ description: 'Whether it lives on without a parent.' }),
  mfa_requirement: Type.Null({ description: 'Always null.' }),
  num_uses: Type.Integer({ description: 'How often it can be used; 0 without limit.' }),
})
