import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '../../api/client.ts'
import { Button } from '../../kit/Button.tsx'
import { Section } from '../../kit/Page.tsx'
import { Status } from '../../kit/Status.tsx'
import { Time } from '../../kit/Time.tsx'
import { useAddress } from '../address.ts'
import { type Names, nameIn, namesOf } from '../names.ts'
import { includedOf, type OpenWorkspace, useWorkspace } from '../workspace.tsx'
import styles from './State.module.css'
import type { StateSearch } from './stateSearch.ts'
import { type Current, copiedFrom, isStored, standingOf, type Version } from './versions.ts'

type VersionListProps = {
  readonly page: AnswerOf<'state-versions.list'>
  readonly pageSize: number
  /** The version that is looked at. */
  readonly shown: string | undefined
}

/** The versions, newest first: each can be looked at, or be one of the two that are compared. */
export function VersionList({ page, pageSize, shown }: VersionListProps) {
  const { search, change } = useAddress<StateSearch>()
  const total = page.meta.pagination['total-count']
  const at = search.page ?? 1
  const last = Math.ceil(total / pageSize)
  const names = namesOf(page)
  return (
    <Section title="Versions" count={total}>
      <ol className={styles.versions}>
        {page.data.map((version) => (
          <Entry key={version.id} version={version} names={names} all={page.data} shown={shown} />
        ))}
      </ol>
      {last > 1 && (
        <div className={styles.foot}>
          Page {at} of {last}
          <Button small reason={at > 1 ? undefined : 'These are the newest.'} onClick={() => change({ page: at - 1 })}>
            Newer
          </Button>
          <Button
            small
            reason={at < last ? undefined : 'These are the oldest.'}
            onClick={() => change({ page: at + 1 })}
          >
            Older
          </Button>
        </div>
      )}
    </Section>
  )
}

type EntryProps = {
  readonly version: Version
  readonly names: Names
  readonly all: readonly Version[]
  readonly shown: string | undefined
}

function Entry({ version, names, all, shown }: EntryProps) {
  const workspace = useWorkspace()
  const { search } = useAddress<StateSearch>()
  const { attributes } = version
  const standing = standingOf(version, currentOf(workspace))
  const origin = all.find(({ id }) => id === copiedFrom(version))
  const isShown = version.id === shown
  return (
    <li data-chosen={isShown || version.id === search.a || undefined}>
      <Picks version={version} shown={shown} />
      <div className={styles.what}>
        <Link
          to={'.' as never}
          search={{ b: version.id, ...(search.page && { page: search.page }) } as never}
          className="strong"
          aria-current={isShown ? 'true' : undefined}
        >
          Serial {attributes.serial}
        </Link>{' '}
        <span className="faint">
          <Time at={attributes['created-at']} />
        </span>
        <div className="soft">
          {nameIn(names, version.relationships?.['created-by']) || 'somebody you may not see'}
          {copiedFrom(version) &&
            `, rolled back to ${origin ? `serial ${origin.attributes.serial}` : 'an earlier one'}`}
        </div>
        {standing && <Status shape={standing.shape}>{standing.word}</Status>}
      </div>
    </li>
  )
}

function currentOf(workspace: OpenWorkspace): Current | undefined {
  const [state] = includedOf(workspace, 'state-versions')
  return state && { id: state.id, at: (state.attributes as { 'created-at': string })['created-at'] }
}

/** A and B: what changed from A to B is shown. */
function Picks({ version: { id, attributes, ...rest }, shown }: { version: Version; shown: string | undefined }) {
  const { search, change } = useAddress<StateSearch>()
  const reason = isStored({ id, attributes, ...rest }) ? undefined : 'Its content is not there.'
  const picks = [
    { letter: 'A', isPicked: search.a === id, next: { a: id, b: shown } },
    { letter: 'B', isPicked: shown === id, next: { b: id } },
  ] as const
  return (
    <div className={styles.picks}>
      {picks.map(({ letter, isPicked, next }) => (
        <button
          key={letter}
          type="button"
          className={styles.pick}
          aria-pressed={isPicked}
          aria-disabled={reason !== undefined || undefined}
          aria-label={
            letter === 'A' ? `Compare from serial ${attributes.serial}` : `Compare to serial ${attributes.serial}`
          }
          data-tip={reason ?? (letter === 'A' ? 'Compare from here' : 'Compare to here')}
          onClick={() => reason === undefined && change(isPicked && letter === 'A' ? { a: undefined } : next)}
        >
          {letter}
        </button>
      ))}
    </div>
  )
}
