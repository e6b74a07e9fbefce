import { anyActor, grantsOf, type OrganizationGrants } from '../../../../access/permissions/index.ts'
import type { SearchHit } from '../../../../access/searcher.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { type Resource, resourceSchema, shown } from '../../../../kit/jsonapi/index.ts'
import { partsOf } from '../../../../kit/parts.ts'
import { document } from '../../../../kit/reply.ts'

/** Few enough to be read, and to be found at once. */
const hitsOfAKind = 8

/** A search that nobody narrows looks no further than this. */
const mostOrganizations = 20

const hitSchema = resourceSchema('search-hits', {
  attributes: {
    kind: shown.text('Type of what was found: `workspaces`, `projects`, `teams` or `organizations`.'),
    'subject-id': shown.text('Identifier of what was found.'),
    name: shown.text('Its name.'),
    organization: shown.text('Name of the organization it belongs to.'),
  },
})

const toResource = ({ type, id, name }: SearchHit, organization: string): Resource => ({
  type: 'search-hits',
  id: `${type}/${id}`,
  attributes: { kind: type, 'subject-id': id, name, organization },
})

/** What the features find in an organization; what its name says comes first. */
async function searchIn(
  call: Pick<Call, 'deps' | 'caller' | 'request'>,
  grants: OrganizationGrants,
  text: string,
): Promise<Resource[]> {
  const { organizationName: name } = grants
  const words = { grants, text, limit: hitsOfAKind }
  const found = await Promise.all(partsOf(call.deps, 'searcher').map((search) => search(call, words)))
  const own = name.toLowerCase().includes(text.toLowerCase()) ? [{ type: 'organizations', id: name, name }] : []
  return [...own, ...found.flat()].map((hit) => toResource(hit, name))
}

/** One search over everything that belongs to organizations. */
export const searchEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'search.list',
    route: 'GET /search',
    summary: 'Find workspaces, projects, teams and organizations that you can see by a part of their name.',
    description: `Of each kind at most ${hitsOfAKind} are returned for an organization. Without \`filter[organization]\`, your first ${mostOrganizations} organizations by name are searched.`,
    access: anyActor(),
    query: Type.Object({
      q: field.text('Part of the name, in any case.'),
      'filter[organization]': field.text('Name of the only organization to search in.'),
    }),
    returns: {
      200: Type.Object({ data: Type.Array(hitSchema, { description: 'What was found.' }) }, { description: 'Hits.' }),
    },
    handle: async (call) => {
      const { q = '', 'filter[organization]': only } = call.query
      const { byId } = await grantsOf(call.deps, call.subject)
      const wanted = [...byId.values()]
        .filter(({ organizationName }) => only === undefined || organizationName.toLowerCase() === only.toLowerCase())
        .sort((a, b) => (a.organizationName < b.organizationName ? -1 : 1))
        .slice(0, mostOrganizations)
      const text = q.trim()
      const found = text === '' ? [] : await Promise.all(wanted.map((grants) => searchIn(call, grants, text)))
      return document({ data: found.flat() })
    },
  }),
])
