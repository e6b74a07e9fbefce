import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { Button, IconButton } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { AreaField, ChoiceField, TextField } from '../../kit/Form.tsx'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { IconDotsVertical, IconPlus } from '../../kit/icons.ts'
import { Menu } from '../../kit/Menu.tsx'
import { counted } from '../../kit/numbers.ts'
import { Section } from '../../kit/Page.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { useAct, useDone } from '../act.ts'
import { linesOf, pairsOf } from '../searches.ts'

type Entity = Schemas['Entity']
type Alias = Schemas['EntityAlias']

/** The names with which an entity logs in. */
export function Aliases({ entity }: { entity: Entity }) {
  const [edited, setEdited] = useState<Alias | 'new'>()
  const act = useAct(['identity'])
  const confirm = useConfirm()
  const remove = async ({ id, name, mount_path, mount_accessor, custom_metadata }: Alias) => {
    const { yes } = await confirm({
      title: `Delete alias ${name}?`,
      text: `Tokens of ${entity.name} stay. The next login as ${name} at ${mount_path} creates a new entity, without the policies of this one.`,
      action: 'Delete alias',
    })
    if (!yes) return
    await act(() => call('identity.delete-alias', { params: { path: { id } } }), {
      done: `Alias ${name} deleted`,
      failed: `Alias ${name} was not deleted`,
      undo: () =>
        call('identity.write-alias', { body: { name, mount_accessor, canonical_id: entity.id, custom_metadata } }),
    })
  }
  return (
    <Section
      title="Aliases"
      count={entity.aliases.length}
      lead="Each is a name at one auth method; who logs in with it acts as this entity."
      actions={
        <Button small onClick={() => setEdited('new')}>
          <IconPlus size={15} stroke={1.8} />
          Add alias
        </Button>
      }
    >
      <Table
        label="Aliases"
        columns={columnsOf(setEdited, remove)}
        rows={entity.aliases}
        keyOf={({ id }) => id}
        nothing="It has none, so nobody logs in as it."
        foot={counted(entity.aliases.length, 'alias', 'aliases')}
      />
      {edited !== undefined && <AliasDialog entity={entity} alias={edited} close={() => setEdited(undefined)} />}
    </Section>
  )
}

const columnsOf = (edit: (alias: Alias) => void, remove: (alias: Alias) => unknown): readonly Column<Alias>[] => [
  { title: 'Name', phone: 'name', grow: true, cell: ({ name }) => <span className="strong">{name}</span> },
  { title: 'At', phone: 'status', cell: ({ mount_path }) => <code>{mount_path}</code> },
  {
    title: 'Metadata',
    phone: 'fact',
    cell: ({ metadata, custom_metadata }) => (
      <span className="soft">{linesOf({ ...metadata, ...custom_metadata }).replaceAll('\n', ', ')}</span>
    ),
  },
  { title: 'Changed', right: true, phone: 'time', cell: (alias) => <Time at={alias.last_update_time} /> },
  {
    title: 'Actions',
    bare: true,
    right: true,
    phone: 'menu',
    cell: (alias) => (
      <Menu
        items={[
          { label: 'Edit…', act: () => edit(alias) },
          { label: 'Delete…', danger: true, act: () => remove(alias) },
        ]}
        button={(attributes) => (
          <IconButton label={`Actions for ${alias.name}`} {...attributes}>
            <IconDotsVertical size={16} stroke={1.6} />
          </IconButton>
        )}
      />
    ),
  },
]

type AliasDialogProps = { readonly entity: Entity; readonly alias: Alias | 'new'; readonly close: () => void }

function AliasDialog({ entity, alias, close }: AliasDialogProps) {
  const isNew = alias === 'new'
  const [first] = useState({
    name: isNew ? '' : alias.name,
    mount_accessor: isNew ? '' : alias.mount_accessor,
    metadata: isNew ? '' : linesOf(alias.custom_metadata),
  })
  const draft = useDraft(first)
  const tell = useDone(['identity'])
  const { data: mounts } = useAnswer('mounts.list-auth', {})
  const choices = Object.entries(mounts?.data ?? {}).map(([path, { accessor }]) => [accessor, `auth/${path}`] as const)
  const { name, mount_accessor } = draft.values
  return (
    <FormDialog
      title={isNew ? `New alias of ${entity.name}` : `Alias ${alias.name}`}
      close={close}
      draft={draft}
      isNew={isNew}
      action={isNew ? 'Add alias' : 'Save alias'}
      effect="Holds from the next login."
      reason={name.trim() === '' || mount_accessor === '' ? 'Name it, and choose the auth method first.' : undefined}
      send={async (values) => {
        const body = {
          name: values.name.trim(),
          mount_accessor: values.mount_accessor,
          canonical_id: entity.id,
          custom_metadata: pairsOf(values.metadata),
        }
        if (isNew) await call('identity.write-alias', { body })
        else await call('identity.update-alias', { params: { path: { id: alias.id } }, body })
        await tell({ done: `Alias ${body.name} ${isNew ? 'added' : 'saved'}` })
      }}
    >
      <TextField
        draft={draft}
        name="name"
        label="Name"
        hint="As the auth method tells it, such as the common name of a certificate."
        first
      />
      <ChoiceField draft={draft} name="mount_accessor" label="Auth method" choices={[['', 'Choose one'], ...choices]} />
      <AreaField
        draft={draft}
        name="metadata"
        label="Metadata"
        hint="One key=value on each line. Policies can refer to them."
        rows={3}
        mono
      />
    </FormDialog>
  )
}
