import type { Tab } from '../kit/Page.tsx'

const at = '/$organization/organization/access'

/** The faces of teams and their access. */
export const accessTabs = (organization: string, teams?: number): readonly Tab[] =>
  [
    { label: 'Projects', to: at },
    { label: 'Workspaces', to: `${at}/workspaces` },
    { label: 'Whole organization', to: `${at}/rights` },
    { label: 'Teams', to: `${at}/teams`, count: teams },
  ].map(({ label, to, count }) => ({ label, count, link: { to, params: { organization } } as Tab['link'] }))
