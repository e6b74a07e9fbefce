import { useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { Page } from '../kit/Page.tsx'
import { type Column, FootEnd, Table, Tick, Under } from '../kit/Table.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { organizationRights } from './access.ts'
import { accessTabs } from './accessTabs.ts'
import { NewTeamButton } from './NewTeam.tsx'
import { unless, usePart, useTeams } from './organization.ts'

type Team = Schemas['Team']
type Right = (typeof organizationRights)[number]

/** What each team may do in the whole organization: a change counts at once, and can be undone. */
export function RightsPage() {
  const organization = usePart('organization')
  const teams = useTeams(organization)
  const say = useToasts()
  const refresh = useRefresh()
  const set = async (team: Team, [right, label]: Right, value: boolean) => {
    try {
      await grant(team.id, right, value)
      await refresh(['teams'])
      const name = team.attributes.name
      say.done(value ? `Team ${name} may now: ${label}` : `Team ${name} may no longer: ${label}`, {
        undo: () => set(team, [right, label, '', 'People and teams'], !value),
      })
    } catch (error) {
      say.failed('The right was not changed', error)
    }
  }
  return (
    <Page
      title="Teams and access"
      tabs={accessTabs(organization, teams.data?.meta.pagination['total-count'])}
      actions={<NewTeamButton organization={organization} />}
    >
      <Answer of={teams} failed="The teams could not be read">
        {({ data }) => (
          <Table
            label="What each team may do in the whole organization"
            columns={columnsOf(data, set)}
            rows={organizationRights}
            keyOf={([right]) => right}
            matrix
            foot={
              <>
                <span>A change counts at once.</span>
                <FootEnd>Owners have all rights.</FootEnd>
              </>
            }
          />
        )}
      </Answer>
    </Page>
  )
}

const grant = (teamId: string, right: Right[0], value: boolean): Promise<unknown> =>
  call('teams.update', {
    params: { path: { teamId } },
    body: { data: { type: 'teams', attributes: { 'organization-access': { [right]: value } } } },
  })

type Set = (team: Team, right: Right, value: boolean) => unknown

const columnsOf = (teams: readonly Team[], set: Set): readonly Column<Right>[] => [
  {
    title: 'Right',
    phone: 'name',
    cell: ([, label, hint]) => (
      <>
        {label}
        <Under>{hint}</Under>
      </>
    ),
  },
  ...teams
    .filter(({ attributes }) => attributes.name !== 'owners')
    .map(
      (team): Column<Right> => ({
        title: team.attributes.name ?? team.id,
        cell: (right) => {
          const [name, label] = right
          const reason = unless(
            team.attributes.permissions?.['can-update-organization-access'],
            `change the rights of ${team.attributes.name}`,
          )
          return (
            <Tick
              label={`${team.attributes.name}: ${label}`}
              reason={reason}
              checked={team.attributes['organization-access']?.[name] ?? false}
              change={(isWanted) => set(team, right, isWanted)}
            />
          )
        },
      }),
    ),
]
