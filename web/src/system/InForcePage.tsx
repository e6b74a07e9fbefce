import { useState } from 'react'
import { useAnswer } from '../api/answers.ts'
import type { Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { FilterBar, Search } from '../kit/Filters.tsx'
import { counted } from '../kit/numbers.ts'
import { Page } from '../kit/Page.tsx'
import { Segments } from '../kit/Segments.tsx'
import { type Column, Table } from '../kit/Table.tsx'
import { systemTabs } from './systemTabs.ts'

type Setting = Schemas['Setting']

/** The settings of the node that answers: their values in force, and where each was set. */
export function InForcePage() {
  const asked = useAnswer('settings.list', { params: { query: { 'page[size]': 100 } } })
  const further = useAnswer(
    'settings.list',
    { params: { query: { 'page[size]': 100, 'page[number]': 2 } } },
    { when: (asked.data?.meta.pagination['total-count'] ?? 0) > 100 },
  )
  const [text, setText] = useState('')
  const [which, setWhich] = useState<'all' | 'set'>('all')
  const matches = ({ attributes: { key = '', source } }: Setting) =>
    key.includes(text.toLowerCase()) && (which === 'all' || source !== 'default')
  return (
    <Page
      title="System"
      tabs={systemTabs}
      facts={
        <span>Of the node that has answered. They are set where it is started, and hold from its next start.</span>
      }
    >
      <FilterBar>
        <Search label="Search by name" value={text} change={setText} />
        <Segments
          label="Which settings"
          choices={[
            ['all', 'All'],
            ['set', 'Set by somebody'],
          ]}
          value={which}
          change={setWhich}
        />
      </FilterBar>
      <Answer of={asked} failed="The settings could not be read">
        {({ data }) => {
          const rows = [...data, ...(further.data?.data ?? [])].filter(matches)
          return (
            <Table
              label="Settings"
              columns={columns}
              rows={rows}
              keyOf={({ id }) => id}
              nothing="No setting matches."
              foot={counted(rows.length, 'setting')}
            />
          )
        }}
      </Answer>
    </Page>
  )
}

const columns: readonly Column<Setting>[] = [
  { title: 'Name', phone: 'name', cell: ({ attributes }) => <code>{attributes.key}</code> },
  { title: 'Value', grow: true, phone: 'status', cell: ({ attributes }) => <code>{attributes.value}</code> },
  {
    title: 'Set by',
    phone: 'fact',
    cell: ({ attributes: { source } }) =>
      source === 'default' ? <span className="faint">default</span> : <code>{source}</code>,
  },
]
