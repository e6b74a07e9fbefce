import { useAnswer } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Answer, Empty } from '../kit/Answer.tsx'
import { counted } from '../kit/numbers.ts'
import { unless } from './organization.ts'
import { TeamFrame } from './TeamFrame.tsx'
import { NewTokenButton, TokenTable } from './TokenTable.tsx'

type Team = Schemas['Team']

/** The tokens that act as a team. */
export const TeamTokensPage = () => (
  <TeamFrame actions={(team) => <NewTeamToken team={team} />}>{(team) => <TokensOfTeam team={team} />}</TeamFrame>
)

const tokenReason = ({ attributes }: Team): string | undefined =>
  unless(attributes.permissions?.['can-update-api-token'], `make or revoke tokens of team ${attributes.name}`)

const NewTeamToken = ({ team }: { team: Team }) => (
  <NewTokenButton
    title={`New token of team ${team.attributes.name}`}
    reason={tokenReason(team)}
    make={(attributes) =>
      call('team-tokens.create', {
        params: { path: { teamId: team.id } },
        body: { data: { type: 'authentication-tokens', attributes } as never },
      })
    }
  />
)

function TokensOfTeam({ team }: { team: Team }) {
  const asked = useAnswer('team-tokens.list', { params: { path: { teamId: team.id }, query: { 'page[size]': 100 } } })
  return (
    <Answer of={asked} failed="The tokens could not be read">
      {({ data, meta }) =>
        data.length === 0 ? (
          <Empty title="No tokens yet">
            A token lets a pipeline act as this team, with exactly its rights. It belongs to no person, so nothing stops
            when somebody leaves.
          </Empty>
        ) : (
          <TokenTable
            label={`Tokens of team ${team.attributes.name}`}
            tokens={data}
            reason={tokenReason(team)}
            nothing="This team has no tokens."
            foot={<span>{counted(meta.pagination['total-count'], 'token')}</span>}
          />
        )
      }
    </Answer>
  )
}
