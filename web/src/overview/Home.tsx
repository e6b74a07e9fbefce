import { Link, Navigate } from '@tanstack/react-router'
import { useAnswer } from '../api/answers.ts'
import { useOrganization } from '../frame/organization.ts'
import { Answer, Empty } from '../kit/Answer.tsx'
import { buttonClass } from '../kit/Button.tsx'
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
            <Welcome />
          </Page>
        ) : (
          <Navigate to="/$organization/overview" params={{ organization: name }} replace />
        )
      }
    </Answer>
  )
}

/** The first page after an installation, and of people whom nobody has invited yet. */
function Welcome() {
  const { data } = useAnswer('account.details', {})
  const mayCreate = data?.data.attributes.permissions?.['can-create-organizations'] ?? false
  return (
    <Empty
      title="You belong to no organization yet"
      action={
        mayCreate && (
          <Link to={'/new' as never} className={buttonClass('primary')}>
            Create an organization
          </Link>
        )
      }
    >
      Workspaces, teams and tokens belong to an organization.{' '}
      {mayCreate ? 'Create the first one, or ask an owner of one to invite you.' : 'Ask an owner of one to invite you.'}
    </Empty>
  )
}
