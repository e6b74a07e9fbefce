import { hidden } from '../../../../access/permissions/index.ts'
import { failure } from '../../../../kernel/failure.ts'
import {
  answerChanges,
  authorOf,
  changeSchema,
  changesById,
  type RecordedChange,
} from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import {
  allSchema,
  answerOne,
  attribute,
  listQuery,
  looseBody,
  parameter,
  showQuery,
} from '../../../../kit/jsonapi/index.ts'
import { withVisibleConsumers } from '../consumers/consumer-actions.ts'
import { renderWorkspace } from '../document-actions.ts'
import { hiddenTypes } from '../events/event.ts'
import { visibilityOf } from '../events/event-actions.ts'
import { readWorkspaceChange } from '../settings/settings-fields.ts'
import { changeSettings } from '../settings/update-actions.ts'
import { describeWorkspace, type Workspace } from '../workspace.ts'
import { type OnWorkspace, onWorkspace, workspaceInPath } from '../workspace-access-actions.ts'
import { workspaceDocument } from '../workspace-document-fields.ts'
import { touchedSince, undoableSettings, undoDocument } from './undo.ts'

const historyQuery = listQuery({
  parameters: {
    before: parameter.text('page[before]', 'Position to continue from, as given in `links.next`.'),
    subjectType: parameter.text('filter[subject][type]', 'Changes of this kind of resource only.'),
  },
})

const undoBody = looseBody({
  force: attribute.flag('Whether settings that have been changed again since are reset too.', { default: false }),
})

type OnChange = Pick<Call<Record<string, string>, unknown, unknown, OnWorkspace>, 'deps' | 'params' | 'subject'>

/** The change that a path names, if it changed settings of the workspace. */
async function settingsChange({ deps, params: { changeId = '' }, subject }: OnChange): Promise<RecordedChange> {
  const [change] = await changesById(deps.db, [changeId])
  if (change?.workspaceId !== subject.resource.id) throw hidden()
  if (undoableSettings(change, describeWorkspace(subject.resource)).length > 0) return change
  throw failure('invalid', 'change.not-undoable', 'Only a change of settings can be undone.')
}

/** Refuses to undo what somebody has changed again since then. */
function requireUntouched(change: RecordedChange, workspace: Workspace): void {
  const touched = touchedSince(change, describeWorkspace(workspace))
  if (touched.length === 0) return
  const text = `Changed again since: ${touched.join(', ')}. Send force to set them back nevertheless.`
  throw failure('conflict', 'change.touched-since', text)
}

/** The history of a workspace, and undoing changes. */
export const historyEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'workspace-changes.list',
    route: 'GET /workspaces/:workspaceId/changes',
    summary: 'List the changes made to a workspace, newest first.',
    access: onWorkspace('can-read-settings'),
    params: workspaceInPath,
    query: historyQuery,
    returns: { 200: allSchema(changeSchema) },
    fails: ['missing'],
    handle: (call) => {
      const { resource, grants } = call.subject
      const { subjectType } = call.query
      const exceptTypes = hiddenTypes(visibilityOf(grants, resource))
      const filter = { subjectType, exceptTypes, workspaceId: resource.id }
      return answerChanges(call, grants, filter, (changes) => withVisibleConsumers(call.deps, grants, changes))
    },
  }),
  endpoint({
    id: 'workspace-changes.undo',
    route: 'POST /workspaces/:workspaceId/changes/:changeId/actions/undo',
    summary: 'Undo a change: reset the settings it changed to their previous values.',
    description:
      'This is an ordinary update and follows the same rules. Tags, locks and states are not settings and are not ' +
      'undone.',
    access: onWorkspace('can-update'),
    params: {
      ...workspaceInPath,
      changeId: { description: 'Identifier of the change.', example: 'chg-1111111111111111' },
    },
    query: showQuery(),
    body: undoBody,
    returns: { 200: workspaceDocument },
    fails: ['missing', 'invalid', 'conflict'],
    handle: async (call) => {
      const { resource: workspace, grants } = call.subject
      const change = await settingsChange(call)
      const draftFor = (before: Workspace) => {
        if (!call.body.attributes.force) requireUntouched(change, before)
        return readWorkspaceChange(undoDocument(change, describeWorkspace(before)))
      }
      const changed = await changeSettings(call.deps, authorOf(call), { grants, workspace, draftFor })
      return answerOne(call, await renderWorkspace(call, grants, changed))
    },
  }),
])
