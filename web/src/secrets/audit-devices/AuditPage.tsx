import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { Button, IconButton } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { type Draft, useDraft } from '../../kit/drafts.ts'
import { ChoiceField, Pair, SwitchField, TextField } from '../../kit/Form.tsx'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { IconDotsVertical, IconPlus } from '../../kit/icons.ts'
import { Menu } from '../../kit/Menu.tsx'
import { counted } from '../../kit/numbers.ts'
import { Page, Section } from '../../kit/Page.tsx'
import { Status } from '../../kit/Status.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { useAct, useDone, warningsIn } from '../act.ts'
import { AuditedHeaders } from './AuditedHeaders.tsx'

type Device = Schemas['AuditDevice']

const subjects = ['audit']

/** Where the record of every request goes. */
export function AuditPage() {
  const [isOpen, setOpen] = useState(false)
  const add = (
    <Button kind="primary" onClick={() => setOpen(true)}>
      <IconPlus size={15} stroke={1.8} />
      Enable a device
    </Button>
  )
  return (
    <Page title="Audit" actions={add}>
      <Devices add={add} />
      <AuditedHeaders />
      {isOpen && <EnableDevice close={() => setOpen(false)} />}
    </Page>
  )
}

function Devices({ add }: { add: React.ReactNode }) {
  const asked = useAnswer('audit.list', {}, { every: 15_000 })
  const disable = useDisable(Object.keys(asked.data?.data ?? {}).length)
  return (
    <Answer of={asked} failed="The audit devices could not be read">
      {({ data }) => {
        const devices = Object.values(data)
        return devices.length === 0 ? (
          <Empty
            title="Nothing is recorded yet"
            action={add}
            command="holdfast audit enable file file_path=/var/log/holdfast/audit.log"
          >
            An audit device gets the record of every request and its answer, with secrets hashed. Once there is one, a
            request that none can record is refused.
          </Empty>
        ) : (
          <Section
            title="Devices"
            count={devices.length}
            lead="Each gets the record of every request. One of them has to take it, or the request is refused."
          >
            <Table
              label="Audit devices"
              columns={columnsOf(disable)}
              rows={devices}
              keyOf={({ path }) => path}
              foot={counted(devices.length, 'device')}
            />
          </Section>
        )
      }}
    </Answer>
  )
}

function useDisable(total: number) {
  const confirm = useConfirm()
  const act = useAct(subjects)
  return async ({ path }: Device) => {
    const { yes } = await confirm({
      title: `Disable ${path}?`,
      text:
        total > 1
          ? `${counted(total - 1, 'other device')} still gets every record. What was written stays where it is.`
          : 'It is the only device: from then on, nothing is recorded. What was written stays where it is.',
      action: 'Disable device',
      ...(total > 1 ? {} : { typed: path }),
    })
    if (!yes) return
    await act(() => call('audit.disable', { params: { path: { path: path.replace(/\/$/, '') } } }), {
      done: `${path} is disabled`,
      failed: `${path} was not disabled`,
    })
  }
}

const targetOf = ({ options }: Device): string => options.file_path ?? options.address ?? ''

const columnsOf = (disable: (device: Device) => unknown): readonly Column<Device>[] => [
  { title: 'Name', phone: 'name', cell: ({ path }) => <span className="strong">{path}</span> },
  {
    title: 'State',
    phone: 'status',
    cell: ({ failing }) =>
      failing ? (
        <Status shape="failed" term="It did not take the last record on this node; it is tried again with the next.">
          Takes nothing
        </Status>
      ) : (
        <Status shape="done" term="It took the last record on the node that answers">
          Records
        </Status>
      ),
  },
  { title: 'Type', phone: 'fact', cell: ({ type }) => type },
  { title: 'Writes to', grow: true, cell: (device) => <code>{targetOf(device)}</code> },
  { title: 'For', cell: ({ description }) => <span className="soft">{description}</span> },
  {
    title: 'Options',
    cell: ({ options }) => (
      <span className="soft">
        {Object.entries(options)
          .filter(([name]) => name !== 'file_path' && name !== 'address')
          .map(([name, value]) => `${name}=${value}`)
          .join(', ')}
      </span>
    ),
  },
  {
    title: 'Actions',
    bare: true,
    right: true,
    phone: 'menu',
    cell: (device) => (
      <Menu
        items={[{ label: 'Disable…', danger: true, act: () => disable(device) }]}
        button={(attributes) => (
          <IconButton label={`Actions for ${device.path}`} {...attributes}>
            <IconDotsVertical size={16} stroke={1.6} />
          </IconButton>
        )}
      />
    ),
  },
]

const first = {
  path: '',
  type: 'file',
  file_path: '',
  address: '',
  socket_type: 'tcp',
  description: '',
  log_raw: false,
  hmac_accessor: true,
  elide_list_responses: false,
}

const optionsOf = ({ type, file_path, address, socket_type, ...rest }: typeof first): Record<string, string> => ({
  ...(type === 'file' ? { file_path: file_path.trim() } : { address: address.trim(), socket_type }),
  ...(rest.log_raw && { log_raw: 'true' }),
  ...(!rest.hmac_accessor && { hmac_accessor: 'false' }),
  ...(rest.elide_list_responses && { elide_list_responses: 'true' }),
})

/** Where it writes to. */
const Target = ({ draft }: { draft: Draft<typeof first> }) =>
  draft.values.type === 'file' ? (
    <TextField
      draft={draft}
      name="file_path"
      label="File"
      hint="On each node; stdout writes to the output of the server."
      placeholder="/var/log/holdfast/audit.log"
      first
    />
  ) : (
    <Pair>
      <TextField draft={draft} name="address" label="Address" hint="Host and port, or the file of a Unix socket." />
      <ChoiceField
        draft={draft}
        name="socket_type"
        label="Kind"
        choices={[
          ['tcp', 'TCP'],
          ['udp', 'UDP'],
          ['unix', 'Unix'],
        ]}
      />
    </Pair>
  )

/** Enables a device; the server tries it with a first record before it is kept. */
function EnableDevice({ close }: { close: () => void }) {
  const [blank] = useState(first)
  const draft = useDraft(blank)
  const tell = useDone(subjects)
  const { type, file_path, address, log_raw } = draft.values
  const path = draft.values.path.trim() || type
  const isReady = (type === 'file' ? file_path : address).trim() !== ''
  return (
    <FormDialog
      title="Enable an audit device"
      close={close}
      draft={draft}
      width={620}
      action="Try and enable"
      effect="It has to take a first record; otherwise nothing changes."
      reason={isReady ? undefined : 'Say first where it writes to.'}
      send={async (values) => {
        const body = { type, description: values.description, options: optionsOf(values) }
        const answer = await call('audit.enable', { params: { path: { path } }, body })
        await tell({ done: `${path}/ records from now on`, text: warningsIn(answer) })
      }}
    >
      <Pair>
        <ChoiceField
          draft={draft}
          name="type"
          label="Type"
          choices={[
            ['file', 'File'],
            ['socket', 'Socket'],
          ]}
        />
        <TextField draft={draft} name="path" label="Name" placeholder={type} />
      </Pair>
      <Target draft={draft} />
      <TextField draft={draft} name="description" label="For" />
      <SwitchField
        draft={draft}
        name="hmac_accessor"
        label="Hash accessors"
        hint="Without it, records name tokens in clear, so that they can be looked up."
      />
      <SwitchField
        draft={draft}
        name="elide_list_responses"
        label="Leave out the entries of lists"
        hint="Their number is recorded instead."
      />
      <SwitchField
        draft={draft}
        name="log_raw"
        label="Record secrets in clear"
        hint={log_raw ? 'On: whoever reads the records reads all secrets.' : 'Off: secrets are hashed.'}
      />
    </FormDialog>
  )
}
