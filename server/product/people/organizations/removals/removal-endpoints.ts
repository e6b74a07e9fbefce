import { siteAdministrator } from '../../../../access/permissions/index.ts'
import { toIso } from '../../../../kernel/clock.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import {
  answerPage,
  entriesOn,
  listQuery,
  pageSchema,
  type Resource,
  resourceSchema,
  shown,
} from '../../../../kit/jsonapi/index.ts'
import { loadRemovals, type Removal } from '../../../../kit/removals/index.ts'

const removalSchema = resourceSchema('removals', {
  attributes: {
    kind: shown.text('`organization` or `tag`.'),
    name: shown.text('The name that it had.'),
    'requested-by': shown.text('Who deleted it.'),
    'requested-at': shown.time('When it was deleted.'),
    'rows-left': shown.whole('About how many workspaces are left to be removed, or to lose the tag.'),
    'last-error': shown.maybeText('Why the last try failed; null if it did not.'),
  },
})

const toRemovalResource = (removal: Removal): Resource => ({
  type: 'removals',
  id: removal.subjectId,
  attributes: {
    kind: removal.kind,
    name: removal.name,
    'requested-by': removal.requestedBy,
    'requested-at': toIso(removal.requestedAt),
    'rows-left': removal.rowsLeft,
    'last-error': removal.lastError,
  },
})

/** How far the removals of organizations and tags are. */
export const removalEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'removals.list',
    route: 'GET /admin/removals',
    summary: 'List the organizations and tags that are gone and whose rows are still being removed, the oldest first.',
    access: siteAdministrator(),
    query: listQuery(),
    returns: { 200: pageSchema(removalSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const removals = await loadRemovals(call.deps.db, ['organization', 'tag'])
      const resources = entriesOn(call.query.page, removals).map(toRemovalResource)
      return answerPage(call, { resources, total: removals.length })
    },
  }),
])
