import { toIso } from '../../../kernel/clock.ts'
import { type Resource, resourceSchema, shown } from '../../../kit/jsonapi/index.ts'
import type { StateResource } from '../analysis/state-analysis-rules.ts'
import type { StateVersion } from '../state-version-rules.ts'

/** Where a resource stands in its configuration. */
export const addressOf = ({ module, type, name }: StateResource): string =>
  `${module === 'root' ? '' : `${module}.`}${type}.${name}`

/** `provider["host/namespace/name"].alias` or `provider.name`, maybe of a module, as short as people say it. */
export const providerName = (provider: string): string => {
  const source = /(?:^|\.)provider\["([^"]+)"\](?:\.[^."]+)?$/.exec(provider)?.[1]
  if (source !== undefined) return source.split('/').slice(-2).join('/')
  return provider.replace(/^(?:.*\.)?provider\./, '')
}

/** A resource that a state manages or reads. */
export const toStateResource = (id: string, resource: StateResource, version: StateVersion): Resource => ({
  type: 'resources',
  id,
  attributes: {
    address: addressOf(resource),
    name: resource.name,
    'created-at': toIso(version.createdAt),
    'updated-at': toIso(version.createdAt),
    module: resource.module,
    provider: providerName(resource.provider),
    'provider-type': resource.type,
    'modified-by-state-version-id': version.id,
    'name-index': null,
    count: resource.count,
  },
})

/** A resource as answers show it. */
export const stateResourceSchema = resourceSchema('resources', {
  attributes: {
    address: shown.text('Where it stands in the configuration.'),
    name: shown.text('Its name.'),
    'created-at': shown.time('When the state was written that shows it.'),
    'updated-at': shown.time('When the state was written that shows it.'),
    module: shown.text('The module it belongs to; `root` for the outermost.'),
    provider: shown.text('The provider that manages it.'),
    'provider-type': shown.text('Its type; that of data sources begins with `data.`.'),
    'modified-by-state-version-id': shown.text('The state version that shows it.'),
    'name-index': shown.maybeText('Null: instances are counted, not listed.'),
    count: shown.whole('How many instances it has.'),
  },
})
