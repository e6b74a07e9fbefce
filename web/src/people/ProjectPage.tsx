import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { useDraft } from '../kit/drafts.ts'
import { FilterBar, Search } from '../kit/Filters.tsx'
import { ChoiceField } from '../kit/Form.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { counted } from '../kit/numbers.ts'
import { Columns, Section } from '../kit/Page.tsx'
import { type Column, Pager, Table } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { inForce } from './access.ts'
import { LevelOf } from './LevelOf.tsx'
import { unless, usePart, useTeams } from './organization.ts'
import { ProjectFrame } from './ProjectFrame.tsx'
import type { PeopleSearch } from './search.ts'
import { useAccess } from './useAccess.ts'

type Project = Schemas['Project']
type Workspace = Schemas['Workspace']

const pageSize = 50

/** The workspaces of a project, and the teams that have access to them. */
export const ProjectPage = () => (
  <ProjectFrame>
    {(project) => (
      <Columns aside={<TeamsOf project={project} />}>
        <Workspaces key={project.id} project={project} />
      </Columns>
    )}
  </ProjectFrame>
)

function Workspaces({ project }: { project: Project }) {
  const organization = usePart('organization')
  const { q, page = 1 } = useSearch({ strict: false }) as PeopleSearch
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [moves, setMoves] = useState(false)
  const query = {
    'page[size]': pageSize,
    'page[number]': page,
    'filter[project][id]': project.id,
    ...(q && { 'search[name]': q }),
  }
  const asked = useAnswer('workspaces.list', { params: { path: { organization }, query } }, { keep: true })
  const lead = (search: PeopleSearch) => navigate({ to: '.', search: search as never, replace: true })
  const reason = unless(project.attributes.permissions?.['can-move-workspace'], 'move workspaces out of this project')
  return (
    <>
      <FilterBar>
        <Search label="Search workspaces" value={q ?? ''} change={(text) => lead(text ? { q: text } : {})} />
      </FilterBar>
      <Answer of={asked} failed="The workspaces could not be read">
        {(found) => (
          <Table
            label={`Workspaces of ${project.attributes.name}`}
            columns={columnsOf(organization)}
            rows={found.data}
            keyOf={({ id }) => id}
            selection={{
              chosen,
              change: setChosen,
              actions: (
                <Button small reason={reason} onClick={() => setMoves(true)}>
                  Move to another project…
                </Button>
              ),
            }}
            nothing={q ? 'Nothing matches.' : 'No workspace is in this project.'}
            foot={
              <Pager
                page={page}
                pageSize={pageSize}
                shown={found.data.length}
                total={found.meta.pagination['total-count']}
                change={(next) => lead({ ...(q && { q }), page: next })}
              />
            }
          />
        )}
      </Answer>
      {moves && (
        <Move project={project} ids={[...chosen]} close={() => setMoves(false)} done={() => setChosen(new Set())} />
      )}
    </>
  )
}

const columnsOf = (organization: string): readonly Column<Workspace>[] => [
  {
    title: 'Workspace',
    phone: 'name',
    grow: true,
    cell: ({ attributes }) => (
      <Link to={'/$organization/workspaces/$name' as never} params={{ organization, name: attributes.name } as never}>
        {attributes.name}
      </Link>
    ),
  },
  {
    title: 'Mode',
    phone: 'status',
    cell: ({ attributes }) => <span className="soft">{attributes['execution-mode']}</span>,
  },
  {
    title: 'Changed',
    right: true,
    phone: 'time',
    cell: ({ attributes }) => <Time at={attributes['latest-change-at']} />,
  },
]

type MoveProps = {
  readonly project: Project
  readonly ids: readonly string[]
  readonly close: () => void
  readonly done: () => void
}

const move = async (projectId: string, ids: readonly string[]): Promise<void> => {
  const data = ids.map((id) => ({ type: 'workspaces' as const, id }))
  await call('projects.move-workspaces', { params: { path: { projectId } }, body: { data } })
}

function Move({ project, ids, close, done }: MoveProps) {
  const organization = usePart('organization')
  const draft = useDraft({ project: '' })
  const say = useToasts()
  const refresh = useRefresh()
  const { data } = useAnswer('projects.list', { params: { path: { organization }, query: { 'page[size]': 100 } } })
  const others = (data?.data ?? []).filter(({ id }) => id !== project.id)
  const send = async ({ project: to }: { project: string }) => {
    await move(to, ids)
    await refresh(['projects', 'workspaces'])
    done()
    const name = others.find(({ id }) => id === to)?.attributes.name
    say.done(`${counted(ids.length, 'workspace')} moved to ${name}`, {
      undo: async () => {
        await move(project.id, ids)
        await refresh(['projects', 'workspaces'])
      },
    })
  }
  return (
    <FormDialog
      title={`Move ${counted(ids.length, 'workspace')}?`}
      close={close}
      draft={draft}
      send={send}
      action="Move"
      reason={draft.values.project === '' ? 'Choose the project first.' : undefined}
    >
      <ChoiceField
        draft={draft}
        name="project"
        label="To project"
        hint="Access and default tags then come from there; state, locks and history stay."
        choices={[['', 'Choose…'], ...others.map(({ id, attributes }) => [id, attributes.name ?? id] as const)]}
      />
    </FormDialog>
  )
}

/** Who can do what in it. */
function TeamsOf({ project }: { project: Project }) {
  const organization = usePart('organization')
  const teams = useTeams(organization)
  const table = useAccess('project', [project.id])
  const found = (teams.data?.data ?? []).flatMap((team) => {
    const { access, inherited } = inForce(team, table.get(project.id)?.get(team.id))
    return access ? [{ team, access, inherited }] : []
  })
  return (
    <Section title="Who can do what" count={found.length}>
      <Table
        label="Teams with access"
        columns={[
          {
            title: 'Team',
            phone: 'name',
            grow: true,
            cell: ({ team }) => (
              <Link
                to={'/$organization/organization/access' as never}
                params={{ organization } as never}
                search={{ q: project.attributes.name, team: team.attributes.name, on: project.id } as never}
              >
                {team.attributes.name}
              </Link>
            ),
          },
          {
            title: 'Access',
            phone: 'fact',
            cell: ({ access, inherited }) => <LevelOf access={access} inherited={inherited} />,
          },
        ]}
        rows={found}
        keyOf={({ team }) => team.id}
        nothing="No team has access."
      />
    </Section>
  )
}
