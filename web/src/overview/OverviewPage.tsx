import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useAnswer } from '../api/answers.ts'
import { useLoss } from '../api/connection.ts'
import { useSession } from '../api/session.tsx'
import { Answer, Empty } from '../kit/Answer.tsx'
import { buttonClass } from '../kit/Button.tsx'
import { Item, Items } from '../kit/Items.tsx'
import { count, counted } from '../kit/numbers.ts'
import { Columns, Facts, Page, Section } from '../kit/Page.tsx'
import { Status } from '../kit/Status.tsx'
import { Time } from '../kit/Time.tsx'
import { type Concern, groupsOf, kindOf } from './concerns.ts'

// Only for those who may read it.
const LastSnapshot = lazy(async () => ({ default: (await import('../snapshots/LastSnapshot.tsx')).LastSnapshot }))

const route = getRouteApi('/$organization/overview')

/** What needs attention, in the organization and on the server. */
export function OverviewPage() {
  const { organization } = route.useParams()
  const asked = useAnswer('attention.list', { params: { path: { organization } } }, { every: 60_000 })
  const all = (asked.data?.data ?? []).map(({ attributes }) => attributes as Concern)
  return (
    <Page
      title="Overview"
      facts={asked.data && <Summary concerns={all} organization={organization} />}
      actions={<Live />}
    >
      <Columns aside={<Aside organization={organization} />}>
        <Answer of={asked} failed="What needs attention could not be read">
          {() => (all.length === 0 ? <AllWell /> : <Groups concerns={all} organization={organization} />)}
        </Answer>
      </Columns>
    </Page>
  )
}

const Summary = ({ concerns, organization }: { concerns: readonly Concern[]; organization: string }) => (
  <span>
    {concerns.length === 0
      ? 'Nothing needs attention'
      : `${counted(concerns.length, 'thing')} ${concerns.length === 1 ? 'needs' : 'need'} attention`}{' '}
    in <span className="strong">{organization}</span>
    {concerns.some(({ scope }) => scope === 'server') && ' and on this server'}
  </span>
)

/** Whether changes are shown as they happen. */
function Live() {
  const { data } = useQuery({ queryKey: ['live'], queryFn: () => false, enabled: false })
  if (useLoss()) return <Status shape="risk">Not live</Status>
  return data ? <Status shape="done">Live</Status> : null
}

const AllWell = () => (
  <Empty title="All is well">
    Locks that are held for a day, snapshots that fail or do not restore, certificate authorities that expire and nodes
    that are gone appear here, as far as you may know of them.
  </Empty>
)

const Groups = ({ concerns, organization }: { concerns: readonly Concern[]; organization: string }) =>
  groupsOf(concerns).map(([title, of]) => (
    <Section key={title} title={title} count={of.length}>
      <Items>
        {of.map((concern) => (
          <ConcernItem key={`${concern.kind} ${concern.name}`} concern={concern} organization={organization} />
        ))}
      </Items>
    </Section>
  ))

function ConcernItem({ concern, organization }: { concern: Concern; organization: string }) {
  const { word, shape, action, link } = kindOf(concern)
  const { routesByPath } = useRouter()
  const way = link(concern, organization)
  // Pages of other areas may not be there.
  const isThere = way.to !== undefined && String(way.to) in routesByPath
  return (
    <Item
      status={
        <Status shape={shape} term={concern.kind}>
          {word}
        </Status>
      }
      title={concern.name}
      text={concern.text}
      time={concern.at && <Time at={concern.at} />}
      action={
        isThere && (
          <Link {...way} className={buttonClass('default', true)} aria-label={`${action}: ${concern.name}`}>
            {action}
          </Link>
        )
      }
    />
  )
}

const Aside = ({ organization }: { organization: string }) => {
  const { service_token: hasServiceToken, site_admin: isAdmin } = useSession()
  return (
    <>
      {hasServiceToken && (
        <Suspense>
          <LastSnapshot />
        </Suspense>
      )}
      <OrganizationFacts organization={organization} />
      {isAdmin && <ServerFacts />}
    </>
  )
}

function OrganizationFacts({ organization }: { organization: string }) {
  const path = { organization }
  const all = useAnswer('workspaces.list', { params: { path, query: { 'page[size]': 1 } } })
  const locked = useAnswer('workspaces.list', { params: { path, query: { 'page[size]': 1, 'filter[locked]': true } } })
  // Until the number is there, the link still says what it does.
  const total = (asked: typeof all) => (asked.data ? count(asked.data.meta.pagination['total-count']) : 'show')
  return (
    <Section title="Workspaces">
      <Facts
        of={[
          [
            'All',
            <Link key="all" to="/$organization/workspaces" params={{ organization }}>
              {total(all)}
            </Link>,
          ],
          [
            'Locked',
            <Link key="locked" to="/$organization/workspaces" params={{ organization }} search={{ locked: true }}>
              {total(locked)}
            </Link>,
          ],
        ]}
      />
    </Section>
  )
}

function ServerFacts() {
  const nodes = useAnswer('nodes.list', { params: { query: { 'page[size]': 100 } } }, { every: 30_000 })
  const seal = useAnswer('seal.status', {})
  const all = (nodes.data?.data ?? []).map(({ attributes }) => attributes)
  const present = all.filter(({ state }) => state === 'present')
  const leader = present.find((node) => node['leads-background-work'])
  return (
    <Section title="Server">
      <Facts
        of={[
          ['Nodes', nodes.data && `${present.length} of ${all.length}${leader ? `, leader ${leader.name}` : ''}`],
          ['Seal', seal.data && (seal.data.sealed ? 'Sealed' : 'Unsealed')],
          ['Version', present[0]?.version],
        ]}
      />
    </Section>
  )
}
