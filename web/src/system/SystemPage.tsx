import { useAnswer } from '../api/answers.ts'
import { useSession } from '../api/session.tsx'
import { NeedsServiceToken } from '../frame/NeedsServiceToken.tsx'
import { Answer } from '../kit/Answer.tsx'
import { count } from '../kit/numbers.ts'
import { Note, Page, Section } from '../kit/Page.tsx'
import { Status } from '../kit/Status.tsx'
import { type Column, Table } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { clockText, type Node, versionsOf, wordOf } from './nodes.ts'
import { SealSection } from './SealSection.tsx'
import { systemTabs } from './systemTabs.ts'

/** The server itself: its nodes, and its seal. */
export function SystemPage() {
  const { site_admin: isAdmin, service_token: hasServiceToken } = useSession()
  return (
    <Page title="System" facts={<Facts />} tabs={isAdmin || hasServiceToken ? systemTabs : []}>
      {isAdmin && <Nodes />}
      {(isAdmin || hasServiceToken) && <SealSection />}
      {!isAdmin && !hasServiceToken && <NeedsServiceToken what="The server is managed" />}
    </Page>
  )
}

function Facts() {
  const { version } = useSession()
  const { data } = useAnswer('seal.status', {}, { every: 30_000 })
  return (
    <>
      <span>Holdfast {version}</span>
      {data?.cluster_name && <span>{data.cluster_name}</span>}
    </>
  )
}

function Nodes() {
  const asked = useAnswer('nodes.list', { params: { query: { 'page[size]': 100 } } }, { every: 10_000 })
  const nodes = asked.data?.data.map((node) => ({ id: node.id, ...node.attributes }) as Node)
  return (
    <Section
      title="Nodes"
      count={nodes?.length}
      lead="The processes that share the database. One of them leads the work in the background."
    >
      <Answer of={asked} failed="The nodes could not be read">
        {() => (
          <>
            {nodes && versionsOf(nodes).length > 1 && (
              <Note tone="warn">
                The nodes run different versions: {versionsOf(nodes).join(', ')}. Finish the upgrade soon.
              </Note>
            )}
            <Table label="Nodes" columns={columns} rows={nodes ?? []} keyOf={({ id }) => id} />
          </>
        )}
      </Answer>
    </Section>
  )
}

const columns: readonly Column<Node>[] = [
  { title: 'Name', phone: 'name', cell: ({ name }) => name },
  {
    title: 'State',
    phone: 'status',
    cell: (node) => {
      const { shape, word } = wordOf(node)
      return (
        <Status shape={shape} term={node.state} note={node.state === 'gone' && <Time at={node['last-seen-at']} />}>
          {word}
        </Status>
      )
    },
  },
  { title: 'Address', grow: true, cell: ({ address }) => address && <code>{address}</code> },
  { title: 'Version', phone: 'fact', cell: ({ version }) => version },
  { title: 'Started', right: true, phone: 'time', cell: (node) => <Time at={node['started-at']} /> },
  {
    title: 'Background work',
    cell: (node) => (node['leads-background-work'] ? <span className="strong">leads</span> : ''),
  },
  { title: 'Jobs', right: true, cell: (node) => count(node['jobs-held']) },
  { title: 'Clock', right: true, cell: (node) => clockText(node['clock-skew-ms']) },
]
