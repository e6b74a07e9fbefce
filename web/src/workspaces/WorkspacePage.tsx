import { Link, Navigate, Outlet, useParams } from '@tanstack/react-router'
import { useAnswer } from '../api/answers.ts'
import { isMissing } from '../api/client.ts'
import { Answer, Empty } from '../kit/Answer.tsx'
import { buttonClass } from '../kit/Button.tsx'
import { count } from '../kit/numbers.ts'
import { Page, type Tab } from '../kit/Page.tsx'
import { Time } from '../kit/Time.tsx'
import { LockActions } from './lock/LockActions.tsx'
import { LockPill } from './lock/LockPill.tsx'
import { nameIn, targetOf } from './names.ts'
import { type OpenWorkspace, openWorkspace, WorkspaceProvider } from './workspace.tsx'

/** What the pages of a workspace show besides its own document. */
const include = 'project,locked_by,effective_tag_bindings,outputs,current_state_version,agent_pool' as const

/** What is around all pages of a workspace: its name, its lock, and the ways to them. */
export function WorkspacePage() {
  const { organization = '', name = '' } = useParams({ strict: false }) as { organization?: string; name?: string }
  const asked = useAnswer('workspaces.show-by-name', { params: { path: { organization, name }, query: { include } } })
  if (isMissing(asked.error)) return <NoSuchWorkspace organization={organization} name={name} />
  return (
    <Answer of={asked} failed={`${name} could not be read`}>
      {(answer) => {
        const workspace = openWorkspace(organization, answer)
        // A former name leads to the present one.
        if (workspace.name !== name)
          return <Navigate to={'.' as never} params={{ organization, name: workspace.name } as never} replace />
        return (
          <WorkspaceProvider workspace={workspace}>
            <Page
              title={name}
              beside={<LockPill />}
              facts={<FactsLine workspace={workspace} />}
              actions={<LockActions />}
              tabs={tabsOf(workspace)}
            >
              <Outlet />
            </Page>
          </WorkspaceProvider>
        )
      }}
    </Answer>
  )
}

const FactsLine = ({ workspace: { organization, attributes, relationships, names } }: { workspace: OpenWorkspace }) => (
  <>
    {nameIn(names, relationships.project) !== '' && (
      <span>
        in{' '}
        <Link
          to={'/$organization/workspaces' as never}
          params={{ organization } as never}
          search={{ project: targetOf(relationships.project)?.id } as never}
        >
          {nameIn(names, relationships.project)}
        </Link>
      </span>
    )}
    <span>{count(attributes['resource-count'] ?? 0)} resources</span>
    <span>
      state changed <Time at={attributes['latest-change-at']} />
    </span>
    {attributes.contact && <span>ask {attributes.contact}</span>}
  </>
)

const tabs = [
  ['Overview', ''],
  ['State', '/state'],
  ['Resources', '/resources'],
  ['Variables', '/variables'],
  ['Access', '/access'],
  ['History', '/history'],
  ['Settings', '/settings'],
] as const

const tabsOf = ({ organization, name, attributes, relationships }: OpenWorkspace): readonly Tab[] => {
  const vars = (relationships.vars as { data?: readonly unknown[] } | undefined)?.data
  const counts: Readonly<Record<string, number | undefined>> = {
    Resources: attributes['resource-count'],
    Variables: vars?.length,
  }
  return tabs.map(([label, below]) => ({
    label,
    count: counts[label],
    link: { to: `/$organization/workspaces/$name${below}`, params: { organization, name } } as Tab['link'],
  }))
}

const NoSuchWorkspace = ({ organization, name }: { organization: string; name: string }) => (
  <Page title={name}>
    <Empty
      title="There is no such workspace"
      action={
        <Link
          to={'/$organization/workspaces' as never}
          params={{ organization } as never}
          className={buttonClass('primary')}
        >
          Show the workspaces of {organization}
        </Link>
      }
    >
      It was deleted or renamed, or you may not see it. Whoever manages {organization} can tell.
    </Empty>
  </Page>
)
