import { useState } from 'react'
import { useAnswer, useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { Button, IconButton } from '../../kit/Button.tsx'
import { Copy } from '../../kit/Copy.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { IconPencil, IconTrash } from '../../kit/icons.ts'
import { Note, Section } from '../../kit/Page.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { useWorkspace } from '../workspace.tsx'
import { VariableDialog } from './VariableDialog.tsx'
import type { Variable } from './variable.ts'

/** The variables of a workspace: inputs of the configuration, and the environment of its runs. */
export function VariablesTab() {
  const { id, reasonNot } = useWorkspace()
  const [opened, setOpened] = useState<Variable | 'new'>()
  const reason = reasonNot('can-read-variable')
  const mayNot = reasonNot('can-update-variable')
  const asked = useAnswer('vars.list', { params: { path: { workspaceId: id } } }, { when: reason === undefined })
  if (reason !== undefined) return <Note tone="calm">{reason}</Note>
  const add = (
    <Button kind="primary" small reason={mayNot} onClick={() => setOpened('new')}>
      New variable…
    </Button>
  )
  return (
    <Answer of={asked} failed="The variables could not be read">
      {({ data }) => (
        <>
          {data.length === 0 ? (
            <Empty title="No variables yet" action={add}>
              Variables are the inputs of the configuration and the environment of its runs. A sensitive one is written
              once and never shown again.
            </Empty>
          ) : (
            <>
              <Kind
                title="Inputs"
                of={data.filter(isInput)}
                nothing="No input has a value here."
                edit={setOpened}
                actions={add}
              />
              <Kind
                title="Environment"
                of={data.filter((each) => !isInput(each))}
                nothing="No environment variable is set here."
                edit={setOpened}
              />
            </>
          )}
          {opened && (
            <VariableDialog
              variable={opened === 'new' ? undefined : opened}
              all={data}
              close={() => setOpened(undefined)}
            />
          )}
        </>
      )}
    </Answer>
  )
}

const isInput = ({ attributes }: Variable): boolean => attributes.category !== 'env'

type KindProps = {
  readonly title: string
  readonly of: readonly Variable[]
  readonly nothing: string
  readonly edit: (variable: Variable) => void
  readonly actions?: React.ReactNode
}

function Kind({ title, of, nothing, edit, actions }: KindProps) {
  const rows = [...of].sort((a, b) => (a.attributes.key ?? '').localeCompare(b.attributes.key ?? ''))
  const columns: readonly Column<Variable>[] = [
    {
      title: 'Name',
      phone: 'name',
      cell: ({ attributes }) => (
        <>
          <code>{attributes.key}</code>
          {attributes.hcl && <span className="faint"> HCL</span>}
        </>
      ),
    },
    { title: 'Value', phone: 'status', grow: true, cell: (variable) => <Value of={variable} /> },
    { title: 'What for', cell: ({ attributes }) => <span className="soft">{attributes.description}</span> },
    {
      title: 'Actions',
      bare: true,
      phone: 'time',
      right: true,
      cell: (variable) => <Actions variable={variable} edit={edit} />,
    },
  ]
  return (
    <Section title={title} count={rows.length} actions={actions}>
      <Table label={title} columns={columns} rows={rows} keyOf={({ id }) => id} nothing={nothing} />
    </Section>
  )
}

const Value = ({ of: { attributes } }: { of: Variable }) =>
  attributes.sensitive ? (
    <span className="soft">sensitive, never shown</span>
  ) : (
    <>
      <code>{attributes.value}</code> <Copy text={attributes.value ?? ''} label={`Copy ${attributes.key}`} />
    </>
  )

function Actions({ variable, edit }: { variable: Variable; edit: (variable: Variable) => void }) {
  const { reasonNot } = useWorkspace()
  const remove = useRemove(variable)
  const reason = reasonNot('can-update-variable')
  const { key } = variable.attributes
  return (
    <>
      <IconButton label={`Change ${key}`} remote reason={reason} onClick={() => edit(variable)}>
        <IconPencil size={15} stroke={1.6} />
      </IconButton>
      <IconButton label={`Delete ${key}`} remote reason={reason} onClick={remove}>
        <IconTrash size={15} stroke={1.6} />
      </IconButton>
    </>
  )
}

/** Deletes at once what can be made again; asks before a value is lost that nobody can read. */
function useRemove({ id: variableId, attributes }: Variable): () => Promise<void> {
  const { id, name } = useWorkspace()
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const subjects = ['vars', 'workspaces', 'workspace-changes']
  const { key = '', value, category, hcl, sensitive, description } = attributes
  const restore = async () => {
    const again = { key, value: value ?? '', category: category as 'env', hcl, description }
    try {
      await call('vars.create', {
        params: { path: { workspaceId: id } },
        body: { data: { type: 'vars', attributes: again } },
      })
    } catch (error) {
      say.failed(`${key} was not made again`, error)
    }
    await refresh(subjects)
  }
  return async () => {
    const text = `Its value is lost: it is sensitive, so nobody can read it before. Runs of ${name} that need it fail until it is set again.`
    if (sensitive && !(await confirm({ title: `Delete ${key}?`, text, action: `Delete ${key}` })).yes) return
    try {
      await call('vars.delete', { params: { path: { workspaceId: id, variableId } } })
      say.done(`${key} is deleted`, sensitive ? {} : { undo: restore })
    } catch (error) {
      say.failed(`${key} was not deleted`, error)
    }
    await refresh(subjects)
  }
}
