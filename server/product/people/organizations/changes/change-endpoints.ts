import { inOrganization, organizationInPath } from '../../../../access/permissions/index.ts'
import { answerChanges, changeSchema } from '../../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import { allSchema, listQuery, parameter } from '../../../../kit/jsonapi/index.ts'

/** The query of a list of changes: the log has no last page, so a page continues where another ended. */
const changesQuery = listQuery({
  parameters: {
    before: parameter.text('page[before]', 'Position to continue from, as given in `links.next`.'),
    workspaceId: parameter.text('filter[workspace][id]', 'Changes of this workspace only.'),
    subjectType: parameter.text('filter[subject][type]', 'Changes of this kind of resource only.'),
    subjectId: parameter.text('filter[subject][id]', 'Changes of this resource only.'),
  },
})

/** Reading the change log of an organization. */
export const changeEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'changes.list',
    route: 'GET /organizations/:organization/changes',
    summary: 'List the changes made in an organization, newest first.',
    access: inOrganization('can-read-changes'),
    params: organizationInPath,
    query: changesQuery,
    returns: { 200: allSchema(changeSchema) },
    fails: ['missing'],
    handle: (call) => {
      const { workspaceId, subjectType, subjectId } = call.query
      return answerChanges(call, call.subject, { workspaceId, subjectType, subjectId })
    },
  }),
])
