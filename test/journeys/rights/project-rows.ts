import { doc, workspaceIn } from '../../support/platform.ts'
import { giveAccess } from './levels.ts'
import { bindings, listOf, type Row, sending } from './row.ts'
import { fresh, freshProject, freshTeam, freshWorkspace, type Ids, inProject, type Scene } from './scene.ts'

/** A new team's access to the project: no more than any of those who manage its teams have themselves. */
async function freshAccess(scene: Scene): Promise<Ids> {
  const { teamId = '' } = await freshTeam(scene)
  const target = { type: 'projects', id: scene.ids.projectId ?? '' } as const
  return { teamProjectId: await giveAccess(scene.owner, teamId, target, { access: 'custom' }) }
}

/** Projects, their tag bindings and their teams. */
export const projectRows: readonly Row[] = [
  ['projects.show', 'project:can-read'],
  ['projects.update', 'project:can-update', sending('projects', { description: 'changed' })],
  ['projects.delete', 'project:can-destroy', { ready: freshProject }],
  [
    'projects.move-workspaces',
    'project:move-between',
    {
      what: 'into a project one may not manage',
      aim: ({ otherProjectId = '' }) => ({ projectId: otherProjectId }),
      body: (ids) => listOf('workspaces', ids.workspaceId),
      ready: freshWorkspace,
    },
  ],
  [
    'projects.move-workspaces',
    'project:move-between',
    {
      what: 'out of a project one may not manage',
      isAddressedByBody: true,
      body: (ids) => listOf('workspaces', ids.elsewhereId),
      ready: async ({ organization, ids }) => ({
        elsewhereId: await workspaceIn(organization, {}, inProject(ids.otherProjectId)),
      }),
      openlyRefused: 'project:can-move-workspace',
    },
  ],
  ['projects.list-tag-bindings', 'project:can-read'],
  ['projects.list-tag-bindings-relationship', 'project:can-read'],
  ['projects.list-effective-tag-bindings', 'project:can-read'],
  ['projects.merge-tag-bindings', 'project:can-manage-tags', { body: bindings }],
  ['projects.add-tag-bindings', 'project:can-manage-tags', { body: bindings }],
  ['projects.replace-tag-bindings', 'project:can-manage-tags', { body: bindings }],

  ['team-projects.list', 'project:can-read-teams', { query: (ids) => `?filter[project][id]=${ids.projectId}` }],
  ['team-projects.show', 'project:can-read-teams'],
  [
    'team-projects.create',
    'project:can-manage-teams',
    {
      isAddressedByBody: true,
      body: (ids) =>
        doc(
          'team-projects',
          { access: 'custom' },
          {
            team: { data: { type: 'teams', id: ids.spareTeamId } },
            project: { data: { type: 'projects', id: ids.projectId } },
          },
        ),
      ready: freshTeam,
    },
  ],
  [
    'team-projects.update',
    'project:can-manage-teams',
    { ...sending('team-projects', { access: 'custom' }), ready: freshAccess },
  ],
  ['team-projects.delete', 'project:can-manage-teams', { ready: freshAccess }],
]

/** What is listed or made in an organization: workspaces and projects. */
export const containerRows: readonly Row[] = [
  ['projects.list', 'organization:can-traverse'],
  ['projects.create', 'organization:can-create-project', { body: () => doc('projects', { name: fresh() }) }],
  ['workspaces.list', 'organization:can-traverse'],
  ['workspaces.create', 'organization:can-create-workspace', { body: () => doc('workspaces', { name: fresh() }) }],
  [
    'workspaces.create',
    'organization:can-create-workspace',
    {
      what: 'in a project that is not the default',
      body: (ids) => doc('workspaces', { name: fresh() }, inProject(ids.otherProjectId)),
    },
  ],
  // What each action needs on the workspaces it finds is in bulk-rows.ts.
  [
    'workspaces.bulk',
    'organization:can-traverse',
    { query: () => '?search[name]=nothing-has-this-name', body: () => ({ action: 'lock' }) },
  ],
  ['tool-versions.choose', 'organization:can-traverse'],
  ['workspace-events.of-organization', 'organization:can-traverse', { stream: true }],
  ['tags.list', 'organization:can-traverse'],
  [
    'tags.delete',
    'organization:can-manage-tags',
    {
      body: (ids) => listOf('tags', ids.tagId),
      ready: async ({ owner, ids, organization }) => {
        const name = fresh()
        const path = `/api/v2/workspaces/${ids.consumerId}/relationships/tags`
        await owner.post(path, { data: [{ type: 'tags', attributes: { name } }] })
        const found = await owner.get(`/api/v2/organizations/${organization.name}/tags?q=${name}`)
        return { tagId: found.body.data[0].id }
      },
    },
  ],
]
