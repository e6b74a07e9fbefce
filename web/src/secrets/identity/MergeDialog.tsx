import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { useDraft } from '../../kit/drafts.ts'
import { ChoiceField, TextField } from '../../kit/Form.tsx'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { counted } from '../../kit/numbers.ts'
import { Facts, Note } from '../../kit/Page.tsx'
import { useDone } from '../act.ts'
import { useSettled } from '../settled.ts'
import { type MergePreview, previewMerge } from './merging.ts'

type Entity = Schemas['Entity']

/** Merges another entity into this one, after a look at what that does. */
export function MergeDialog({ into, close }: { into: Entity; close: () => void }) {
  const [blank] = useState({ name: '', keep: '' })
  const draft = useDraft(blank)
  const tell = useDone(['identity', 'policies', 'capabilities'])
  const { found, isAsked } = useEntityNamed(draft.values.name.trim())
  const isItself = found?.id === into.id
  const preview = found && !isItself ? previewMerge(into, found) : undefined
  const kept = keptOf(preview, draft.values.keep, found?.name)
  return (
    <FormDialog
      title={`Merge another entity into ${into.name}?`}
      close={close}
      draft={draft}
      width={620}
      action={found && preview ? `Merge ${found.name}` : 'Merge'}
      effect={
        found && preview ? `${found.name} is deleted; this cannot be undone.` : 'Its tokens act as this entity then.'
      }
      reason={!preview ? 'Name the other entity first.' : kept === undefined ? 'Choose which aliases stay.' : undefined}
      send={async () => {
        if (!found) return
        const body = { from_entity_ids: [found.id], to_entity_id: into.id, conflicting_alias_ids_to_keep: kept ?? [] }
        await call('identity.merge-entities', { body })
        await tell({ done: `${found.name} is merged into ${into.name}` })
      }}
    >
      <TextField
        draft={draft}
        name="name"
        label="The other entity"
        hint="Its name; it is deleted when they are merged."
        problem={
          isItself ? 'This is the same entity.' : isAsked && !found ? 'There is no entity of this name.' : undefined
        }
        first
      />
      {found && preview && <Preview into={into} from={found} preview={preview} />}
      {found && preview && preview.conflicts.length > 0 && (
        <ChoiceField
          draft={draft}
          name="keep"
          label="Which aliases stay where both have one"
          choices={[
            ['', 'Choose'],
            ['into', `Those of ${into.name}`],
            ['from', `Those of ${found.name}`],
          ]}
        />
      )}
    </FormDialog>
  )
}

/** The ids of the aliases that stay; undefined while that is not chosen. */
function keptOf(preview: MergePreview | undefined, keep: string, from: string | undefined): string[] | undefined {
  const disputed = preview?.conflicts.flatMap(({ aliases }) => aliases) ?? []
  if (disputed.length === 0) return []
  if (keep === '') return undefined
  return disputed.filter(({ of }) => (of === from) === (keep === 'from')).map(({ id }) => id)
}

/** The entity of a name, once nobody types. */
function useEntityNamed(name: string): { readonly found: Entity | undefined; readonly isAsked: boolean } {
  const settled = useSettled(name)
  const asked = useAnswer('identity.look-up-entity', { body: { name: settled } }, { when: settled !== '' })
  const isAsked = settled === name && settled !== '' && asked.isSuccess
  return { found: isAsked ? (asked.data as { data: Entity } | undefined)?.data : undefined, isAsked }
}

const Preview = ({ into, from, preview }: { into: Entity; from: Entity; preview: MergePreview }) => (
  <>
    <Facts
      of={[
        ['Tokens', `All tokens of ${from.name} become tokens of ${into.name}`],
        [
          'Aliases that move',
          preview.moved.map(({ name, mount_path }) => `${name} at ${mount_path}`).join(', ') || 'none',
        ],
        ['Policies its tokens gain', preview.gained.join(', ') || 'none'],
        ['Policies its tokens lose', preview.lost.join(', ') || 'none'],
      ]}
    />
    {preview.disabled.length > 0 && <Note tone="calm">{from.name} is disabled, so its tokens stay refused.</Note>}
    {preview.conflicts.map(({ mount, aliases }) => (
      <Note key={mount} tone="warn">
        {counted(aliases.length, 'alias', 'aliases')} at {mount} cannot all stay:{' '}
        {aliases.map(({ name, of }) => `${name} of ${of}`).join(', ')}.
      </Note>
    ))}
  </>
)
