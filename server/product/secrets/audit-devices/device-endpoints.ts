import { failure } from '../../../kernel/failure.ts'
import { withoutCredentials } from '../../../kernel/hidden-credentials.ts'
import { fields } from '../../../kit/bodies.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, model, Type } from '../../../kit/endpoint.ts'
import { WarningsAlone } from '../../../kit/envelope.ts'
import { field } from '../../../kit/fields.ts'
import { data, nothing } from '../../../kit/reply.ts'
import { devicePath, type NewDevice, unknownOptions } from './device.ts'
import { chainFactsOf, disableDevice, enableDevice, hashWithDevice } from './device-actions.ts'
import { loadDevices } from './device-store.ts'
import { nodeTrail } from './node-trail-adapter.ts'

/** The body that enables a device. */
const EnableDevice = Type.Object({
  type: field.text('`file` or `socket`.'),
  description: field.text('What the device is for.'),
  options: field.textMap(
    'For files `file_path` (or `stdout`, `discard`) and `mode`; for sockets `address`, `socket_type`, `write_timeout`; ' +
      'for both `hmac_accessor`, `log_raw`, `elide_list_responses`, `prefix`, `skip_test`.',
  ),
  local: field.flag('Stored.'),
})

/** A device as answers show it. */
const DeviceInfo = model('AuditDevice', {
  path: Type.String({ description: 'Its name, with a trailing slash.' }),
  type: Type.String({ description: '`file` or `socket`.' }),
  description: Type.String({ description: 'What the device is for.' }),
  options: Type.Record(Type.String(), Type.String(), {
    description: 'The options as they were sent, without credentials in addresses.',
  }),
  local: Type.Boolean({ description: 'As it was sent.' }),
  failing: Type.Boolean({
    description: 'True if it did not take the last record on the node that answers; it is tried again with the next.',
  }),
})

/** A device without its salt. */
const deviceInfo = ({ path, type, description, options, local }: NewDevice): Record<string, unknown> => ({
  path,
  type,
  description,
  options: Object.fromEntries(Object.entries(options).map(([name, value]) => [name, withoutCredentials(value)])),
  local,
})

const params = { path: { description: 'Name of the device.', example: 'file' } }
const sudo = { access: acl({ sudo: true }), doubleRendered: true } as const

/** Audit devices: where the record of every request goes. */
export const deviceEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...sudo,
    id: 'audit.list',
    route: 'GET /audit',
    summary: 'List audit devices by path.',
    returns: { 200: Type.Record(Type.String(), DeviceInfo) },
    handle: async ({ deps }) => {
      const trail = nodeTrail(deps)
      const devices = (await loadDevices(deps.db)).map((device) => {
        const { path } = device
        return [path, { ...deviceInfo(device), failing: trail.isFailing(path) }] as const
      })
      return data(Object.fromEntries(devices))
    },
  }),
  endpoint({
    ...sudo,
    id: 'audit.enable',
    route: 'POST /audit/*path',
    summary: 'Enable an audit device.',
    description: 'The device must accept a first record. From then on, every request is either recorded or fails.',
    params,
    body: fields(EnableDevice),
    returns: { 200: WarningsAlone, 204: null },
    fails: ['invalid'],
    example: { request: { type: 'file', options: { file_path: '/var/log/holdfast/audit.log' } } },
    handle: async ({ deps, params: { path = '' }, body, warn }) => {
      if (!body.type) throw failure('invalid', 'audit.type', "'type' must be 'file' or 'socket'.")
      const { type, description = '', options = {}, local = false } = body
      const unknown = unknownOptions({ options })
      await enableDevice(deps, { path: devicePath(path), type, description, options, local })
      if (unknown.length > 0) warn(`These options are stored without effect: ${unknown.join(', ')}.`)
      return nothing()
    },
  }),
  endpoint({
    ...sudo,
    id: 'audit.disable',
    route: 'DELETE /audit/*path',
    summary: 'Disable an audit device.',
    params,
    returns: { 204: null },
    handle: async ({ deps, params: { path = '' } }) => {
      await disableDevice(deps, path)
      return nothing()
    },
  }),
  endpoint({
    id: 'audit.hash',
    route: 'POST /audit-hash/*path',
    summary: 'Compute the keyed hash that an audit device writes for a text, to search its records.',
    access: acl(),
    doubleRendered: true,
    params,
    body: fields(Type.Object({ input: field.text('The text.') })),
    returns: { 200: Type.Object({ hash: Type.String({ description: '`hmac-sha256:` and hexadecimal digits.' }) }) },
    fails: ['invalid'],
    handle: ({ deps, params: { path = '' }, body }) => {
      if (!body.input) throw failure('invalid', 'audit.no-input', "'input' must not be empty.")
      return data({ hash: hashWithDevice(deps, path, body.input) })
    },
  }),
  endpoint({
    id: 'audit.chain',
    route: 'GET /audit-chain/*path',
    summary: "Read the key and the heads of an audit device's hash chain, to verify that its records are complete.",
    description:
      'Records are chained by a keyed hash. Anyone who holds the key can verify a log, but could also forge one, so ' +
      'restrict access to it. `heads` are the last records of the chains that the responding node writes.',
    access: acl({ sudo: true }),
    params,
    returns: {
      200: Type.Object({
        key: Type.String({ description: 'The key of the chain in base64.' }),
        heads: Type.Array(
          Type.Object({
            chain: Type.String({ description: 'Name of the chain.' }),
            seq: Type.Integer({ description: 'Sequence number of its last record.' }),
            hash: Type.String({ description: 'Hash of its last record.' }),
          }),
        ),
      }),
    },
    fails: ['invalid'],
    handle: ({ deps, params: { path = '' } }) => {
      const { key, heads } = chainFactsOf(deps, path)
      return data({ key: key.toString('base64'), heads })
    },
  }),
])
