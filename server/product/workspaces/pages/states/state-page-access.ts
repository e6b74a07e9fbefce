import { isId } from '../../../../kernel/ids.ts'
import type { Call } from '../../../../kit/endpoint.ts'
import type { Reply } from '../../../../kit/reply.ts'
import { redirectTo, type Viewer } from '../../../people/sign-in/index.ts'
import type { Session } from '../../../people/users/index.ts'
import { loadStateVersion, type StateVersion } from '../../state/index.ts'
import {
  holderOf,
  isSameHolder,
  lockInForce,
  type OnWorkspace,
  onWorkspace,
  type Workspace,
} from '../../workspaces/index.ts'
import { findByRule } from '../page-access.ts'
import { noWorkspacePage, pathOf } from '../workspace-page-endpoints.ts'
import { noStatePage, type StatePlace } from './state-page-wire.ts'

const readers = onWorkspace('can-read-state-versions')
const visitors = onWorkspace('can-read-run')

/** Answers with a page about the state of a workspace. */
export type Show = (call: Call, place: StatePlace, found: OnWorkspace, session: Session) => Promise<Reply>

/** Shows what is below a workspace to those who may read its state; a former name leads to the present one. */
export async function showToReaders(
  call: Call,
  { viewer, session }: { viewer: Viewer; session: Session },
  below: string,
  show: Show,
): Promise<Reply> {
  const permitted = await findByRule(readers, call)
  const found = permitted ?? (await findByRule(visitors, call))
  if (!found) return noWorkspacePage(viewer)
  const { resource: workspace, grants } = found
  if (workspace.former !== undefined) return redirectTo(`${viewer.prefix}${pathOf(call, workspace.name)}${below}`)
  const place = { viewer, organization: grants.organizationName, workspace: workspace.name }
  return permitted ? await show(call, place, permitted, session) : noStatePage(place)
}

/** True if the reader holds the lock of the workspace. */
export function isHolder({ deps }: Call, { resource, actor }: OnWorkspace): boolean {
  const lock = lockInForce(resource.lock, deps.clock.now())
  return lock !== null && isSameHolder(lock.holder, holderOf(actor))
}

/** The version that the path names, if it is one of this workspace. */
export async function versionInPath({ deps, params }: Call, { id }: Workspace): Promise<StateVersion | undefined> {
  const { stateVersionId = '' } = params
  const version = isId('sv', stateVersionId) ? await loadStateVersion(deps.db, stateVersionId) : undefined
  return version?.workspaceId === id ? version : undefined
}
