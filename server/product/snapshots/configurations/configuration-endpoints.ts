import { failure } from '../../../kernel/failure.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { KeyList } from '../../../kit/envelope-schemas.ts'
import { field } from '../../../kit/fields.ts'
import { data, keys, nothing } from '../../../kit/reply.ts'
import { requireLicence } from '../licence.ts'
import { requireRights } from '../status/check-actions.ts'
import type { Configuration } from './configuration.ts'
import { readConfiguration, removeConfiguration, writeConfiguration } from './configuration-actions.ts'
import { listNames } from './configuration-store.ts'
import {
  configurationBody,
  ignoredFields,
  ReadConfiguration,
  readConfigurationBody,
  toWire,
} from './configuration-wire.ts'

/** The path parameter of everything about one configuration. */
export const nameParam = {
  name: { description: 'Name of the configuration; case-sensitive.', example: 'nightly' },
}

const longestName = 128
const base = '/storage/raft/snapshot-auto/config'
const sudo = { access: acl({ sudo: true }) } as const

const example = {
  interval: '24h',
  retain: 7,
  storage_type: 'local',
  path_prefix: '/var/backups/holdfast',
  local_max_space: 1_073_741_824,
}

/** Configurations of automated snapshots. */
export const configurationEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...sudo,
    id: 'snapshots.write-config',
    route: `POST ${base}/:name`,
    summary: 'Create or update an automated snapshot configuration.',
    description:
      'A body with `interval`, `path_prefix` and `storage_type` replaces the whole configuration; otherwise only the ' +
      'fields sent are changed; an empty string clears a field. Stored secrets are kept, but for one destination only: ' +
      'a change of endpoint, TLS, region, bucket, account or access key needs them again. The first snapshot is taken ' +
      'at once. With `check`, the destination is tested first.',
    params: nameParam,
    query: Type.Object({ check: field.flag('Same as the body field of this name.') }),
    body: configurationBody,
    returns: { 204: null },
    fails: ['invalid', 'missing'],
    example: { request: example },
    handle: async ({ deps, params: { name = '' }, query, body, warn }) => {
      requireLicence(deps)
      if (name.length > longestName) {
        throw failure('invalid', 'snapshot.long-name', `name must have at most ${longestName} characters`)
      }
      const { sent, check, names } = readConfigurationBody(body)
      const accept = check || query.check ? (merged: Configuration) => requireRights(deps, merged) : undefined
      const { configuration, warnings } = await writeConfiguration(deps, name, sent, accept)
      for (const warning of [...warnings, ...ignoredFields(configuration, names)]) warn(warning)
      return nothing()
    },
  }),
  endpoint({
    ...sudo,
    id: 'snapshots.list-configs',
    route: `LIST ${base}`,
    summary: 'List the automated snapshot configurations.',
    returns: { 200: KeyList },
    fails: ['missing'],
    example: { response: { keys: ['hourly', 'nightly'] } },
    handle: async ({ deps }) => {
      requireLicence(deps)
      return keys(await listNames(deps.db))
    },
  }),
  endpoint({
    ...sudo,
    id: 'snapshots.read-config',
    route: `GET ${base}/:name`,
    summary: 'Read an automated snapshot configuration; secrets are never shown.',
    params: nameParam,
    returns: { 200: ReadConfiguration },
    fails: ['missing'],
    example: { response: { ...example, interval: 86_400, file_prefix: 'holdfast-snapshot' } },
    handle: async ({ deps, params: { name = '' } }) => {
      requireLicence(deps)
      return data(toWire(await readConfiguration(deps, name)))
    },
  }),
  endpoint({
    ...sudo,
    id: 'snapshots.delete-config',
    route: `DELETE ${base}/:name`,
    summary: 'Delete an automated snapshot configuration; stored snapshots are kept.',
    params: nameParam,
    returns: { 204: null },
    fails: ['missing'],
    handle: async ({ deps, params: { name = '' } }) => {
      requireLicence(deps)
      await removeConfiguration(deps, name)
      return nothing()
    },
  }),
])
