import { withoutCredentials } from '../../../kernel/hidden-credentials.ts'
import { model, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import type { NewDevice } from './device-rules.ts'

/** The body that enables a device. */
export const EnableDevice = Type.Object({
  type: field.text('`file` or `socket`.'),
  description: field.text('What the device is for.'),
  options: field.textMap(
    'For files `file_path` (or `stdout`, `discard`) and `mode`; for sockets `address`, `socket_type`, `write_timeout`; ' +
      'for both `hmac_accessor`, `log_raw`, `elide_list_responses`, `prefix`, `skip_test`.',
  ),
  local: field.flag('Stored.'),
})

/** A device as answers show it. */
export const DeviceInfo = model('AuditDevice', {
  path: Type.String({ description: 'Its name, with a trailing slash.' }),
  type: Type.String({ description: '`file` or `socket`.' }),
  description: Type.String({ description: 'What the device is for.' }),
  options: Type.Record(Type.String(), Type.String(), {
    description: 'The options as they were sent, without credentials in addresses.',
  }),
  local: Type.Boolean({ description: 'As it was sent.' }),
})

/** A device without its salt. */
export const deviceInfo = ({ path, type, description, options, local }: NewDevice): Record<string, unknown> => ({
  path,
  type,
  description,
  options: Object.fromEntries(Object.entries(options).map(([name, value]) => [name, withoutCredentials(value)])),
  local,
})
