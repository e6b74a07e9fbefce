import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { useDraft } from '../kit/drafts.ts'
import { FilterBar, Search, Tags } from '../kit/Filters.tsx'
import { ListField, TextField } from '../kit/Form.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { IconPlus } from '../kit/icons.ts'
import { count } from '../kit/numbers.ts'
import { Page } from '../kit/Page.tsx'
import { type Column, Pager, Table } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { idsIn, usePart, useReasons } from './organization.ts'
import type { PeopleSearch } from './search.ts'
import { tagsOf } from './tags.ts'

type Project = Schemas['Project']

const pageSize = 50

/** The projects of an organization. */
export function ProjectsPage() {
  const organization = usePart('organization')
  const { q, page = 1 } = useSearch({ strict: false }) as PeopleSearch
  const navigate = useNavigate()
  const query = {
    'page[size]': pageSize,
    'page[number]': page,
    include: 'effective_tag_bindings',
    ...(q && { q }),
  }
  const asked = useAnswer('projects.list', { params: { path: { organization }, query } }, { keep: true })
  const lead = (search: PeopleSearch) => navigate({ to: '.', search: search as never, replace: true })
  return (
    <Page title="Projects" actions={<NewProjectButton organization={organization} />}>
      <FilterBar>
        <Search label="Search projects" value={q ?? ''} change={(text) => lead(text ? { q: text } : {})} />
      </FilterBar>
      <Answer of={asked} failed="The projects could not be read">
        {(found) => (
          <Table
            label="Projects"
            columns={columnsOf(organization, found.included ?? [])}
            rows={found.data}
            keyOf={({ id }) => id}
            nothing={q ? 'No project has this name.' : 'There are no projects that you see.'}
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
    </Page>
  )
}

type Included = readonly { readonly id: string; readonly attributes?: unknown }[]

const columnsOf = (organization: string, included: Included): readonly Column<Project>[] => {
  const bindings = new Map(included.map(({ id, attributes }) => [id, attributes as { key: string; value?: string }]))
  return [
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
    {
      title: 'Description',
      grow: true,
      phone: 'status',
      cell: ({ attributes }) => <span className="soft">{attributes.description}</span>,
    },
    {
      title: 'Default tags',
      cell: ({ relationships }) => (
        <Tags
          of={idsIn(relationships?.['effective-tag-bindings']).flatMap((id) => {
            const binding = bindings.get(id)
            return binding ? [binding] : []
          })}
        />
      ),
    },
    {
      title: 'Mode',
      cell: ({ attributes }) => <span className="soft">{attributes['default-execution-mode']}</span>,
    },
    { title: 'Teams', right: true, cell: ({ attributes }) => count(attributes['team-count'] ?? 0) },
    {
      title: 'Workspaces',
      right: true,
      phone: 'fact',
      cell: ({ attributes }) => count(attributes['workspace-count'] ?? 0),
    },
    { title: 'Created', right: true, phone: 'time', cell: ({ attributes }) => <Time at={attributes['created-at']} /> },
  ]
}

function NewProjectButton({ organization }: { organization: string }) {
  const [isOpen, setOpen] = useState(false)
  const reason = useReasons(organization)('can-create-project', 'create projects')
  return (
    <>
      <Button kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <IconPlus size={15} stroke={1.8} />
        New project
      </Button>
      {isOpen && <NewProject organization={organization} close={() => setOpen(false)} />}
    </>
  )
}

type Values = { readonly name: string; readonly description: string; readonly tags: readonly string[] }

function NewProject({ organization, close }: { organization: string; close: () => void }) {
  const draft = useDraft<Values>({ name: '', description: '', tags: [] })
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const send = async ({ name, description, tags }: Values) => {
    const relationships = { 'tag-bindings': { data: tagsOf(tags) } }
    const made = await call('projects.create', {
      params: { path: { organization } },
      body: { data: { type: 'projects', attributes: { name, description }, relationships } } as never,
    })
    await refresh(['projects'])
    say.done(`Project ${name} was created`)
    const project = made.data.attributes.name
    navigate({ to: '/$organization/organization/projects/$project', params: { organization, project } } as never)
  }
  return (
    <FormDialog title="New project" close={close} draft={draft} send={send} action="Create project">
      <TextField draft={draft} name="name" label="Name" />
      <TextField draft={draft} name="description" label="What it is for" />
      <ListField
        draft={draft}
        name="tags"
        label="Default tags"
        hint="Its workspaces have them, too; key=value, Enter after each"
      />
    </FormDialog>
  )
}
