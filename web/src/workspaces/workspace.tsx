import { createContext, type ReactNode, useContext } from 'react'
import type { AnswerOf, Schemas } from '../api/client.ts'
import { type Included, type Names, namesOf, targetOf } from './names.ts'

/** A right on a workspace, by the name that its document has for it. */
export type Right = keyof NonNullable<Schemas['WorkspaceAttributes']['permissions']> & string

/** A workspace as its pages know it. */
export type OpenWorkspace = {
  readonly organization: string
  readonly id: string
  readonly name: string
  readonly attributes: Schemas['WorkspaceAttributes']
  readonly relationships: Schemas['WorkspaceRelationships']
  readonly included: readonly Included[]
  readonly names: Names
  /** Why the person may not do this; undefined if it is allowed. */
  reasonNot(right: Right): string | undefined
}

const words: Partial<Record<Right, string>> = {
  'can-update': 'change its settings',
  'can-queue-run': 'start its runs',
  'can-queue-apply': 'apply its plans',
  'can-queue-destroy': 'destroy what it manages',
  'can-read-run': 'read its runs',
  'can-destroy': 'delete it',
  'can-force-delete': 'delete it by force',
  'can-lock': 'lock it',
  'can-unlock': 'unlock it',
  'can-force-unlock': 'break locks of others',
  'can-read-state-versions': 'read its state',
  'can-create-state-versions': 'write its state',
  'can-read-variable': 'read its variables',
  'can-update-variable': 'change its variables',
  'can-manage-tags': 'change its tags',
  'can-read-settings': 'read its settings',
}

/** What the pages of a workspace need of the answer about it. */
export function openWorkspace(
  organization: string,
  { data, included = [] }: AnswerOf<'workspaces.show-by-name'>,
): OpenWorkspace {
  const { id, attributes, relationships = {} } = data
  const name = attributes.name ?? ''
  const permissions = (attributes.permissions ?? {}) as Readonly<Record<string, boolean>>
  return {
    organization,
    id,
    name,
    attributes,
    relationships,
    included,
    names: namesOf({ included }),
    reasonNot: (right) =>
      permissions[right]
        ? undefined
        : `You may not ${words[right] ?? right}. An owner of ${organization}, or a team with admin access to ${name}, can let you.`,
  }
}

/** The first resource of a type that came with a workspace. */
export const includedOf = ({ included }: OpenWorkspace, type: string): readonly Included[] =>
  included.filter((each) => each.type === type)

/** The project of a workspace, if the person may see it. */
export function projectOf(
  workspace: OpenWorkspace,
): { id: string; attributes: Schemas['ProjectAttributes'] } | undefined {
  const id = targetOf(workspace.relationships.project)?.id
  const found = includedOf(workspace, 'projects').find((project) => project.id === id)
  return found && { id: found.id, attributes: found.attributes as Schemas['ProjectAttributes'] }
}

const Context = createContext<OpenWorkspace | undefined>(undefined)

/** Tells the parts of a page which workspace it is about. */
export const WorkspaceProvider = ({ workspace, children }: { workspace: OpenWorkspace; children: ReactNode }) => (
  <Context value={workspace}>{children}</Context>
)

/** The workspace that the page is about. */
export function useWorkspace(): OpenWorkspace {
  const workspace = useContext(Context)
  if (!workspace) throw new Error('This is no page of a workspace')
  return workspace
}
