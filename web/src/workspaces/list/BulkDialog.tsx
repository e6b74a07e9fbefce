import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useRefresh } from '../../api/answers.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { type Draft, useDraft } from '../../kit/drafts.ts'
import { ChoiceField, Form, ListField, TextField } from '../../kit/Form.tsx'
import { count, counted } from '../../kit/numbers.ts'
import { useToasts } from '../../kit/Toasts.tsx'
import { useAddress } from '../address.ts'
import { lockTimes } from '../lock/LockDialog.tsx'
import { parseTag, tagsProblem } from '../overview/tags.ts'
import { type BulkBody, type BulkOutcome, type BulkVerb, bodiesOf, type Selection } from './bulk.ts'
import { Preview } from './Preview.tsx'
import { runBulk } from './runBulk.ts'

type BulkValues = { readonly reason: string; readonly expiresAfter: string; readonly tags: readonly string[] }

const words = {
  lock: { title: 'Lock them?', action: 'Lock', done: 'locked', undo: 'unlock' },
  unlock: { title: 'Unlock them?', action: 'Unlock', done: 'unlocked', undo: 'lock' },
  'force-unlock': {
    title: 'Break their locks?',
    action: 'Break the locks of',
    done: 'unlocked by force',
    undo: undefined,
  },
  tag: { title: 'Add tags?', action: 'Tag', done: 'tagged', undo: 'untag' },
  untag: { title: 'Remove tags?', action: 'Take the tags from', done: 'changed', undo: 'tag' },
} as const

type BulkDialogProps = {
  readonly verb: BulkVerb
  readonly selection: Selection
  readonly close: () => void
  readonly clear: () => void
}

/** Does one thing to many workspaces, after it has shown what each will get and which refuse. */
export function BulkDialog({ verb, selection, close, clear }: BulkDialogProps) {
  const { organization } = useAddress<object>()
  const say = useToasts()
  const refresh = useRefresh()
  const draft = useDraft<BulkValues>({ reason: '', expiresAfter: '', tags: [] })
  const { title, action, done, undo } = words[verb]
  const problem = verb === 'tag' || verb === 'untag' ? problemOf(verb, draft.values.tags) : undefined
  const bodies = bodiesOf(verb, { ...draft.values, tags: draft.values.tags.map(parseTag) })
  const preview = usePreview(organization, selection, problem ? [] : bodies)
  const changes = preview.data?.changed ?? 0
  const run = async (on: Selection, sent: readonly BulkBody[]) => {
    for (const body of sent) await runBulk(organization, on, body)
  }
  const takeBack = (names: readonly string[]) => async () => {
    const back = undo && bodiesOf(undo, { ...draft.values, tags: draft.values.tags.map(parseTag) })
    try {
      await run({ names }, back ?? [])
    } catch (error) {
      say.failed('Not all of it was taken back', error)
    }
    await refresh(['workspaces'])
  }
  const send = async () => {
    await run(selection, bodies)
    close()
    clear()
    const names = (preview.data?.rows ?? []).flatMap(({ attributes }) =>
      attributes.result === 'changed' ? (attributes.name ?? []) : [],
    )
    const canUndo = undo !== undefined && names.length <= 500 && bodies.every(({ action }) => action !== 'add-bindings')
    say.done(`${counted(changes, 'workspace')} ${done}`, canUndo ? { undo: takeBack(names) } : {})
    await refresh(['workspaces', 'tags'])
  }
  return (
    <Dialog title={title} close={close} width={620}>
      <Form
        draft={draft}
        send={send}
        action={`${action} ${count(changes)}`}
        isNew
        cancel={close}
        reason={problem ?? (changes === 0 ? 'None of them would change.' : undefined)}
      >
        <Fields verb={verb} draft={draft} />
        {!problem && (
          <Answer of={preview} failed="What would happen could not be found out">
            {(outcome) => <Preview outcome={outcome} gets={done} />}
          </Answer>
        )}
      </Form>
    </Dialog>
  )
}

function problemOf(verb: 'tag' | 'untag', tags: readonly string[]): string | undefined {
  if (tags.length === 0) return 'Type at least one tag.'
  if (verb === 'untag' && tags.some((tag) => tag.includes('=')))
    return 'Only tags without a value can be taken from many at once.'
  return tagsProblem(tags)
}

/** What would happen, asked again when what is typed has settled. */
function usePreview(organization: string, selection: Selection, bodies: readonly BulkBody[]) {
  // A reason changes nothing of what happens.
  const plain = bodies.map(({ reason: _reason, ...body }) => ({ ...body, 'dry-run': true }))
  const asked = useDeferredValue(JSON.stringify(plain))
  return useQuery({
    queryKey: ['bulk-preview', organization, selection, asked],
    enabled: bodies.length > 0,
    queryFn: async (): Promise<BulkOutcome> => {
      const outcomes: BulkOutcome[] = []
      for (const body of JSON.parse(asked) as BulkBody[]) outcomes.push(await runBulk(organization, selection, body))
      return merged(outcomes)
    },
  })
}

/** Of several things that are done to each, the refusal counts, then the change. */
function merged([first, ...rest]: readonly BulkOutcome[]): BulkOutcome {
  const rows = (first?.rows ?? []).map((row, at) => {
    const all = [row, ...rest.flatMap((outcome) => outcome.rows[at] ?? [])]
    const of = (result: string) => all.find(({ attributes }) => attributes.result === result)
    return of('refused') ?? of('changed') ?? row
  })
  const number = (result: string) => rows.filter(({ attributes }) => attributes.result === result).length
  const { remaining = 0 } = first ?? {}
  return { rows, changed: number('changed'), unchanged: number('unchanged'), refused: number('refused'), remaining }
}

function Fields({ verb, draft }: { verb: BulkVerb; draft: Draft<BulkValues> }) {
  if (verb === 'unlock') return null
  if (verb === 'tag' || verb === 'untag')
    return (
      <ListField
        draft={draft}
        name="tags"
        label="Tags"
        hint={verb === 'tag' ? 'env=prod has a value, core has none.' : 'Tags without a value, such as core.'}
        first
      />
    )
  return (
    <>
      <TextField draft={draft} name="reason" label="Why" hint="Everybody who is kept out reads it." first />
      {verb === 'lock' && <ChoiceField draft={draft} name="expiresAfter" label="How long" choices={lockTimes} />}
    </>
  )
}
