import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { Tags } from '../../kit/Filters.tsx'
import { count } from '../../kit/numbers.ts'
import { Status } from '../../kit/Status.tsx'
import type { Column } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { type Names, nameIn } from '../names.ts'
import { parseTag } from '../overview/tags.ts'

/** A workspace as the list shows it. */
export type Workspace = Schemas['Workspace']

/** The columns of the list. */
export const columnsOf = (organization: string, names: Names): readonly Column<Workspace>[] => [
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
  { title: 'Project', cell: ({ relationships }) => nameIn(names, relationships?.project), phone: 'fact' },
  { title: 'Tags', cell: ({ attributes }) => <Tags of={(attributes['tag-names'] ?? []).map(parseTag)} /> },
  {
    title: 'Lock',
    phone: 'status',
    cell: ({ attributes, relationships }) =>
      attributes.locked ? (
        <Status shape="locked" term={attributes['locked-reason'] || 'No reason was given.'}>
          {nameIn(names, relationships?.['locked-by']) || 'locked'}
        </Status>
      ) : null,
  },
  { title: 'Runs', cell: ({ attributes }) => <span className="soft">{attributes['execution-mode']}</span> },
  { title: 'Resources', right: true, cell: ({ attributes }) => count(attributes['resource-count'] ?? 0) },
  { title: 'Tool', cell: ({ attributes }) => <span className="soft">{attributes['tool-version']}</span> },
  {
    title: 'Changed',
    right: true,
    sort: 'latest-change-at',
    phone: 'time',
    cell: ({ attributes }) => <Time at={attributes['latest-change-at']} />,
  },
]
