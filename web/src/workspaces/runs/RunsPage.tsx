import { useAnswer } from '../../api/answers.ts'
import { Answer } from '../../kit/Answer.tsx'
import { FilterBar } from '../../kit/Filters.tsx'
import { counted } from '../../kit/numbers.ts'
import { Page } from '../../kit/Page.tsx'
import { useAddress } from '../address.ts'
import { namesOf } from '../names.ts'
import { RunTable } from './RunTable.tsx'
import { RunPages, RunSearchField, viewStatuses, viewTabs } from './RunViews.tsx'
import type { RunSearch } from './runSearch.ts'

const pageSize = 30

/** The runs of an organization. */
export function RunsPage() {
  const { organization, search } = useAddress<RunSearch>()
  const query = {
    include: 'workspace,created_by' as const,
    'page[size]': pageSize,
    'page[number]': search.page ?? 1,
    ...(search.show && { 'filter[status]': viewStatuses[search.show] }),
    ...(search.q && { 'search[basic]': search.q }),
  }
  const params = { path: { organization }, query }
  const asked = useAnswer('runs.of-organization', { params }, { keep: true, every: 5_000 })
  return (
    <Page title="Runs" tabs={viewTabs(organization)}>
      <FilterBar>
        <RunSearchField />
      </FilterBar>
      <Answer of={asked} failed="The runs could not be read">
        {(answer) => (
          <RunTable
            organization={organization}
            runs={answer.data}
            names={namesOf({ included: answer.included ?? [] })}
            nothing={search.show || search.q ? 'No run is like that.' : 'No workspace here has run anything yet.'}
            foot={
              <>
                {counted(answer.data.length, 'run')}
                <RunPages hasMore={answer.meta.pagination['next-page'] !== null} />
              </>
            }
          />
        )}
      </Answer>
    </Page>
  )
}
