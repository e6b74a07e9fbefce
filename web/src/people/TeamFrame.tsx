import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { Answer, Empty } from '../kit/Answer.tsx'
import { counted } from '../kit/numbers.ts'
import { Page } from '../kit/Page.tsx'
import { fromOrganization } from './access.ts'
import { teamTabs, useTeam } from './useTeam.ts'

type Team = Schemas['Team']

type TeamFrameProps = {
  readonly actions?: (team: Team) => ReactNode
  readonly children: (team: Team) => ReactNode
}

/** What all faces of a team have: its name, one line of facts, and the ways to the others. */
export function TeamFrame({ actions, children }: TeamFrameProps) {
  const { organization, name, asked, team } = useTeam()
  return (
    <Page
      title={name}
      facts={team && <TeamFacts team={team} />}
      tabs={teamTabs(organization, name, team?.attributes['users-count'])}
      actions={team && actions?.(team)}
    >
      <Answer of={asked} failed="The team could not be read">
        {({ data: [found] }) =>
          found ? (
            children(found)
          ) : (
            <Empty title="There is no such team">It may have been removed or renamed, or you may not see it.</Empty>
          )
        }
      </Answer>
    </Page>
  )
}

const TeamFacts = ({ team }: { team: Team }) => {
  const { attributes } = team
  const why = fromOrganization(team)?.why
  return (
    <>
      <span>{counted(attributes['users-count'] ?? 0, 'person', 'people')}</span>
      <span>{attributes.visibility === 'secret' ? 'seen by its members' : 'seen by everybody'}</span>
      {why && <span>{why}</span>}
      {attributes['allow-certificate-login'] && <span>certificate logins may act as it</span>}
    </>
  )
}
