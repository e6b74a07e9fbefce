import { useAnswer } from '../api/answers.ts'
import type { Tab } from '../kit/Page.tsx'
import { usePart } from './organization.ts'

/** The team whose name the address has. */
export function useTeam() {
  const organization = usePart('organization')
  const name = usePart('team')
  const asked = useAnswer('teams.list', { params: { path: { organization }, query: { 'filter[names]': name } } })
  return { organization, name, asked, team: asked.data?.data[0] }
}

const at = '/$organization/organization/access/teams/$team'

/** The faces of a team. */
export const teamTabs = (organization: string, team: string, members?: number): readonly Tab[] =>
  [
    { label: 'Members', to: at, count: members },
    { label: 'Access', to: `${at}/access` },
    { label: 'Tokens', to: `${at}/tokens` },
    { label: 'Settings', to: `${at}/settings` },
  ].map(({ label, to, count }) => ({ label, count, link: { to, params: { organization, team } } as Tab['link'] }))
