import type { ReactNode } from 'react'
import { useAnswer } from '../api/answers.ts'
import type { Schemas } from '../api/client.ts'
import { Answer, Empty } from '../kit/Answer.tsx'
import { Id } from '../kit/Copy.tsx'
import { counted } from '../kit/numbers.ts'
import { Page, type Tab } from '../kit/Page.tsx'
import { usePart } from './organization.ts'

type Project = Schemas['Project']

/** The project whose name the address has. */
export function useProject() {
  const organization = usePart('organization')
  const name = usePart('project')
  const asked = useAnswer('projects.list', { params: { path: { organization }, query: { 'filter[names]': name } } })
  return { organization, name, asked, project: asked.data?.data[0] }
}

type ProjectFrameProps = {
  readonly actions?: (project: Project) => ReactNode
  readonly children: (project: Project) => ReactNode
}

/** What all faces of a project have. */
export function ProjectFrame({ actions, children }: ProjectFrameProps) {
  const { organization, name, asked, project } = useProject()
  return (
    <Page
      title={name}
      facts={
        project && (
          <>
            {project.attributes.description && <span>{project.attributes.description}</span>}
            <span>{counted(project.attributes['team-count'] ?? 0, 'team')} with access</span>
            <Id id={project.id} />
          </>
        )
      }
      tabs={tabsOf(organization, name, project?.attributes['workspace-count'])}
      actions={project && actions?.(project)}
    >
      <Answer of={asked} failed="The project could not be read">
        {({ data: [found] }) =>
          found ? (
            children(found)
          ) : (
            <Empty title="There is no such project">It may have been removed or renamed, or you may not see it.</Empty>
          )
        }
      </Answer>
    </Page>
  )
}

const at = '/$organization/organization/projects/$project'

const tabsOf = (organization: string, project: string, workspaces?: number): readonly Tab[] =>
  [
    { label: 'Workspaces', to: at, count: workspaces },
    { label: 'Settings', to: `${at}/settings` },
  ].map(({ label, to, count }) => ({ label, count, link: { to, params: { organization, project } } as Tab['link'] }))
