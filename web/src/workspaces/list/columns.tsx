import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Tags } from '../../kit/Filters.tsx'
import { count } from '../../kit/numbers.ts'
import { Status } from '../../kit/Status.tsx'
import type { Column } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { type Included, type Names, nameIn } from '../names.ts'
import { type ShownTag, shownTags } from '../overview/tags.ts'

/** A workspace as the list shows it. */
export type Workspace = Schemas['Workspace']

/** The tags of a workspace, those of its project among them. */
function tagsOf({ attributes, relationships }: Workspace, included: readonly Included[]): readonly ShownTag[] {
  const { data = [] } = Object(relationships?.['effective-tag-bindings']) as { data?: readonly { id: string }[] }
  const ids = new Set(data.map(({ id }) => id))
  const bindings = included.filter(({ type, id }) => type === 'effective-tag-bindings' && ids.has(id))
  const { own, inherited } = shownTags(bindings, attributes['tag-names'] ?? [])
  return [...own, ...inherited]
}

/** The columns that can be hidden. */
export const optionalColumns = ['Project', 'Tags', 'Lock', 'Runs', 'Resources', 'Tool', 'Changed'] as const

/** The columns of the list. */
export const columnsOf = (
  organization: string,
  names: Names,
  included: readonly Included[],
  menu: (workspace: Workspace) => ReactNode,
): readonly Column<Workspace>[] => [
  {
    title: 'Name',
    sort: 'name',
    phone: 'name',
    grow: true,
    cell: ({ attributes }) => (
      <Link to={'/$organization/workspaces/$name' as never} params={{ organization, name: attributes.name } as never}>
        {attributes.name}
      </Link>
    ),
  },
  { title: 'Project', width: 116, cell: ({ relationships }) => nameIn(names, relationships?.project), phone: 'fact' },
  { title: 'Tags', width: 230, cell: (workspace) => <Tags of={tagsOf(workspace, included)} /> },
  {
    title: 'Lock',
    width: 116,
    phone: 'status',
    cell: ({ attributes, relationships }) =>
      attributes.locked ? (
        <Status shape="locked" term={attributes['locked-reason'] || 'No reason was given.'}>
          {nameIn(names, relationships?.['locked-by']) || 'locked'}
        </Status>
      ) : null,
  },
  { title: 'Runs', width: 62, cell: ({ attributes }) => <span className="soft">{attributes['execution-mode']}</span> },
  { title: 'Resources', width: 90, right: true, cell: ({ attributes }) => count(attributes['resource-count'] ?? 0) },
  { title: 'Tool', width: 70, cell: ({ attributes }) => <span className="soft">{attributes['tool-version']}</span> },
  {
    title: 'Changed',
    width: 78,
    right: true,
    sort: 'latest-change-at',
    phone: 'time',
    cell: ({ attributes }) => <Time at={attributes['latest-change-at']} />,
  },
  { title: 'Actions', bare: true, width: 54, right: true, phone: 'menu', cell: menu },
]
