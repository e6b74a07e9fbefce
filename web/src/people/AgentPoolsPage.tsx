import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Answer, Empty } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { useDraft } from '../kit/drafts.ts'
import { SwitchField, TextField } from '../kit/Form.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { IconPlus } from '../kit/icons.ts'
import { counted } from '../kit/numbers.ts'
import { Page } from '../kit/Page.tsx'
import { type Column, Table } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { idsIn, usePart, useReasons } from './organization.ts'

type Pool = Schemas['AgentPool']

/** The agent pools of an organization. */
export function AgentPoolsPage() {
  const organization = usePart('organization')
  const asked = useAnswer('agent-pools.list', { params: { path: { organization }, query: { 'page[size]': 100 } } })
  return (
    <Page title="Agent pools" actions={<NewPoolButton organization={organization} />}>
      <Answer of={asked} failed="The agent pools could not be read">
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty title="No agent pools yet">
              Agents carry out the work of workspaces in agent mode, in a network that only they reach. A pool is a
              group of agents with its own tokens.
            </Empty>
          ) : (
            <Table
              label="Agent pools"
              columns={columnsOf(organization)}
              rows={data}
              keyOf={({ id }) => id}
              foot={<span>{counted(meta.pagination['total-count'], 'pool')}</span>}
            />
          )
        }
      </Answer>
    </Page>
  )
}

const columnsOf = (organization: string): readonly Column<Pool>[] => [
  {
    title: 'Pool',
    phone: 'name',
    grow: true,
    cell: ({ attributes }) => (
      <Link
        to={'/$organization/organization/agents/$pool' as never}
        params={{ organization, pool: attributes.name } as never}
      >
        {attributes.name}
      </Link>
    ),
  },
  {
    title: 'Used by',
    phone: 'status',
    cell: ({ attributes, relationships }) => (
      <span className="soft">
        {attributes['organization-scoped']
          ? 'every workspace'
          : `${counted(idsIn(relationships?.['allowed-projects']).length, 'project')}, ${counted(idsIn(relationships?.['allowed-workspaces']).length, 'workspace')}`}
      </span>
    ),
  },
  { title: 'Agents', right: true, phone: 'fact', cell: ({ attributes }) => attributes['agent-count'] ?? 0 },
  { title: 'Created', right: true, phone: 'time', cell: ({ attributes }) => <Time at={attributes['created-at']} /> },
]

function NewPoolButton({ organization }: { organization: string }) {
  const [isOpen, setOpen] = useState(false)
  const reason = useReasons(organization)('can-update-agent-pools', 'create agent pools')
  return (
    <>
      <Button kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <IconPlus size={15} stroke={1.8} />
        New pool
      </Button>
      {isOpen && <NewPool organization={organization} close={() => setOpen(false)} />}
    </>
  )
}

function NewPool({ organization, close }: { organization: string; close: () => void }) {
  const draft = useDraft({ name: '', isForAll: true })
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const send = async ({ name, isForAll }: { name: string; isForAll: boolean }) => {
    const attributes = { name, 'organization-scoped': isForAll }
    const made = await call('agent-pools.create', {
      params: { path: { organization } },
      body: { data: { type: 'agent-pools', attributes } } as never,
    })
    await refresh(['agent-pools'])
    say.done(`Agent pool ${name} was created`, { text: 'Make a token for its agents.' })
    const pool = made.data.attributes.name
    navigate({ to: '/$organization/organization/agents/$pool', params: { organization, pool } } as never)
  }
  return (
    <FormDialog title="New agent pool" close={close} draft={draft} send={send} action="Create pool">
      <TextField draft={draft} name="name" label="Name" />
      <SwitchField
        draft={draft}
        name="isForAll"
        label="Every workspace may use it"
        hint="Otherwise choose projects and workspaces on its page."
      />
    </FormDialog>
  )
}
