import { fields } from '../../../../../kit/bodies.ts'
import { acl, endpoint, type MountEndpoint } from '../../../../../kit/endpoint.ts'
import { WarningsAlone } from '../../../../../kit/envelope-schemas.ts'
import { data, nothing } from '../../../../../kit/reply.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { writeConfig } from './config-actions.ts'
import { loadConfig } from './config-store.ts'
import { ConfigAnswer, ConfigBody, configAnswer } from './config-wire.ts'

/** Settings of certificate login. */
export const configEndpoints: readonly MountEndpoint[] = [
  endpoint({
    id: 'cert-config.read',
    route: 'GET /config',
    summary: 'Read the settings of certificate login.',
    access: acl(),
    returns: { 200: ConfigAnswer },
    handle: async ({ deps, request }) => data(configAnswer(await loadConfig(deps.db, mountOf(request).id))),
  }),
  endpoint({
    id: 'cert-config.write',
    route: 'POST /config',
    summary: 'Change the settings of certificate login.',
    access: acl(),
    body: fields(ConfigBody),
    returns: { 200: WarningsAlone, 204: null },
    fails: ['invalid'],
    example: { request: { disable_binding: true } },
    handle: async ({ deps, request, body }) => {
      await writeConfig(deps, mountOf(request).id, body)
      return nothing()
    },
  }),
]
