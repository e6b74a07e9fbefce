import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button, IconButton } from '../../kit/Button.tsx'
import { Id } from '../../kit/Copy.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { AreaField, Form, ListField, TextField } from '../../kit/Form.tsx'
import { IconDotsVertical } from '../../kit/icons.ts'
import { Menu } from '../../kit/Menu.tsx'
import { counted } from '../../kit/numbers.ts'
import { Note, Page, type Tab } from '../../kit/Page.tsx'
import { Status } from '../../kit/Status.tsx'
import { Time } from '../../kit/Time.tsx'
import { useAct, useDone } from '../act.ts'
import { linesOf, pairsOf } from '../searches.ts'
import { Aliases } from './Aliases.tsx'
import { MergeDialog } from './MergeDialog.tsx'

const route = getRouteApi('/server/secrets/entities/$entity')

type Entity = Schemas['Entity']

const subjects = ['identity', 'policies', 'capabilities']

/** One entity: what it gives to its tokens, and the names it logs in with. */
export function EntityPage() {
  const { entity: id } = route.useParams()
  const { tab } = route.useSearch()
  const asked = useAnswer('identity.read-entity', { params: { path: { id } } })
  const entity = asked.data?.data
  return (
    <Page
      title={entity?.name ?? 'Entity'}
      beside={
        entity?.disabled && (
          <Status shape="ended" pill>
            Disabled
          </Status>
        )
      }
      facts={
        entity && (
          <>
            <Id id={entity.id} />
            <span>
              created <Time at={entity.creation_time} />
            </span>
            <span>
              changed <Time at={entity.last_update_time} />
            </span>
          </>
        )
      }
      actions={entity && <Actions entity={entity} />}
      tabs={tabsOf(id, entity)}
    >
      <Answer of={asked} failed="The entity could not be read">
        {({ data }) => (tab === 'aliases' ? <Aliases entity={data} /> : <EditEntity key={data.id} entity={data} />)}
      </Answer>
    </Page>
  )
}

function tabsOf(entity: string, known: Entity | undefined): readonly Tab[] {
  const link = (search: object) =>
    ({ to: '/server/secrets/entities/$entity', params: { entity }, search }) as Tab['link']
  return [
    { label: 'Entity', link: link({}) },
    { label: 'Aliases', link: link({ tab: 'aliases' }), count: known?.aliases.length },
  ]
}

const valuesOf = ({ name, policies, metadata }: Entity) => ({
  name,
  policies: policies as readonly string[],
  metadata: linesOf(metadata),
})

function EditEntity({ entity }: { entity: Entity }) {
  const draft = useDraft(valuesOf(entity))
  const tell = useDone(subjects)
  return (
    <>
      {entity.disabled && (
        <Note tone="warn">It is disabled: none of its tokens is accepted, and nobody can log in as it.</Note>
      )}
      <Form
        draft={draft}
        action="Save entity"
        effect="Holds from the next request of each of its tokens."
        send={async ({ name, policies, metadata }) => {
          const body = { name: name.trim(), policies: [...policies], metadata: pairsOf(metadata) }
          await call('identity.update-entity', { params: { path: { id: entity.id } }, body })
          await tell({ done: `Entity ${name} saved` })
        }}
      >
        <TextField draft={draft} name="name" label="Name" hint="Unique, regardless of upper and lower case." />
        <ListField draft={draft} name="policies" label="Policies" hint="All its tokens have them, beside their own." />
        <AreaField
          draft={draft}
          name="metadata"
          label="Metadata"
          hint="One key=value on each line. Policies can refer to them."
          rows={5}
          mono
        />
      </Form>
    </>
  )
}

function Actions({ entity }: { entity: Entity }) {
  const [isMerging, setMerging] = useState(false)
  const act = useAct(subjects)
  const confirm = useConfirm()
  const navigate = useNavigate()
  const { id, name, disabled, aliases } = entity
  const params = { path: { id } }
  const setDisabled = (value: boolean) => call('identity.update-entity', { params, body: { disabled: value } })
  const toggle = () =>
    act(() => setDisabled(!disabled), {
      done: disabled ? `Entity ${name} is enabled` : `Entity ${name} is disabled`,
      text: disabled ? 'Its tokens are accepted again.' : 'None of its tokens is accepted any more.',
      failed: `Entity ${name} was not changed`,
      undo: () => setDisabled(disabled),
    })
  const remove = async () => {
    const { yes } = await confirm({
      title: `Delete entity ${name}?`,
      text: `All its tokens stop working at once. Deleted with it: ${counted(aliases.length, 'alias', 'aliases')}. The next login with such a name creates a new entity, without its policies.`,
      action: 'Delete entity',
    })
    if (!yes) return
    const gone = async () => {
      await call('identity.delete-entity', { params })
      // First, since an entity that is gone is not asked for again.
      await navigate({ to: '/server/secrets/entities', ignoreBlocker: true })
    }
    await act(gone, { done: `Entity ${name} deleted`, failed: `Entity ${name} was not deleted` })
  }
  return (
    <>
      <Button onClick={() => setMerging(true)}>Merge…</Button>
      <Button onClick={toggle}>{disabled ? 'Enable' : 'Disable'}</Button>
      <Menu
        items={[{ label: 'Delete…', danger: true, act: remove }]}
        button={(attributes) => (
          <IconButton label={`More actions for ${name}`} {...attributes}>
            <IconDotsVertical size={16} stroke={1.6} />
          </IconButton>
        )}
      />
      {isMerging && <MergeDialog into={entity} close={() => setMerging(false)} />}
    </>
  )
}
