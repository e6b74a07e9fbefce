import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button, IconButton } from '../../kit/Button.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { SwitchField, TextField } from '../../kit/Form.tsx'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { IconPlus, IconX } from '../../kit/icons.ts'
import { Section } from '../../kit/Page.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { useAct, useDone } from '../act.ts'

type Header = { readonly name: string; readonly hmac: boolean }

const subjects = ['audit']

/** Request headers that records include. */
export function AuditedHeaders() {
  const [isOpen, setOpen] = useState(false)
  const asked = useAnswer('audit.list-headers', {})
  const act = useAct(subjects)
  const remove = ({ name, hmac }: Header) =>
    act(() => call('audit.delete-header', { params: { path: { header: name } } }), {
      done: `The header ${name} is no longer recorded`,
      failed: `The header ${name} is still recorded`,
      undo: () => call('audit.write-header', { params: { path: { header: name } }, body: { hmac } }),
    })
  return (
    <Section
      title="Audited headers"
      lead="Headers of requests that are written into records. Those that carry secrets never are."
      actions={
        <Button small onClick={() => setOpen(true)}>
          <IconPlus size={15} stroke={1.8} />
          Add header
        </Button>
      }
    >
      <Answer of={asked} failed="The audited headers could not be read">
        {({ data: { headers } }) => (
          <Table
            label="Audited headers"
            columns={columnsOf(remove)}
            rows={Object.entries(headers).map(([name, { hmac }]) => ({ name, hmac }))}
            keyOf={({ name }) => name}
            nothing="No header is recorded."
          />
        )}
      </Answer>
      {isOpen && <AddHeader close={() => setOpen(false)} />}
    </Section>
  )
}

const columnsOf = (remove: (header: Header) => unknown): readonly Column<Header>[] => [
  { title: 'Header', phone: 'name', grow: true, cell: ({ name }) => <code>{name}</code> },
  { title: 'Values', phone: 'status', cell: ({ hmac }) => (hmac ? 'hashed' : 'in clear') },
  {
    title: 'Actions',
    bare: true,
    right: true,
    phone: 'menu',
    cell: (header) => (
      <IconButton label={`Stop recording ${header.name}`} remote onClick={() => remove(header)}>
        <IconX size={16} stroke={1.6} />
      </IconButton>
    ),
  },
]

function AddHeader({ close }: { close: () => void }) {
  const [blank] = useState({ header: '', hmac: true })
  const draft = useDraft(blank)
  const tell = useDone(subjects)
  const header = draft.values.header.trim()
  return (
    <FormDialog
      title="Record a header"
      close={close}
      draft={draft}
      action="Add header"
      effect="In all records from the next request."
      reason={header === '' ? 'Name the header first.' : undefined}
      send={async ({ hmac }) => {
        await call('audit.write-header', { params: { path: { header } }, body: { hmac } })
        await tell({ done: `The header ${header} is recorded` })
      }}
    >
      <TextField draft={draft} name="header" label="Header" placeholder="x-trace-id" first />
      <SwitchField draft={draft} name="hmac" label="Hash its values" />
    </FormDialog>
  )
}
