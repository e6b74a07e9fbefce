import {
  actorOf,
  canInOrganization,
  grantsOf,
  inOrganization,
  organizationInPath,
} from '../../../access/permissions/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import type { Reply } from '../../../kit/reply.ts'
import {
  leadToPage,
  type PagePrefix,
  type Problem,
  pagePrefixes,
  redirectTo,
  signInFirst,
  type Viewer,
} from '../../people/sign-in/index.ts'
import { everyWorkspace, includeWith, listPage, renderWorkspaces } from '../workspaces/index.ts'
import { pageNumberIn } from './list-parts-wire.ts'
import { findByRule, whenSignedIn } from './page-access.ts'
import { listAddress } from './page-addresses.ts'
import {
  type ListSearch,
  noOrganizationPage,
  organizationsPage,
  queryFor,
  workspaceListPage,
} from './workspace-list-wire.ts'

const members = inOrganization('can-traverse')
const pageSize = 50
const maxTags = 20

async function showOrganizations({ deps, caller }: Call, viewer: Viewer): Promise<Reply> {
  const { byId } = await grantsOf(deps, actorOf(caller))
  const names = [...byId.values()].map(({ organizationName }) => organizationName).sort()
  const [only] = names
  return only !== undefined && names.length === 1
    ? redirectTo(listAddress(viewer, only))
    : organizationsPage(viewer, names)
}

const wordsIn = (tags: string): string[] =>
  tags
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

/** What is wrong with a search for too many tags. */
const tagsProblem = ({ tags }: ListSearch): Problem | undefined =>
  wordsIn(tags).length > maxTags
    ? { text: `Only ${maxTags} tags can be searched for at a time; those after them are left out here.`, status: 400 }
    : undefined

/** The conditions of a search: `core` is a flat tag or the key of a binding, `env=prod` a binding. */
function filterOf({ search, tags, locked }: ListSearch): Parameters<typeof listPage>[2]['filter'] {
  const words = wordsIn(tags).slice(0, maxTags)
  return {
    ...everyWorkspace,
    nameContains: search === '' ? undefined : search.toLowerCase(),
    locked: locked || undefined,
    tags: words.filter((word) => !word.includes('=')),
    tagged: words
      .filter((word) => word.includes('='))
      .map((word) => ({
        key: word.slice(0, word.indexOf('=')).trim(),
        value: word.slice(word.indexOf('=') + 1).trim(),
      })),
  }
}

const lockHolders: ReadonlySet<string> = new Set(['locked_by'])

type Asked = { readonly asked: ListSearch; readonly number: number; readonly problem: Problem | undefined }

async function showWorkspaces(call: Call, viewer: Viewer, { asked, number, problem }: Asked): Promise<Reply> {
  const grants = await findByRule(members, call)
  if (!grants) return noOrganizationPage(viewer)
  const page = { number, size: pageSize }
  const order = { by: 'name', descending: false } as const
  const { workspaces, total } = await listPage(call, grants, { filter: filterOf(asked), order, page })
  // Workspaces may have been deleted since the link to this page was shown.
  if (workspaces.length === 0 && total > 0)
    return redirectTo(`${listAddress(viewer, grants.organizationName)}${queryFor(asked, Math.ceil(total / pageSize))}`)
  const resources = await renderWorkspaces(call, grants, workspaces)
  const { included } = await includeWith(call, lockHolders, { grants, workspaces, resources })
  return workspaceListPage({
    viewer,
    origin: call.request.origin,
    settings: call.deps.settings,
    organization: grants.organizationName,
    asked,
    page,
    rows: resources.map((resource, at) => ({ resource, isCountKnown: workspaces[at]?.resourceCountKnown ?? true })),
    holders: included,
    total,
    problem,
    mayCreate: canInOrganization(grants, 'can-create-workspace'),
  })
}

const pagesBelow = (prefix: PagePrefix) => [
  leadToPage(`${prefix}/:organization`, `${prefix}/:organization/workspaces`, organizationInPath),
  endpoint({
    id: `workspace-pages.organizations${prefix.replace('/', '.')}`,
    route: `GET ${prefix}/workspaces`,
    summary: 'Show the page of your organizations, or of the workspaces if there is only one organization.',
    access: signInFirst,
    returns: { 200: null, 303: null },
    handle: (call) => whenSignedIn(call, prefix, '/workspaces', showOrganizations),
  }),
  endpoint({
    id: `workspace-pages.list${prefix.replace('/', '.')}`,
    route: `GET ${prefix}/:organization/workspaces`,
    summary: 'Show the page of the workspaces you can see in an organization.',
    access: signInFirst,
    returns: { 200: null, 303: null, 404: null },
    params: organizationInPath,
    query: Type.Object({
      search: field.text('Text that the names must contain.'),
      tags: field.text('Tags that the workspaces must have, separated by commas: `core`, `env=prod`.'),
      locked: field.text('`true` for those that are locked.'),
      page: field.text('Page number.'),
    }),
    handle: (call) => {
      const { search = '', tags = '', locked, page = '1' } = call.query
      const { number, problem } = pageNumberIn(page)
      const asked = { search: search.trim(), tags: tags.trim(), locked: locked === 'true' }
      const shown = { asked, number, problem: problem ?? tagsProblem(asked) }
      const path = `/${call.params.organization}/workspaces${queryFor(asked, number)}`
      return whenSignedIn(call, prefix, path, (known, viewer) => showWorkspaces(known, viewer, shown))
    },
  }),
]

/** Pages that lead to workspaces. */
export const workspaceListEndpoints: readonly Endpoint[] = defineEndpoints('site', pagePrefixes.flatMap(pagesBelow))
