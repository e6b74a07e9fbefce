import { useNavigate, useSearch } from '@tanstack/react-router'
import { useAnswer } from '../api/answers.ts'
import type { Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { Chip, FilterBar } from '../kit/Filters.tsx'
import { Page, type Tab } from '../kit/Page.tsx'
import { type Column, FootEnd, Table } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { changedText, kindWords, wordOf } from './changes.ts'
import { usePart } from './organization.ts'
import type { PeopleSearch } from './search.ts'

type Change = Schemas['Change']

/** Who changed what in an organization, newest first. */
export function HistoryPage() {
  const organization = usePart('organization')
  const { kind, id, before } = useSearch({ strict: false }) as PeopleSearch
  const navigate = useNavigate()
  const query = {
    'page[size]': 50,
    ...(before && { 'page[before]': before }),
    ...(kind && { 'filter[subject][type]': kind }),
    ...(id && { 'filter[subject][id]': id }),
  }
  const asked = useAnswer('changes.list', { params: { path: { organization }, query } }, { keep: true })
  const lead = (search: PeopleSearch) => navigate({ to: '.', search: search as never })
  const shown = { ...(kind && { kind }), ...(id && { id }) }
  return (
    <Page title="History" tabs={tabsOf(organization)}>
      {(id || before) && (
        <FilterBar>
          {id && <Chip name="Is about" value={id} remove={() => lead(kind ? { kind } : {})} />}
          {before && <Chip name="From" value="earlier" remove={() => lead(shown)} />}
        </FilterBar>
      )}
      <Answer of={asked} failed="The history could not be read">
        {({ data, links }) => {
          const next = nextOf(links)
          return (
            <Table
              label="Changes"
              columns={columnsOf((change) =>
                lead({ kind: change.attributes.subject?.type ?? '', id: change.attributes.subject?.id ?? '' }),
              )}
              rows={data}
              keyOf={(change) => change.id}
              nothing="Nothing was changed yet."
              foot={
                <>
                  <span>{data.length} changes, newest first</span>
                  <FootEnd>
                    <Button
                      small
                      reason={next ? undefined : 'These are the oldest.'}
                      onClick={() => next && lead({ ...shown, before: next })}
                    >
                      Earlier
                    </Button>
                  </FootEnd>
                </>
              }
            />
          )
        }}
      </Answer>
    </Page>
  )
}

const nextOf = (links: unknown): string | undefined => {
  const { next } = Object(links) as { next?: string | null }
  return next ? (new URL(next).searchParams.get('page[before]') ?? undefined) : undefined
}

const tabsOf = (organization: string): readonly Tab[] =>
  [['All', ''] as const, ...kindWords.map(([kind, , plural]) => [plural, kind] as const)].map(([label, kind]) => ({
    label,
    link: {
      to: '/$organization/organization/history',
      params: { organization },
      search: kind === '' ? {} : { kind },
    } as Tab['link'],
  }))

const columnsOf = (only: (change: Change) => unknown): readonly Column<Change>[] => [
  {
    title: 'What',
    phone: 'name',
    cell: ({ attributes }) => (
      <>
        {attributes.subject?.name} <span className="faint">{wordOf(attributes.subject?.type ?? '')}</span>
      </>
    ),
  },
  { title: 'Was', phone: 'status', cell: ({ attributes }) => wordOfAction(attributes.action) },
  {
    title: 'Change',
    grow: true,
    cell: ({ attributes }) => {
      const text = changedText(attributes.before, attributes.after)
      return (
        <span className="soft" data-tip={text}>
          {text}
        </span>
      )
    },
  },
  { title: 'By', phone: 'fact', cell: ({ attributes }) => attributes.actor?.name },
  { title: 'When', right: true, phone: 'time', cell: ({ attributes }) => <Time at={attributes['created-at']} /> },
  {
    title: 'More',
    right: true,
    cell: (change) => (
      <Button small kind="quiet" onClick={() => only(change)}>
        Only this
      </Button>
    ),
  },
]

const past: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  lock: 'locked',
  unlock: 'unlocked',
  'force-unlock': 'unlocked by force',
}

const wordOfAction = (action = ''): string => past[action] ?? action.replaceAll('-', ' ')
