import type { ReactNode } from 'react'
import { useAnswer } from '../api/answers.ts'
import type { Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { Page, type Tab } from '../kit/Page.tsx'
import { usePart } from './organization.ts'

const at = '/$organization/organization/settings'

const tabsOf = (organization: string): readonly Tab[] =>
  [
    { label: 'General', to: at },
    { label: 'Retention', to: `${at}/retention` },
    { label: 'Tool versions', to: `${at}/tools` },
    { label: 'Deletion', to: `${at}/deletion` },
  ].map(({ label, to }) => ({ label, link: { to, params: { organization } } as Tab['link'] }))

/** What all faces of the settings have. */
export function SettingsFrame({ children }: { children: (organization: Schemas['Organization']) => ReactNode }) {
  const organization = usePart('organization')
  const asked = useAnswer('organizations.show', { params: { path: { organization } } })
  return (
    <Page title="Settings" tabs={tabsOf(organization)}>
      <Answer of={asked} failed="The organization could not be read">
        {({ data }) => children(data)}
      </Answer>
    </Page>
  )
}
