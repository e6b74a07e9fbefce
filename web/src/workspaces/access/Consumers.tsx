import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button, IconButton } from '../../kit/Button.tsx'
import { IconTrash } from '../../kit/icons.ts'
import { Note, Section } from '../../kit/Page.tsx'
import { Table } from '../../kit/Table.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { useWorkspace } from '../workspace.tsx'
import { ConsumerDialog } from './ConsumerDialog.tsx'

const subjects = ['remote-state-consumers', 'workspace-changes']

const listed = (id: string) => ({ data: [{ type: 'workspaces' as const, id }] })

/** The workspaces whose runs may read the state of this one. */
export function Consumers() {
  const { organization, id, attributes, reasonNot } = useWorkspace()
  const [isOpen, setOpen] = useState(false)
  const params = { path: { workspaceId: id } }
  const asked = useAnswer('remote-state-consumers.list', { params: { ...params, query: { 'page[size]': 100 } } })
  const isShared = attributes['global-remote-state'] || attributes['project-remote-state']
  const remove = useRemove()
  const reason = reasonNot('can-update')
  return (
    <Section
      title="Who reads its state"
      count={asked.data?.meta.pagination['total-count']}
      lead="Configurations of these workspaces can use its outputs."
      actions={
        <Button small reason={reason} onClick={() => setOpen(true)}>
          Add a workspace…
        </Button>
      }
    >
      {isShared && (
        <Note tone="calm">
          {attributes['global-remote-state'] ? `All workspaces of ${organization}` : 'All workspaces of its project'}{' '}
          read it, by its settings.
        </Note>
      )}
      <Answer of={asked} failed="The workspaces that read its state could not be read">
        {({ data }) => (
          <Table
            label="Workspaces that read its state"
            rows={data}
            keyOf={(consumer) => consumer.id}
            nothing={isShared ? 'None is named besides.' : 'No other workspace reads it.'}
            columns={[
              {
                title: 'Workspace',
                phone: 'name',
                grow: true,
                cell: (consumer) => (
                  <Link
                    to={'/$organization/workspaces/$name' as never}
                    params={{ organization, name: consumer.attributes.name } as never}
                  >
                    {consumer.attributes.name}
                  </Link>
                ),
              },
              {
                title: 'Actions',
                bare: true,
                right: true,
                phone: 'time',
                cell: (consumer) => (
                  <IconButton
                    label={`Remove ${consumer.attributes.name}`}
                    remote
                    reason={reason}
                    onClick={() => remove(consumer.id, consumer.attributes.name ?? '')}
                  >
                    <IconTrash size={15} stroke={1.6} />
                  </IconButton>
                ),
              },
            ]}
          />
        )}
      </Answer>
      {isOpen && <ConsumerDialog known={asked.data?.data.map((each) => each.id) ?? []} close={() => setOpen(false)} />}
    </Section>
  )
}

/** Takes the right to read the state from a workspace; undone, it has it again. */
function useRemove(): (consumer: string, title: string) => Promise<void> {
  const { id, name } = useWorkspace()
  const say = useToasts()
  const refresh = useRefresh()
  const params = { path: { workspaceId: id } }
  const change = async (verb: 'add' | 'remove', consumer: string, done: () => void) => {
    try {
      await call(`remote-state-consumers.${verb}`, { params, body: listed(consumer) })
      done()
    } catch (error) {
      say.failed('Nothing was changed', error)
    }
    await refresh(subjects)
  }
  return (consumer, title) =>
    change('remove', consumer, () =>
      say.done(`${title} cannot read the state of ${name} any more`, {
        undo: () => change('add', consumer, () => undefined),
      }),
    )
}
