import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import type { Schemas } from '../api/client.ts'
import { Answer, Empty } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { FilterBar, Search } from '../kit/Filters.tsx'
import { count, counted } from '../kit/numbers.ts'
import { Columns, Page } from '../kit/Page.tsx'
import { type Column, FootEnd, Table, Under } from '../kit/Table.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { AbilityList } from './AbilityList.tsx'
import { AccessDialog } from './AccessDialog.tsx'
import { type Access, fromOrganization, inForce } from './access.ts'
import { accessTabs } from './accessTabs.ts'
import { LevelOf } from './LevelOf.tsx'
import { NewTeamButton } from './NewTeam.tsx'
import { unless, usePart, useTeams } from './organization.ts'
import type { PeopleSearch } from './search.ts'
import { type AccessTable, type Kind, removeAccess, useAccess } from './useAccess.ts'

type Team = Schemas['Team']

/** A project or workspace: a column of the matrix. */
type Target = {
  readonly id: string
  readonly name: string
  readonly note?: string | undefined
  readonly mayManage: boolean | undefined
}

const shownAtOnce = 6

/** Who may do what in which project. */
export function ProjectAccessPage() {
  const organization = usePart('organization')
  const { q, page = 1 } = useSearch({ strict: false }) as PeopleSearch
  const query = { 'page[size]': shownAtOnce, 'page[number]': page, ...(q && { q }) }
  const asked = useAnswer('projects.list', { params: { path: { organization }, query } }, { keep: true })
  const targets = (asked.data?.data ?? []).map(({ id, attributes }) => ({
    id,
    name: attributes.name ?? id,
    note: `${count(attributes['workspace-count'] ?? 0)} ws`,
    mayManage: attributes.permissions?.['can-manage-teams'],
  }))
  return <Matrix kind="project" targets={targets} total={asked.data?.meta.pagination['total-count'] ?? 0} of={asked} />
}

/** Who may do what in which workspace, beside what projects give. */
export function WorkspaceAccessPage() {
  const organization = usePart('organization')
  const { q, page = 1 } = useSearch({ strict: false }) as PeopleSearch
  const query = { 'page[size]': shownAtOnce, 'page[number]': page, ...(q && { 'search[name]': q }) }
  const asked = useAnswer('workspaces.list', { params: { path: { organization }, query } }, { keep: true })
  const targets = (asked.data?.data ?? []).map(({ id, attributes }) => ({
    id,
    name: attributes.name ?? id,
    mayManage: undefined,
  }))
  return (
    <Matrix kind="workspace" targets={targets} total={asked.data?.meta.pagination['total-count'] ?? 0} of={asked} />
  )
}

type MatrixProps = {
  readonly kind: Kind
  readonly targets: readonly Target[]
  readonly total: number
  readonly of: Parameters<typeof Answer>[0]['of']
}

function Matrix({ kind, targets, total, of }: MatrixProps) {
  const organization = usePart('organization')
  const search = useSearch({ strict: false }) as PeopleSearch
  const navigate = useNavigate()
  const change = (next: Partial<PeopleSearch>) =>
    navigate({ to: '.', search: { q: search.q, ...next } as never, replace: true })
  const teams = useTeams(organization)
  const table = useAccess(
    kind,
    targets.map(({ id }) => id),
  )
  const page = search.page ?? 1
  return (
    <Page
      title="Teams and access"
      tabs={accessTabs(organization, teams.data?.meta.pagination['total-count'])}
      actions={<NewTeamButton organization={organization} />}
    >
      <Columns aside={<Chosen kind={kind} teams={teams.data?.data ?? []} targets={targets} table={table} />}>
        <FilterBar>
          <Search
            label={kind === 'project' ? 'Search projects' : 'Search workspaces'}
            value={search.q ?? ''}
            change={(q) => change({ q: q || undefined })}
          />
        </FilterBar>
        <Answer of={of} failed={`The ${kind}s could not be read`}>
          {() => (
            <Answer of={teams} failed="The teams could not be read">
              {(found) => (
                <Table
                  label={`What each team may do in each ${kind}`}
                  columns={columnsOf({ kind, organization, targets, table, search })}
                  rows={ownersFirst(found.data)}
                  keyOf={({ id }) => id}
                  matrix
                  foot={
                    <>
                      <span>{counted(found.meta.pagination['total-count'], 'team')}</span>
                      <span>
                        {targets.length} of {counted(total, kind)}
                      </span>
                      <FootEnd>
                        <PageButtons
                          page={page}
                          last={Math.ceil(total / shownAtOnce)}
                          lead={(next) => change({ page: next })}
                        />
                      </FootEnd>
                    </>
                  }
                />
              )}
            </Answer>
          )}
        </Answer>
      </Columns>
    </Page>
  )
}

type PageButtonsProps = { readonly page: number; readonly last: number; readonly lead: (page: number) => void }

const PageButtons = ({ page, last, lead }: PageButtonsProps) =>
  last > 1 && (
    <>
      <Button small reason={page > 1 ? undefined : 'These are the first.'} onClick={() => lead(page - 1)}>
        Previous
      </Button>{' '}
      <Button small reason={page < last ? undefined : 'These are the last.'} onClick={() => lead(page + 1)}>
        Next
      </Button>
    </>
  )

const ownersFirst = (teams: readonly Team[]): readonly Team[] =>
  [...teams].sort((a, b) => Number(b.attributes.name === 'owners') - Number(a.attributes.name === 'owners'))

type ColumnsOf = {
  readonly kind: Kind
  readonly organization: string
  readonly targets: readonly Target[]
  readonly table: AccessTable
  readonly search: PeopleSearch
}

function columnsOf({ organization, targets, table, search }: ColumnsOf): readonly Column<Team>[] {
  const name: Column<Team> = {
    title: 'Team',
    phone: 'name',
    cell: (team) => (
      <>
        <Link
          to={'/$organization/organization/access/teams/$team' as never}
          params={{ organization, team: team.attributes.name } as never}
        >
          {team.attributes.name}
        </Link>
        <Under>{noteOf(team)}</Under>
      </>
    ),
  }
  const cells = targets.map(
    (target): Column<Team> => ({
      title: target.name,
      ...(target.note !== undefined && { note: target.note }),
      cell: (team) => {
        const { access, inherited } = inForce(team, table.get(target.id)?.get(team.id))
        return (
          <Link
            to="."
            search={{ ...search, team: team.attributes.name, on: target.id } as never}
            replace
            aria-label={`${team.attributes.name} in ${target.name}: ${access?.level ?? 'no access'}`}
            aria-current={search.team === team.attributes.name && search.on === target.id ? 'true' : undefined}
          >
            <LevelOf access={access} inherited={inherited} />
          </Link>
        )
      },
    }),
  )
  return [name, ...cells]
}

const peopleIn = ({ attributes }: Team): string =>
  attributes['users-count'] ? counted(attributes['users-count'], 'person', 'people') : 'no people'

const noteOf = (team: Team): string => [peopleIn(team), fromOrganization(team)?.why].filter(Boolean).join(', ')

type ChosenProps = {
  readonly kind: Kind
  readonly teams: readonly Team[]
  readonly targets: readonly Target[]
  readonly table: AccessTable
}

/** What the chosen cell means, and the way to change it. */
function Chosen({ kind, teams, targets, table }: ChosenProps) {
  const search = useSearch({ strict: false }) as PeopleSearch
  const team = teams.find(({ attributes }) => attributes.name === search.team)
  const target = targets.find(({ id }) => id === search.on)
  if (!team || !target)
    return (
      <Empty title="Who can do what">
        Choose a cell to see what a team may do there, and to change it. Grey is a right of the whole organization.
      </Empty>
    )
  return <Explained kind={kind} team={team} target={target} given={table.get(target.id)?.get(team.id)} />
}

type ExplainedProps = {
  readonly kind: Kind
  readonly team: Team
  readonly target: Target
  readonly given: Access | undefined
}

function Explained({ kind, team, target, given }: ExplainedProps) {
  const [isOpen, setOpen] = useState(false)
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const { access, inherited } = inForce(team, given)
  const name = team.attributes.name ?? ''
  const isOwners = name === 'owners'
  const reason = isOwners
    ? 'Owners always have all rights.'
    : unless(target.mayManage, `change who has access to ${target.name}`)
  const remove = async () => {
    const { yes } = await confirm({
      title: `Take away the access of ${name} to ${target.name}?`,
      text: `Its ${counted(team.attributes['users-count'] ?? 0, 'member')} and tokens lose “${given?.level}” at once.`,
      action: 'Take away',
    })
    if (!yes || !given) return
    try {
      await removeAccess(kind, given.id)
      await refresh([`team-${kind}s`, 'projects'])
      say.done(`Team ${name} has lost its access to ${target.name}`)
    } catch (error) {
      say.failed('The access was not taken away', error)
    }
  }
  return (
    <AbilityList
      title={`${name} in ${target.name}`}
      lead={inherited ? `By a right of the whole organization: ${fromOrganization(team)?.why}.` : leadOf(access, kind)}
      access={access}
      kind={kind}
    >
      <Button small reason={reason} onClick={() => setOpen(true)}>
        {given ? 'Change…' : 'Give access…'}
      </Button>
      {given && (
        <Button small kind="danger" reason={reason} onClick={remove}>
          Take away…
        </Button>
      )}
      {isOpen && (
        <AccessDialog kind={kind} team={{ id: team.id, name }} on={target} given={given} close={() => setOpen(false)} />
      )}
    </AbilityList>
  )
}

function leadOf(access: Access | undefined, kind: Kind): string {
  if (!access) return `No access${kind === 'workspace' ? ' of its own; its project may give some' : ''}.`
  const level = access.level.charAt(0).toUpperCase() + access.level.slice(1)
  return `${level} access. ${kind === 'project' ? 'Holds for all workspaces of the project.' : 'Beside what its project gives.'}`
}
