import type { Static } from 'typebox'
import type { TokenRequest } from '../../../../access/token-plan.ts'
import { model } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'

/**
 * The fields of a request for a token. Durations are parsed by the rules, so that faults are found in the order clients
 * expect.
 */
export const CreateFields = model('CreateTokenBody', {
  id: field.text('Value of the token; requires root or sudo. A generated one is safer.'),
  policies: field.list("Policies of the token; by default those of the caller's token.", { examples: [['web']] }),
  meta: field.textMap('Metadata of the token, shown on lookup and in audit records.'),
  no_parent: field.flag("Create an orphan, which is not revoked with the caller's token; requires root or sudo."),
  no_default_policy: field.flag('Do not add the policy `default`.'),
  renewable: field.flag('Whether the token can be renewed; true by default.', { default: true }),
  ttl: field.any('Lifetime: seconds, or a duration such as `1h`.', { examples: ['1h'] }),
  lease: field.any('The old name of `ttl`.'),
  type: field.text('`service` (stored, the default) or `batch` (self-contained).', { examples: ['service'] }),
  explicit_max_ttl: field.any('Maximum lifetime, regardless of renewals.'),
  display_name: field.text('Name shown in audit records.'),
  num_uses: field.whole('How many times the token can be used; 0 for no limit.'),
  period: field.any('Create a periodic token: each renewal resets its lifetime to this value; requires root or sudo.'),
  entity_alias: field.text('Alias whose entity the token acts for; requires a role that allows it.'),
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
