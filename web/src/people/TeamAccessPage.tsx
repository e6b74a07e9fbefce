import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../api/answers.ts'
import type { Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { counted } from '../kit/numbers.ts'
import { type Column, Table } from '../kit/Table.tsx'
import { AccessDialog } from './AccessDialog.tsx'
import { type Access, inForce } from './access.ts'
import { LevelOf } from './LevelOf.tsx'
import { unless, usePart } from './organization.ts'
import { TeamFrame } from './TeamFrame.tsx'
import { useAccess } from './useAccess.ts'

type Team = Schemas['Team']

/** What a team may do in each project. */
export const TeamAccessPage = () => <TeamFrame>{(team) => <ProjectsOfTeam team={team} />}</TeamFrame>

type Project = Schemas['Project']

type Shown = {
  readonly organization: string
  readonly team: Team
  readonly givenIn: (project: Project) => Access | undefined
  readonly change: (project: Project) => void
}

const columnsOf = ({ organization, team, givenIn, change }: Shown): readonly Column<Project>[] => [
  {
    title: 'Project',
    phone: 'name',
    cell: ({ attributes }) => (
      <Link
        to={'/$organization/organization/projects/$project' as never}
        params={{ organization, project: attributes.name } as never}
      >
        {attributes.name}
      </Link>
    ),
  },
  { title: 'Workspaces', right: true, cell: ({ attributes }) => attributes['workspace-count'] },
  {
    title: 'Access',
    phone: 'status',
    cell: (project) => <LevelOf {...inForce(team, givenIn(project))} />,
  },
  {
    title: 'Description',
    grow: true,
    cell: ({ attributes }) => <span className="soft">{attributes.description}</span>,
  },
  {
    title: 'Change',
    right: true,
    phone: 'fact',
    cell: (project) => (
      <Button
        small
        reason={
          team.attributes.name === 'owners'
            ? 'Owners always have all rights.'
            : unless(
                project.attributes.permissions?.['can-manage-teams'],
                `change who has access to ${project.attributes.name}`,
              )
        }
        onClick={() => change(project)}
      >
        Change…
      </Button>
    ),
  },
]

function ProjectsOfTeam({ team }: { team: Team }) {
  const organization = usePart('organization')
  const [changed, setChanged] = useState<{ project: Project; given: Access | undefined }>()
  const asked = useAnswer('projects.list', { params: { path: { organization }, query: { 'page[size]': 100 } } })
  const table = useAccess(
    'project',
    (asked.data?.data ?? []).map(({ id }) => id),
  )
  const name = team.attributes.name ?? ''
  const givenIn = ({ id }: Project) => table.get(id)?.get(team.id)
  return (
    <Answer of={asked} failed="The projects could not be read">
      {({ data, meta }) => (
        <>
          <Table
            label={`Access of ${name}`}
            columns={columnsOf({
              organization,
              team,
              givenIn,
              change: (project) => setChanged({ project, given: givenIn(project) }),
            })}
            rows={data}
            keyOf={({ id }) => id}
            nothing="There are no projects that you see."
            foot={
              <span>
                {counted(meta.pagination['total-count'], 'project')}; grey comes with a right of the whole organization
              </span>
            }
          />
          {changed && (
            <AccessDialog
              kind="project"
              team={{ id: team.id, name }}
              on={{ id: changed.project.id, name: changed.project.attributes.name ?? '' }}
              given={changed.given}
              close={() => setChanged(undefined)}
            />
          )}
        </>
      )}
    </Answer>
  )
}
