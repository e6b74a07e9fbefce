import type { Client } from '../../support/client.ts'
import { doc, mustBe } from '../../support/platform.ts'
import { createRun, executed, newRun, uploadedConfiguration } from '../../support/runs.ts'
import { giveAccess } from './levels.ts'
import { type Ask, bindings, listOf, type Row, sending } from './row.ts'
import {
  fresh,
  freshTeam,
  freshWorkspace,
  type Ids,
  inProject,
  lockFor,
  lockForOwner,
  makeAt,
  oldVersion,
  release,
  type Scene,
  stateBody,
} from './scene.ts'

const tags = () => ({ data: [{ type: 'tags', attributes: { name: 'rights-new' } }] })
const settings = sending('workspaces', { 'auto-apply': true })
const retention = sending('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 30 })

const filter = (ids: Ids) => `?filter[organization][name]=${ids.organization}&filter[workspace][name]=${ids.name}`

const moving: Ask = {
  what: 'into another project',
  isAddressedByBody: true,
  body: (ids) => doc('workspaces', {}, inProject(ids.otherProjectId)),
  ready: freshWorkspace,
}

const consumers: Ask = {
  body: (ids) => listOf('workspaces', ids.consumerId),
  ready: async (scene, caller) => ({ consumerId: (await freshWorkspace(scene, caller)).workspaceId ?? '' }),
}

/** Makes sure that the caller holds the lock of the workspace, for an hour. */
async function lockAnHour(scene: Scene, caller: Client): Promise<undefined> {
  await release(scene)
  const path = `/api/v2/workspaces/${scene.ids.workspaceId}/actions/lock`
  mustBe(await caller.post(path, { 'expires-after': '1h' }), 200)
}

/** The newest change of settings. */
async function newChange({ owner, ids }: Scene): Promise<Ids> {
  const at = `/api/v2/workspaces/${ids.workspaceId}`
  mustBe(await owner.patch(at, doc('workspaces', { description: fresh() })), 200)
  return { changeId: (await owner.get(`${at}/changes`)).body.data[0].id }
}

/** Workspaces themselves, their locks, tags, consumers, history and teams. */
export const workspaceRows: readonly Row[] = [
  ['workspaces.show', 'workspace:can-read-run'],
  ['workspaces.show-by-name', 'workspace:can-read-run'],
  ['workspaces.update', 'workspace:can-update', settings],
  ['workspaces.update-by-name', 'workspace:can-update', settings],
  ['workspaces.update', 'workspace:move', moving],
  ['workspaces.update-by-name', 'workspace:move', moving],
  [
    'workspaces.delete',
    'workspace:can-force-delete',
    { ready: freshWorkspace, openlyRefused: 'workspace:can-destroy' },
  ],
  [
    'workspaces.delete-by-name',
    'workspace:can-force-delete',
    { ready: freshWorkspace, openlyRefused: 'workspace:can-destroy' },
  ],
  ['workspaces.safe-delete', 'workspace:can-destroy', { ready: freshWorkspace }],
  ['workspaces.safe-delete-by-name', 'workspace:can-destroy', { ready: freshWorkspace }],

  ['workspaces.lock', 'workspace:can-lock', { before: release, ready: release }],
  ['workspaces.unlock', 'workspace:can-unlock', { before: lockForOwner, ready: lockFor }],
  ['workspaces.force-unlock', 'workspace:can-force-unlock', { before: lockForOwner, ready: lockForOwner }],
  ['workspaces.show-lock', 'workspace:can-read-run'],
  [
    'workspaces.extend-lock',
    'workspace:can-lock',
    { body: () => ({ 'expires-after': '2h' }), before: (scene) => lockAnHour(scene, scene.owner), ready: lockAnHour },
  ],

  ['tags.list-on-workspace', 'workspace:can-read-run'],
  ['tags.add', 'workspace:can-manage-tags', { body: tags }],
  ['tags.remove', 'workspace:can-manage-tags', { body: tags }],
  [
    'tags.attach-to-workspaces',
    'workspace:can-manage-tags',
    { isAddressedByBody: true, body: (ids) => listOf('workspaces', ids.workspaceId) },
  ],
  ['tag-bindings.list', 'workspace:can-read-run'],
  ['tag-bindings.list-by-name', 'workspace:can-read-run'],
  ['tag-bindings.list-relationship', 'workspace:can-read-run'],
  ['tag-bindings.list-effective', 'workspace:can-read-run'],
  ['tag-bindings.merge', 'workspace:can-manage-tags', { body: bindings }],
  ['tag-bindings.add', 'workspace:can-manage-tags', { body: bindings }],
  ['tag-bindings.replace', 'workspace:can-manage-tags', { body: bindings }],

  ['remote-state-consumers.list', 'workspace:can-read-run'],
  ['remote-state-consumers.add', 'workspace:can-update', consumers],
  ['remote-state-consumers.replace', 'workspace:replace-consumers', consumers],
  ['remote-state-consumers.remove', 'workspace:can-update', consumers],

  ['workspaces.retention-policy', 'workspace:can-read-run'],
  ['workspaces.set-retention-policy', 'workspace:can-update', retention],
  ['workspaces.change-retention-policy', 'workspace:can-update', retention],
  ['workspaces.remove-retention-policy', 'workspace:can-update'],

  ['workspaces.assign-ssh-key', 'workspace:can-update', { body: (ids) => doc('workspaces', { id: ids.keyId }) }],
  ['workspace-events.of-workspace', 'workspace:can-read-run', { stream: true }],
  ['workspace-changes.list', 'workspace:can-read-settings'],
  ['workspace-changes.undo', 'workspace:can-update', { body: () => ({ force: true }), ready: newChange }],

  ['team-workspaces.list', 'workspace:can-read-run', { query: (ids) => `?filter[workspace][id]=${ids.workspaceId}` }],
  ['team-workspaces.show', 'workspace:can-read-run'],
  [
    'team-workspaces.create',
    'workspace:can-update',
    {
      isAddressedByBody: true,
      body: (ids) =>
        doc(
          'team-workspaces',
          { access: 'read' },
          {
            team: { data: { type: 'teams', id: ids.spareTeamId } },
            workspace: { data: { type: 'workspaces', id: ids.workspaceId } },
          },
        ),
      ready: freshTeam,
    },
  ],
  ['team-workspaces.update', 'workspace:can-update', sending('team-workspaces', { access: 'read' })],
  [
    'team-workspaces.delete',
    'workspace:can-update',
    {
      ready: async (scene) => {
        const { teamId = '' } = await freshTeam(scene)
        const target = { type: 'workspaces', id: scene.ids.workspaceId ?? '' } as const
        return { teamWorkspaceId: await giveAccess(scene.owner, teamId, target, { access: 'read' }) }
      },
    },
  ],
]

const variable = (): object => ({ key: fresh(), value: 'x', category: 'env' })
const freshVariable = async (scene: Scene): Promise<Ids> => ({
  variableId: await makeAt(scene, `/workspaces/${scene.ids.workspaceId}/vars`, doc('vars', variable())),
})
const newDescription = sending('vars', { description: 'changed' })

const ofOwner = async ({ owner, ids }: Scene, attributes: object = {}): Promise<string> =>
  (await createRun(owner, ids.workspaceId ?? '', attributes)).id

/** A run that has ended. */
async function endedRun(scene: Scene): Promise<Ids> {
  const runId = await ofOwner(scene, { 'plan-only': true })
  mustBe(await scene.owner.post(`/api/v2/runs/${runId}/actions/cancel`, {}), 202)
  return { runId }
}

/** A run that waits for another. */
async function runBehind(scene: Scene): Promise<Ids> {
  await release(scene)
  await ofOwner(scene)
  return { runId: await ofOwner(scene) }
}

/** A run whose plan waits for confirmation. */
async function plannedRun(scene: Scene): Promise<Ids> {
  await release(scene)
  const runId = await ofOwner(scene, { 'save-plan': true })
  await executed(scene.deps, runId, 'claim')
  await executed(scene.deps, runId, 'finish', { result: { outcome: 'finished', hasChanges: true } })
  return { runId }
}

/** A run that was canceled some time ago, and has not ended. */
async function canceledRun(scene: Scene): Promise<Ids> {
  const runId = await ofOwner(scene, { 'plan-only': true })
  await executed(scene.deps, runId, 'claim')
  mustBe(await scene.owner.post(`/api/v2/runs/${runId}/actions/cancel`, {}), 202)
  await scene.deps.db.updateTable('runs').set({ force_cancel_available_at: 0 }).where('id', '=', runId).execute()
  return { runId }
}

/** A configuration with content that is not the current one. */
async function oldConfiguration(scene: Scene): Promise<Ids> {
  const { workspaceId = '' } = scene.ids
  return { configurationVersionId: await uploadedConfiguration(scene, scene.owner, workspaceId, { speculative: true }) }
}

async function deletedConfiguration(scene: Scene): Promise<Ids> {
  const made = await oldConfiguration(scene)
  const path = `/api/v2/configuration-versions/${made.configurationVersionId}/actions/soft_delete_backing_data`
  mustBe(await scene.owner.post(path), 200)
  return made
}

/** Variables, configurations, runs and state of workspaces. */
export const contentRows: readonly Row[] = [
  ['vars.list', 'workspace:can-read-variable'],
  ['vars.list-all', 'workspace:can-read-variable'],
  ['vars.list-bare', 'workspace:can-read-variable', { query: filter }],
  ['vars.show', 'workspace:can-read-variable'],
  ['vars.show-bare', 'workspace:can-read-variable'],
  ['vars.create', 'workspace:can-update-variable', { body: () => doc('vars', variable()) }],
  [
    'vars.create-bare',
    'workspace:can-update-variable',
    {
      isAddressedByBody: true,
      body: (ids) => doc('vars', variable(), { workspace: { data: { type: 'workspaces', id: ids.workspaceId } } }),
    },
  ],
  ['vars.update', 'workspace:can-update-variable', newDescription],
  ['vars.update-bare', 'workspace:can-update-variable', newDescription],
  ['vars.delete', 'workspace:can-update-variable', { ready: freshVariable }],
  ['vars.delete-bare', 'workspace:can-update-variable', { ready: freshVariable }],

  ['configuration-versions.list', 'workspace:can-read-run'],
  ['configuration-versions.show', 'workspace:can-read-run'],
  ['configuration-versions.create', 'workspace:can-queue-run', sending('configuration-versions')],
  ['configuration-versions.download', 'workspace:can-read-run'],
  ['configuration-versions.archive', 'workspace:can-queue-run', { ready: oldConfiguration }],
  ['configuration-versions.soft-delete', 'workspace:can-update', { ready: oldConfiguration }],
  ['configuration-versions.restore', 'workspace:can-update', { ready: deletedConfiguration }],
  ['configuration-versions.permanently-delete', 'workspace:can-update', { ready: deletedConfiguration }],

  ['runs.show', 'workspace:can-read-run'],
  ['runs.configuration-version', 'workspace:can-read-run'],
  ['runs.download-configuration', 'workspace:can-read-run'],
  ['runs.of-workspace', 'workspace:can-read-run'],
  ['runs.task-stages', 'workspace:can-read-run'],
  ['runs.policy-checks', 'workspace:can-read-run'],
  ['plans.show', 'workspace:can-read-run'],
  ['plans.of-run', 'workspace:can-read-run'],
  ['plans.log', 'workspace:can-read-run'],
  ['applies.log', 'workspace:can-read-run'],
  ['plans.json-output', 'workspace:read-plan'],
  ['run-plans.json-output', 'workspace:read-plan'],
  ['plans.json-output-redacted', 'workspace:can-read-run'],
  ['run-plans.json-output-redacted', 'workspace:can-read-run'],
  ['plans.json-schema', 'workspace:can-read-run'],
  ['run-plans.json-schema', 'workspace:can-read-run'],
  ['applies.errored-state', 'workspace:can-read-state-versions'],
  ['applies.show', 'workspace:can-read-run'],
  ['applies.of-run', 'workspace:can-read-run'],
  ['run-events.list', 'workspace:can-read-run'],
  ['run-events.show', 'workspace:can-read-run'],
  ['comments.list', 'workspace:can-read-run'],
  ['comments.show', 'workspace:can-read-run'],
  ['comments.create', 'workspace:can-queue-run', sending('comments', { body: 'Looks right.' })],
  [
    'runs.create',
    'workspace:can-queue-run',
    { isAddressedByBody: true, body: (ids) => newRun(ids.workspaceId ?? '', { 'plan-only': true }) },
  ],
  ['runs.apply', 'workspace:can-queue-apply', { ready: plannedRun }],
  ['runs.discard', 'workspace:can-queue-apply', { ready: runBehind }],
  ['runs.cancel', 'workspace:can-queue-apply', { ready: runBehind }],
  ['runs.force-execute', 'workspace:can-queue-apply', { ready: runBehind }],
  ['runs.force-cancel', 'workspace:force-cancel', { ready: canceledRun }],
  ['runs.retry', 'workspace:can-queue-run', { ready: endedRun }],

  ['state-versions.list', 'workspace:can-read-state-versions', { query: filter }],
  ['state-versions.current', 'workspace:can-read-state-versions'],
  ['state-versions.show', 'workspace:can-read-state-versions'],
  ['state-versions.compare', 'workspace:can-read-state-versions'],
  ['workspace-resources.list', 'workspace:can-read-state-versions'],
  ['state-version-outputs.list', 'workspace:can-read-state-outputs'],
  ['state-version-outputs.current', 'workspace:can-read-state-outputs'],
  ['state-version-outputs.show', 'workspace:can-read-state-outputs'],
  ['state-versions.create', 'workspace:can-create-state-versions', { body: stateBody, ready: lockFor }],
  [
    'state-versions.rollback',
    'workspace:can-create-state-versions',
    {
      body: (ids) =>
        doc(
          'state-versions',
          {},
          { 'rollback-state-version': { data: { type: 'state-versions', id: ids.stateVersionId } } },
        ),
      ready: lockFor,
    },
  ],
  ['state-versions.soft-delete', 'workspace:can-update', { ready: oldVersion }],
  [
    'state-versions.restore',
    'workspace:can-update',
    {
      ready: async (scene) => {
        const ids = await oldVersion(scene)
        const path = `/api/v2/state-versions/${ids.stateVersionId}/actions/soft_delete_backing_data`
        mustBe(await scene.owner.post(path), 200)
        return ids
      },
    },
  ],
  ['state-versions.permanently-delete', 'workspace:can-update', { ready: oldVersion }],
]
