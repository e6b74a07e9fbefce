import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { FilterBar, Search } from '../kit/Filters.tsx'
import { counted } from '../kit/numbers.ts'
import { Page } from '../kit/Page.tsx'
import { type Column, Table } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { organizationRights } from './access.ts'
import { accessTabs } from './accessTabs.ts'
import { NewTeamButton } from './NewTeam.tsx'
import { usePart, useTeams } from './organization.ts'
import type { PeopleSearch } from './search.ts'

type Team = Schemas['Team']

/** The teams of an organization. */
export function TeamsPage() {
  const organization = usePart('organization')
  const { q } = useSearch({ strict: false }) as PeopleSearch
  const navigate = useNavigate()
  const asked = useTeams(organization, q)
  const total = asked.data?.meta.pagination['total-count']
  return (
    <Page
      title="Teams and access"
      tabs={accessTabs(organization, q ? undefined : total)}
      actions={<NewTeamButton organization={organization} />}
    >
      <FilterBar>
        <Search
          label="Search teams"
          value={q ?? ''}
          change={(text) => navigate({ to: '.', search: (text ? { q: text } : {}) as never, replace: true })}
        />
      </FilterBar>
      <Answer of={asked} failed="The teams could not be read">
        {({ data }) => (
          <Table
            label="Teams"
            columns={columnsOf(organization)}
            rows={data}
            keyOf={({ id }) => id}
            nothing="No team has this name."
            foot={<span>{counted(total ?? 0, 'team')}</span>}
          />
        )}
      </Answer>
    </Page>
  )
}

const rightsOf = ({ attributes }: Team): string => {
  if (attributes.name === 'owners') return 'All rights'
  const rights = organizationRights.filter(([right]) => attributes['organization-access']?.[right])
  return rights.map(([, label]) => label).join(', ')
}

const columnsOf = (organization: string): readonly Column<Team>[] => [
  {
    title: 'Team',
    phone: 'name',
    cell: ({ attributes }) => (
      <Link
        to={'/$organization/organization/access/teams/$team' as never}
        params={{ organization, team: attributes.name } as never}
      >
        {attributes.name}
      </Link>
    ),
  },
  { title: 'Members', right: true, phone: 'fact', cell: ({ attributes }) => attributes['users-count'] },
  {
    title: 'Seen by',
    phone: 'status',
    cell: ({ attributes }) => (
      <span className="soft">{attributes.visibility === 'secret' ? 'its members' : 'everybody'}</span>
    ),
  },
  {
    title: 'Rights in the whole organization',
    grow: true,
    cell: (team) => <span className="soft">{rightsOf(team)}</span>,
  },
  { title: 'Created', right: true, phone: 'time', cell: ({ attributes }) => <Time at={attributes['created-at']} /> },
]
