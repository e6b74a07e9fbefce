import { Button } from '../../kit/Button.tsx'
import { Search } from '../../kit/Filters.tsx'
import type { Tab } from '../../kit/Page.tsx'
import { useAddress } from '../address.ts'
import type { RunSearch, Show } from './runSearch.ts'

/** The statuses of each view. */
export const viewStatuses: Readonly<Record<Show, string>> = {
  active: 'pending,plan_queued,planning,confirmed,apply_queued,applying',
  approval: 'planned,planned_and_saved',
  failed: 'errored',
}

const views: readonly (readonly [label: string, show: Show | undefined])[] = [
  ['All', undefined],
  ['Needs approval', 'approval'],
  ['Under way', 'active'],
  ['Failed', 'failed'],
]

/** The views of a list of runs as tabs of a page. */
export const viewTabs = (organization: string): readonly Tab[] =>
  views.map(([label, show]) => ({
    label,
    link: { to: '/$organization/runs', params: { organization }, search: show ? { show } : {} } as Tab['link'],
  }))

/** The search over runs. */
export function RunSearchField() {
  const { search, change } = useAddress<RunSearch>()
  return (
    <Search
      label="Find by message, user or id"
      value={search.q ?? ''}
      change={(q) => change({ q: q || undefined, page: undefined } as Partial<RunSearch>)}
    />
  )
}

/** The ways to newer and older runs. */
export function RunPages({ hasMore }: { hasMore: boolean }) {
  const { search, change } = useAddress<RunSearch>()
  const page = search.page ?? 1
  const go = (to: number) => change({ page: to > 1 ? to : undefined } as Partial<RunSearch>)
  if (page === 1 && !hasMore) return null
  return (
    <>
      <Button small reason={page === 1 ? 'These are the newest.' : undefined} onClick={() => go(page - 1)}>
        Newer
      </Button>
      <Button small reason={hasMore ? undefined : 'These are the oldest.'} onClick={() => go(page + 1)}>
        Older
      </Button>
    </>
  )
}
