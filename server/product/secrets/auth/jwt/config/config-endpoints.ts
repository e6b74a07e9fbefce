import { fields } from '../../../../../kit/bodies.ts'
import { acl, endpoint, type MountEndpoint, Type } from '../../../../../kit/endpoint.ts'
import { WarningsAlone } from '../../../../../kit/envelope.ts'
import { model } from '../../../../../kit/model.ts'
import { data, nothing } from '../../../../../kit/reply.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { writeConfig } from './config-actions.ts'
import { ConfigBody, configFields, type JwtConfig } from './config-fields.ts'
import { findConfig } from './config-store.ts'

const ConfigAnswer = model('JwtAuthConfiguration', {
  ...configFields.shown,
  status: Type.String({ description: '`valid`: settings that are not are refused.' }),
})

const configAnswer = (config: JwtConfig): Record<string, unknown> => ({
  ...configFields.toDocument(config as Parameters<typeof configFields.toDocument>[0]),
  status: 'valid',
})

/** Where the keys of tokens come from. */
export const configEndpoints: readonly MountEndpoint[] = [
  endpoint({
    id: 'jwt-config.read',
    route: 'GET /config',
    summary: 'Read the settings of JWT logins.',
    access: acl(),
    returns: { 200: ConfigAnswer },
    fails: ['missing'],
    handle: async ({ deps, request }) => {
      const stored = await findConfig(deps.db, mountOf(request).id)
      return stored ? data(configAnswer(stored.config)) : nothing()
    },
  }),
  endpoint({
    id: 'jwt-config.write',
    route: 'POST /config',
    summary: 'Replace the settings of JWT logins.',
    description:
      'What is not sent gets its default. Keys come from one place: static keys, key sets, or a provider with discovery; ' +
      'the keys are fetched once before anything is stored.',
    access: acl(),
    body: fields(ConfigBody, { narrowing: /^bound_issuer$/ }),
    returns: { 200: WarningsAlone, 204: null },
    fails: ['invalid'],
    example: { request: { oidc_discovery_url: 'https://token.actions.githubusercontent.com' } },
    handle: async ({ deps, request, body, warn }) => {
      for (const text of await writeConfig(deps, mountOf(request), body)) warn(text)
      return nothing()
    },
  }),
]
