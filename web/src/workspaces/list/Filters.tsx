import { type ReactNode, useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { Chip, FilterBar, Search } from '../../kit/Filters.tsx'
import { ChoiceField, Form, TextField } from '../../kit/Form.tsx'
import { IconPlus } from '../../kit/icons.ts'
import { Menu } from '../../kit/Menu.tsx'
import { versionProblem } from '../settings/settings.ts'
import type { ListSearch } from './listSearch.ts'

type FiltersProps = {
  readonly organization: string
  readonly search: ListSearch
  readonly change: (next: Partial<ListSearch>) => void
  /** What stands at the end of the row. */
  readonly end?: ReactNode
}

/** The filters that need a value, and how each is asked for. */
const asked = {
  tags: { title: 'Which tag?', label: 'Tag', hint: 'env=prod with its value, core without' },
  without: { title: 'Without which tag?', label: 'Tag', hint: 'A flat tag, or the name before the sign "="' },
  project: { title: 'Which project?', label: 'Project', hint: undefined },
  tool: { title: 'Which tool version?', label: 'Tool version', hint: 'As it was set: ~> 1.9 does not find 1.9.4' },
  since: { title: 'Changed since when?', label: 'Day', hint: 'When its settings last changed' },
} as const

type Asked = keyof typeof asked

/** The search, the filters in force as words, and a menu of others. */
export function Filters({ organization, search, change, end }: FiltersProps) {
  const [opened, setOpened] = useState<Asked>()
  return (
    <FilterBar end={end}>
      <Search
        label="Search by name"
        value={search.search ?? ''}
        change={(text) => change({ search: text || undefined } as Partial<ListSearch>)}
      />
      <Chips organization={organization} search={search} change={change} />
      <Menu
        local
        side="left"
        items={[
          { label: 'Has the tag…', act: () => setOpened('tags') },
          { label: 'Has not the tag…', act: () => setOpened('without') },
          { label: 'Is in the project…', act: () => setOpened('project') },
          { label: 'Is locked', act: () => change({ locked: true }) },
          { label: 'Is not locked', act: () => change({ locked: false }) },
          { label: 'Has the tool version…', act: () => setOpened('tool') },
          { label: 'Settings changed since…', act: () => setOpened('since') },
        ]}
        button={(attributes) => (
          <Button local {...attributes} data-filter>
            <IconPlus size={14} stroke={1.6} aria-hidden="true" />
            Filter
          </Button>
        )}
      />
      {opened && (
        <FilterDialog
          organization={organization}
          name={opened}
          close={() => setOpened(undefined)}
          add={(value) => {
            const list = opened === 'tags' || opened === 'without' ? [...(search[opened] ?? []), value] : value
            change({ [opened]: list })
          }}
        />
      )}
    </FilterBar>
  )
}

function Chips({ organization, search, change }: FiltersProps) {
  const remove = (name: keyof ListSearch, value?: string) => () => {
    const list = search[name]
    const rest = Array.isArray(list) ? list.filter((each) => each !== value) : []
    change({ [name]: rest.length > 0 ? rest : undefined })
  }
  return (
    <>
      {search.tags?.map((tag) => (
        <Chip key={tag} name="Tag is" value={tag} remove={remove('tags', tag)} />
      ))}
      {search.without?.map((tag) => (
        <Chip key={tag} name="Tag is not" value={tag} remove={remove('without', tag)} />
      ))}
      {search.project && <ProjectChip organization={organization} id={search.project} remove={remove('project')} />}
      {search.locked !== undefined && (
        <Chip name="Is" value={search.locked ? 'locked' : 'not locked'} remove={remove('locked')} />
      )}
      {search.tool && <Chip name="Tool version is" value={search.tool} remove={remove('tool')} />}
      {search.since && <Chip name="Changed since" value={search.since} remove={remove('since')} />}
    </>
  )
}

/** The projects of an organization, by name. */
export function useProjects(organization: string): readonly { readonly id: string; readonly name: string }[] {
  const params = { path: { organization }, query: { 'page[size]': 100, sort: 'name' as const } }
  const { data } = useAnswer('projects.list', { params })
  return (data?.data ?? []).map(({ id, attributes }) => ({ id, name: attributes.name ?? id }))
}

function ProjectChip({ organization, id, remove }: { organization: string; id: string; remove: () => void }) {
  const name = useProjects(organization).find((project) => project.id === id)?.name
  return <Chip name="Project is" value={name ?? id} remove={remove} />
}

type FilterDialogProps = {
  readonly organization: string
  readonly name: Asked
  readonly add: (value: string) => void
  readonly close: () => void
}

function FilterDialog({ organization, name, add, close }: FilterDialogProps) {
  const { title, label, hint } = asked[name]
  const projects = useProjects(organization)
  const draft = useDraft({ value: '' })
  const value = draft.values.value.trim() || (name === 'project' ? (projects[0]?.id ?? '') : '')
  const problem = name === 'tool' ? versionProblem(value) : undefined
  const send = async () => {
    draft.discard()
    close()
    add(value)
  }
  return (
    <Dialog title={title} close={close}>
      <Form
        draft={draft}
        send={send}
        action="Filter"
        isNew
        cancel={close}
        reason={problem ?? (value === '' ? 'Nothing is given yet.' : undefined)}
      >
        {name === 'project' ? (
          <ChoiceField
            draft={draft}
            name="value"
            label={label}
            choices={projects.map((each) => [each.id, each.name])}
          />
        ) : (
          <TextField
            draft={draft}
            name="value"
            label={label}
            hint={hint}
            type={name === 'since' ? 'date' : 'text'}
            problem={problem}
            first
          />
        )}
      </Form>
    </Dialog>
  )
}
