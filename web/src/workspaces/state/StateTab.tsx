import { useAnswer } from '../../api/answers.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { Note } from '../../kit/Page.tsx'
import { useAddress } from '../address.ts'
import { useWorkspace } from '../workspace.tsx'
import { Comparison } from './Comparison.tsx'
import styles from './State.module.css'
import type { StateSearch } from './stateSearch.ts'
import { VersionList } from './VersionList.tsx'

const pageSize = 20

/** The versions of a state, and what differs between two of them. */
export function StateTab() {
  const { organization, name, reasonNot } = useWorkspace()
  const { search } = useAddress<StateSearch>()
  const reason = reasonNot('can-read-state-versions')
  const query = {
    'filter[organization][name]': organization,
    'filter[workspace][name]': name,
    include: 'created_by' as const,
    'page[size]': pageSize,
    'page[number]': search.page ?? 1,
  }
  const asked = useAnswer('state-versions.list', { params: { query } }, { when: reason === undefined, keep: true })
  if (reason !== undefined) return <Note tone="calm">{reason}</Note>
  return (
    <Answer of={asked} failed="The versions of the state could not be read">
      {(page) => {
        const shown = search.b ?? page.data.find(({ attributes }) => attributes.status === 'finalized')?.id
        if (page.meta.pagination['total-count'] === 0) return <NoState organization={organization} name={name} />
        return (
          <div className={styles.two}>
            <VersionList page={page} pageSize={pageSize} shown={shown} />
            {shown && <Comparison id={shown} since={search.a} />}
          </div>
        )
      }}
    </Answer>
  )
}

const NoState = ({ organization, name }: { organization: string; name: string }) => (
  <Empty
    title="No state yet"
    command={`terraform {\n  cloud {\n    hostname     = "${location.host}"\n    organization = "${organization}"\n    workspaces { name = "${name}" }\n  }\n}`}
  >
    The state says what the configuration manages. The first apply with this block writes one; each later one keeps the
    versions before it.
  </Empty>
)
