import { useAnswer, useRefresh } from '../../api/answers.ts'
import { ApiFailure, call } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { Chip, FilterBar } from '../../kit/Filters.tsx'
import { IconPlus } from '../../kit/icons.ts'
import { Menu } from '../../kit/Menu.tsx'
import { Note } from '../../kit/Page.tsx'
import { Time } from '../../kit/Time.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { useAddress } from '../address.ts'
import { useWorkspace } from '../workspace.tsx'
import { type Change, isUndoable, kinds, membersOf, wordsOf } from './changes.ts'
import styles from './History.module.css'
import type { HistorySearch } from './historySearch.ts'

const pageSize = 30

/** Who changed what, newest first. */
export function HistoryTab() {
  const { id, reasonNot } = useWorkspace()
  const { search, change } = useAddress<HistorySearch>()
  const reason = reasonNot('can-read-settings')
  const query = {
    'page[size]': pageSize,
    ...(search.before && { 'page[before]': search.before }),
    ...(search.kind && { 'filter[subject][type]': search.kind }),
  }
  const params = { path: { workspaceId: id }, query }
  const asked = useAnswer('workspace-changes.list', { params }, { when: reason === undefined, keep: true })
  if (reason !== undefined) return <Note tone="calm">{reason}</Note>
  const kind = kinds.find(([name]) => name === search.kind)?.[1] ?? search.kind
  return (
    <>
      <FilterBar>
        {kind !== undefined && (
          <Chip name="Only" value={kind} remove={() => change({ kind: undefined, before: undefined })} />
        )}
        <Menu
          side="left"
          items={kinds.map(([name, label]) => ({ label, act: () => change({ kind: name, before: undefined }) }))}
          button={(attributes) => (
            <Button small {...attributes}>
              <IconPlus size={14} stroke={1.6} aria-hidden="true" />
              Filter
            </Button>
          )}
        />
      </FilterBar>
      <Answer of={asked} failed="The history could not be read">
        {({ data, links }) => (
          <>
            <ol className={styles.list}>
              {data.map((each) => (
                <Entry key={each.id} change={each} />
              ))}
            </ol>
            {data.length === 0 && <p className="soft">Nothing was changed yet, or nothing of this kind.</p>}
            <div className={styles.foot}>
              {search.before && <Button onClick={() => change({ before: undefined })}>Newest</Button>}
              {nextOf(links) && <Button onClick={() => change({ before: nextOf(links) })}>Older</Button>}
            </div>
          </>
        )}
      </Answer>
    </>
  )
}

/** The position from which the list goes on. */
function nextOf(links: unknown): string | undefined {
  const { next } = Object(links) as { next?: string | null }
  return next ? (new URL(next, location.origin).searchParams.get('page[before]') ?? undefined) : undefined
}

function Entry({ change }: { change: Change }) {
  const { actor, action } = change.attributes
  const members = membersOf(change)
  const isNew = action === 'create' || action === 'delete'
  return (
    <li className={styles.entry}>
      <div className={styles.line}>
        <span>
          <span className="strong">{actor?.name}</span> {wordsOf(change)}
        </span>
        <span className="faint">
          <Time at={change.attributes['created-at']} />
        </span>
        {isUndoable(change) && <Undo change={change} />}
      </div>
      {members.length > 0 && (
        <details open={!isNew && members.length <= 6}>
          <summary className="faint">{members.length === 1 ? '1 value' : `${members.length} values`}</summary>
          <dl className={styles.members}>
            {members.map(({ name, before, after }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  {before !== undefined && <del>{before || '(empty)'}</del>}{' '}
                  {after !== undefined && <ins>{after || '(empty)'}</ins>}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  )
}

function Undo({ change: { id: changeId, attributes } }: { change: Change }) {
  const { id, name, reasonNot } = useWorkspace()
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const undo = async (force: boolean): Promise<void> => {
    try {
      await call('workspace-changes.undo', { params: { path: { workspaceId: id, changeId } }, body: { force } })
      say.done(`${name} has the settings from before that change`)
      await refresh(['workspaces', 'workspace-changes'])
    } catch (error) {
      if (force || !(error instanceof ApiFailure) || error.status !== 409)
        return say.failed('Nothing was undone', error)
      const text = `${error.message} Setting them back loses the later change as well.`
      const { yes } = await confirm({ title: 'Undo it nevertheless?', text, action: 'Set them back' })
      if (yes) await undo(true)
    }
  }
  const names = Object.keys(attributes.before ?? {}).join(', ')
  return (
    <Button
      small
      kind="quiet"
      reason={reasonNot('can-update')}
      aria-label={`Undo: ${names}`}
      onClick={() => undo(false)}
    >
      Undo
    </Button>
  )
}
