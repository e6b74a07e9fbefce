import { Navigate } from '@tanstack/react-router'
import { useAnswer } from '../api/answers.ts'
import { useOrganization } from '../frame/organization.ts'
import { Answer, Empty } from '../kit/Answer.tsx'
import { Page } from '../kit/Page.tsx'

/** Leads to the organization that was looked at last. */
export function Home() {
  const { name } = useOrganization()
  const asked = useAnswer('organizations.list', { params: { query: { 'page[size]': 100 } } })
  return (
    <Answer of={asked} failed="Your organizations could not be read">
      {() =>
        name === undefined ? (
          <Page title="Welcome to Holdfast">
            <Empty title="You belong to no organization yet">
              Workspaces, teams and tokens belong to an organization. Ask an owner of one to invite you.
            </Empty>
          </Page>
        ) : (
          <Navigate to="/$organization/overview" params={{ organization: name }} replace />
        )
      }
    </Answer>
  )
}
