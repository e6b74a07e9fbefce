import { partSize, useLongAnswer } from '../api/answers.ts'
import type { Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { Page } from '../kit/Page.tsx'
import { type Shape, Status } from '../kit/Status.tsx'
import { type Column, InSight, Table } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { span } from '../kit/times.ts'
import { systemTabs } from './systemTabs.ts'

type Job = Schemas['Job']

/** What the server does by itself, when it does it next, and how it went. */
export function JobsPage() {
  const { first, rows, seen, long } = useLongAnswer('jobs.list', (part) => ({
    params: { query: { 'page[size]': partSize, 'page[number]': part } },
  }))
  return (
    <Page
      title="System"
      tabs={systemTabs}
      facts={<span>What the nodes do by themselves. What has failed is tried again, more and more slowly.</span>}
    >
      <Answer of={first} failed="The background work could not be read">
        {() => (
          <Table
            label="Background work"
            columns={columns}
            rows={rows}
            long={long}
            keyOf={({ id }) => id}
            foot={<InSight {...seen} total={long.count} />}
          />
        )}
      </Answer>
    </Page>
  )
}

const states: Readonly<Record<string, { readonly shape: Shape; readonly word: string }>> = {
  running: { shape: 'working', word: 'Works now' },
  failing: { shape: 'failed', word: 'Failed' },
  due: { shape: 'waiting', word: 'Due' },
  waiting: { shape: 'done', word: 'As planned' },
}

function State({ job: { attributes } }: { job: Job }) {
  const { shape, word } = states[attributes.state ?? ''] ?? { shape: 'nothing' as const, word: attributes.state }
  return (
    <Status shape={shape} term={attributes.state} note={attributes['last-error']}>
      {word}
    </Status>
  )
}

const columns: readonly Column<Job>[] = [
  {
    title: 'Work',
    width: 260,
    phone: 'name',
    cell: ({ attributes }) => (
      <>
        {attributes.kind} <span className="faint">{attributes.subject}</span>
      </>
    ),
  },
  { title: 'State', phone: 'status', cell: (job) => <State job={job} /> },
  {
    title: 'Every',
    right: true,
    width: 90,
    cell: ({ attributes }) => attributes['every-seconds'] && span(attributes['every-seconds']),
  },
  {
    title: 'Last success',
    right: true,
    width: 110,
    cell: ({ attributes }) => <Time at={attributes['last-ok-at']} />,
  },
  {
    title: 'Next',
    right: true,
    width: 90,
    phone: 'time',
    cell: ({ attributes }) => <Time at={attributes['next-run-at']} />,
  },
]
