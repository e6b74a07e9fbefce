import { fields } from '../../../../../kit/bodies.ts'
import { acl, endpoint, type MountEndpoint } from '../../../../../kit/endpoint.ts'
import { WarningsAlone } from '../../../../../kit/envelope.ts'
import { model } from '../../../../../kit/model.ts'
import { data, nothing } from '../../../../../kit/reply.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { writeConfig } from './config-actions.ts'
import { type CertConfig, ConfigBody, configFields } from './config-fields.ts'
import { loadConfig } from './config-store.ts'

const { crl_match: _unlessDefault, ...shown } = configFields.shown

/** What a configuration read answers. */
const ConfigAnswer = model('CertAuthConfiguration', shown)

/** The configuration as it is read: five fields, and `crl_match` if it is not the default. */
function configAnswer(config: CertConfig): Record<string, unknown> {
  const { crl_match, ...document } = configFields.toDocument(config)
  return crl_match === 'issuer' ? document : { ...document, crl_match }
}

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
