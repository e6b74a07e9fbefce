import { toIso } from '../../../../kernel/clock.ts'
import { type Resource, resourceSchema, shown } from '../../../../kit/jsonapi/index.ts'
import type { StateVersion } from '../state-version-rules.ts'
import { addressOf, moduleName, type StateInstance } from './resource-rules.ts'

/** The short name of `provider["host/namespace/name"].alias` or `provider.name`, which may belong to a module. */
export const providerName = (provider: string): string => {
  const source = /(?:^|\.)provider\["([^"]+)"\](?:\.[^."]+)?$/.exec(provider)?.[1]
  if (source !== undefined) return source.split('/').slice(-2).join('/')
  return provider.replace(/^(?:.*\.)?provider\./, '')
}

/** An instance of a resource that a state manages or reads. */
export const toStateResource = (id: string, instance: StateInstance, version: StateVersion): Resource => ({
  type: 'resources',
  id,
  attributes: {
    address: addressOf({ ...instance, module: moduleName(instance.module) }),
    name: instance.name,
    'created-at': toIso(version.createdAt),
    'updated-at': toIso(version.createdAt),
    module: moduleName(instance.module),
    provider: providerName(instance.provider),
    'provider-type': instance.type,
    'modified-by-state-version-id': version.id,
    'name-index': instance.key === null ? null : String(instance.key),
  },
})

/** An instance as answers show it. */
export const stateResourceSchema = resourceSchema('resources', {
  name: 'StateResource',
  attributes: {
    address: shown.text('Address in the configuration, without the word `module`.'),
    name: shown.text('Its name.'),
    'created-at': shown.time('When the state that contains it was written.'),
    'updated-at': shown.time('When the state that contains it was written.'),
    module: shown.text('The module it belongs to; `root` for the root module.'),
    provider: shown.text('The provider that manages it.'),
    'provider-type': shown.text('Its type; that of data sources begins with `data.`.'),
    'modified-by-state-version-id': shown.text('The state version that contains it.'),
    'name-index': shown.maybeText('Its index or key among the instances of its resource; null if it has none.'),
  },
})
