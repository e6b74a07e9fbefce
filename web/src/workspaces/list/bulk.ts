import type { Schemas } from '../../api/client.ts'
import type { ShownTag } from '../overview/tags.ts'
import { filterQuery, type ListSearch } from './listSearch.ts'

/** What is done to many workspaces: to those with these names, or to all that a list shows. */
export type Selection = { readonly names: readonly string[] } | { readonly search: ListSearch }

/** What is done, and with what. */
export type BulkBody = Schemas['WorkspacesBulkBody1']

/** What each got, or would get, and how many there are of each kind. */
export type BulkOutcome = {
  readonly rows: readonly Schemas['BulkResult'][]
  readonly changed: number
  readonly unchanged: number
  readonly refused: number
  readonly remaining: number
}

/** So many names fit into one call. */
const namesAtOnce = 100

/** Each part of a selection that fits into one call. */
export function queriesOf(selection: Selection): readonly object[] {
  if ('search' in selection) return [filterQuery(selection.search)]
  const { names } = selection
  const parts = Math.ceil(names.length / namesAtOnce)
  return Array.from({ length: parts }, (_, at) => ({
    'filter[names]': names.slice(at * namesAtOnce, (at + 1) * namesAtOnce).join(','),
  }))
}

/** What people choose to do with many workspaces. */
export type BulkVerb = 'lock' | 'unlock' | 'force-unlock' | 'tag' | 'untag'

/** What is sent for it: tags with a value are bindings, and those are added by a call of their own. */
export function bodiesOf(
  verb: BulkVerb,
  { reason, expiresAfter, tags }: { reason: string; expiresAfter: string; tags: readonly ShownTag[] },
): readonly BulkBody[] {
  if (verb === 'lock') return [{ action: 'lock', reason, 'expires-after': expiresAfter }]
  if (verb === 'force-unlock') return [{ action: verb, reason }]
  if (verb === 'unlock') return [{ action: verb }]
  const flat = tags.filter(({ value }) => value === '').map(({ key }) => key)
  const bindings = tags.filter(({ value }) => value !== '').map(({ key, value }) => ({ key, value }))
  if (verb === 'untag') return flat.length > 0 ? [{ action: 'remove-tags', tags: flat }] : []
  return [
    ...(flat.length > 0 ? [{ action: 'add-tags' as const, tags: flat }] : []),
    ...(bindings.length > 0 ? [{ action: 'add-bindings' as const, bindings }] : []),
  ]
}
