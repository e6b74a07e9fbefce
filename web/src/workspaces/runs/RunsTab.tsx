import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { Button } from '../../kit/Button.tsx'
import { FilterBar } from '../../kit/Filters.tsx'
import { IconPlayerPlay } from '../../kit/icons.ts'
import { counted } from '../../kit/numbers.ts'
import { Note } from '../../kit/Page.tsx'
import { useAddress } from '../address.ts'
import { namesOf } from '../names.ts'
import { useWorkspace } from '../workspace.tsx'
import { NewRun } from './NewRun.tsx'
import { RunTable } from './RunTable.tsx'
import { RunPages, RunSearchField } from './RunViews.tsx'
import type { RunSearch } from './runSearch.ts'

const pageSize = 20
const everyOperation = 'plan_and_apply,plan_only,refresh_only,destroy,empty_apply,save_plan,action_only'

/** The runs of a workspace, and the way to a new one. */
export function RunsTab() {
  const { organization, id, name, attributes, reasonNot } = useWorkspace()
  const { search } = useAddress<RunSearch>()
  const [isOpen, setOpen] = useState(false)
  const reason = reasonNot('can-read-run')
  const query = {
    include: 'created_by' as const,
    'page[size]': pageSize,
    'page[number]': search.page ?? 1,
    'filter[operation]': everyOperation,
    ...(search.q && { 'search[basic]': search.q }),
  }
  const params = { path: { workspaceId: id }, query }
  const asked = useAnswer('runs.of-workspace', { params }, { when: reason === undefined, keep: true, every: 5_000 })
  if (reason !== undefined) return <Note tone="calm">{reason}</Note>
  const whyNot =
    attributes['execution-mode'] === 'local'
      ? `${name} runs on the machines of its users. Its settings can change that.`
      : reasonNot('can-queue-run')
  const start = (
    <Button kind="primary" reason={whyNot} onClick={() => setOpen(true)}>
      <IconPlayerPlay size={15} stroke={1.6} aria-hidden="true" />
      Start a run…
    </Button>
  )
  return (
    <>
      <Answer of={asked} failed="The runs could not be read">
        {(answer) => {
          const total = answer.meta.pagination['total-count']
          if (total === 0 && !search.q)
            return (
              <Empty title="No runs yet" action={start} command={`tofu apply`}>
                A run plans a configuration and applies it on the server, while everybody who may can watch. The first
                one brings the configuration with it.
              </Empty>
            )
          return (
            <>
              <FilterBar end={start}>
                <RunSearchField />
              </FilterBar>
              <RunTable
                organization={organization}
                workspace={name}
                runs={answer.data}
                names={namesOf({ included: answer.included ?? [] })}
                nothing="No run is like that."
                foot={
                  <>
                    {counted(total, 'run')}
                    <RunPages hasMore={answer.meta.pagination['next-page'] !== null} />
                  </>
                }
              />
            </>
          )
        }}
      </Answer>
      {isOpen && <NewRun close={() => setOpen(false)} />}
    </>
  )
}
