import { toIso } from '../../../../kernel/clock.ts'
import { fields } from '../../../../kit/bodies.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import type { Reply } from '../../../../kit/reply.ts'
import {
  leadToPage,
  leaveNotice,
  type PagePrefix,
  type Problem,
  pagePrefixes,
  redirectTo,
  signInFirst,
  type Viewer,
} from '../../../people/sign-in/index.ts'
import type { Session } from '../../../people/users/index.ts'
import {
  compareVersions,
  includeWithVersions,
  loadNewest,
  loadSerialsBetween,
  loadStateVersion,
  loadVersionBefore,
  rollbackState,
  type StateVersion,
  stateVersionInPath,
} from '../../state/index.ts'
import {
  holderOf,
  holderShown,
  includeWith,
  lockInForce,
  mayOnWorkspace,
  namedWorkspaceInPath,
  type OnWorkspace,
  renderWorkspace,
} from '../../workspaces/index.ts'
import { holderName } from '../list-parts-wire.ts'
import { problemOf, whenSignedIn } from '../page-access.ts'
import { pathOf } from '../workspace-page-endpoints.ts'
import { isHolder, type Show, showToReaders, versionInPath } from './state-page-access.ts'
import { noVersionPage } from './state-page-wire.ts'
import { type VersionView, versionPage } from './version-page-wire.ts'

const authors: ReadonlySet<string> = new Set(['created_by'])

const showVersion =
  (problem?: Problem): Show =>
  async (call, place, found) => {
    const version = await versionInPath(call, found.resource)
    if (!version) return noVersionPage(place)
    const { db } = call.deps
    const newest = await loadNewest(db, found.resource.id)
    const rollback = version.id === newest?.id ? undefined : await rollbackFor(call, found, version)
    return versionPage({
      ...place,
      problem,
      version,
      currentId: found.resource.currentStateVersionId,
      newest,
      origin: version.rolledBackTo === null ? undefined : await loadStateVersion(db, version.rolledBackTo),
      authors: await includeWithVersions(call, authors, [version]),
      since: await changesOf(call, version),
      rollback,
      wouldChange:
        rollback && newest?.status === 'finalized' ? await compareVersions(call.deps, newest, version) : undefined,
    })
  }

async function changesOf({ deps }: Call, version: StateVersion): Promise<VersionView['since']> {
  const before = version.status === 'finalized' ? await loadVersionBefore(deps.db, version) : undefined
  if (!before) return undefined
  const between = await loadSerialsBetween(deps.db, before, version)
  return { before, between, comparison: await compareVersions(deps, before, version) }
}

async function rollbackFor(call: Call, found: OnWorkspace, version: StateVersion): Promise<VersionView['rollback']> {
  const { resource: workspace, grants } = found
  if (version.status !== 'finalized' || !mayOnWorkspace(grants, 'can-create-state-versions', workspace))
    return undefined
  if (isHolder(call, found)) return { way: 'possible' }
  const lock = lockInForce(workspace.lock, call.deps.clock.now())
  if (!lock) return { way: mayOnWorkspace(grants, 'can-lock', workspace) ? 'lock first' : 'may not lock' }
  const resources = [await renderWorkspace(call, grants, workspace)]
  const { included } = await includeWith(call, lockHolders, { grants, workspaces: [workspace], resources })
  return { way: 'held', by: holderName(included, holderShown(lock.holder)), since: toIso(lock.since) }
}

const lockHolders: ReadonlySet<string> = new Set(['locked_by'])

const notAllowed: Problem = { text: 'You are not allowed to roll back the state of this workspace.', status: 403 }

/** Rolls back and shows all versions, so that a reload of the page repeats nothing. */
const rollback =
  (after = ''): Show =>
  async (call, place, found, session) => {
    const { resource: workspace, grants, actor } = found
    const version = await versionInPath(call, workspace)
    if (!version) return noVersionPage(place)
    if (!mayOnWorkspace(grants, 'can-create-state-versions', workspace)) {
      return await showVersion(notAllowed)(call, place, found, session)
    }
    const path = `${place.viewer.prefix}${pathOf(call, place.workspace)}/states`
    const text = `Rolled back to serial ${version.serial}.`
    const done = redirectTo(path, leaveNotice(call, { path, session }, { kind: 'done', text }))
    try {
      await rollbackState(call.deps, authorOf(call), { workspace, id: version.id, by: holderOf(actor), after })
      return done
    } catch (thrown) {
      const problem = problemOf(thrown)
      return (await isDone(call, version)) ? done : await showVersion(problem)(call, place, found, session)
    }
  }

/** True if the newest state is already the one that the form asks for: a second click is not an error. */
const isDone = async ({ deps }: Call, { workspaceId, md5 }: StateVersion): Promise<boolean> =>
  (await loadNewest(deps.db, workspaceId))?.md5 === md5

const body = fields(
  Type.Object({
    csrf: field.text('CSRF token of the form.'),
    newest: field.text('The version that was the newest one when the page was shown.'),
  }),
)

/** Runs below the page of a version, for those who may read the state. */
function onVersion(call: Call, prefix: PagePrefix, show: Show, csrf?: string): Promise<Reply> {
  const below = `/states/${call.params.stateVersionId}`
  const run = (known: Call, viewer: Viewer, session: Session) => showToReaders(known, { viewer, session }, below, show)
  return whenSignedIn(call, prefix, `${pathOf(call, call.params.name ?? '')}${below}`, run, { csrf })
}

const pagesBelow = (prefix: PagePrefix) => {
  const path = `${prefix}/:organization/workspaces/:name/states/:stateVersionId` as const
  const common = { access: signInFirst, params: { ...namedWorkspaceInPath, ...stateVersionInPath } }
  return [
    endpoint({
      ...common,
      id: `workspace-pages.version${prefix.replace('/', '.')}`,
      route: `GET ${path}`,
      summary: 'Show the page of a version of the state, and what changed since the one before.',
      returns: { 200: null, 303: null, 403: null, 404: null },
      handle: (call) => onVersion(call, prefix, showVersion()),
    }),
    endpoint({
      ...common,
      id: `workspace-pages.rollback${prefix.replace('/', '.')}`,
      route: `POST ${path}/rollback`,
      summary: 'Send the rollback form of the page of a version.',
      body,
      returns: { 303: null, 403: null, 404: null, 409: null, 412: null, 422: null, 503: null },
      handle: (call) => onVersion(call, prefix, rollback(call.body.newest), call.body.csrf),
    }),
    leadToPage(`${path}/rollback`, path, common.params),
  ]
}

/** The page of one version of a state, with the form that rolls back to it. */
export const versionPageEndpoints: readonly Endpoint[] = defineEndpoints('site', pagePrefixes.flatMap(pagesBelow))
