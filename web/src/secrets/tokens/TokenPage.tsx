import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useAnswer } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button, buttonClass } from '../../kit/Button.tsx'
import { Id } from '../../kit/Copy.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { count, counted } from '../../kit/numbers.ts'
import { Facts, Page, Section } from '../../kit/Page.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { span } from '../../kit/times.ts'
import { useAct } from '../act.ts'
import { linesOf } from '../searches.ts'

const route = getRouteApi('/server/secrets/tokens/$accessor')

type Token = Schemas['TokenInfo']

/** One token by its accessor, without its text. */
export function TokenPage() {
  const { accessor } = route.useParams()
  const asked = useAnswer('tokens.lookup-accessor', { body: { accessor } }, { every: 30_000 })
  const token = asked.data?.data
  return (
    <Page
      title={token?.display_name || 'Token'}
      facts={<Id id={accessor} />}
      actions={
        <>
          <Link to="/server/secrets/try" search={{ accessor }} className={buttonClass()}>
            Try a path…
          </Link>
          {token && <Actions accessor={accessor} token={token} />}
        </>
      }
    >
      <Answer of={asked} failed="There is no such token, or it has ended">
        {({ data }) => <About token={data} />}
      </Answer>
    </Page>
  )
}

function About({ token }: { token: Token }) {
  return (
    <>
      <Section title="Token">
        <Facts
          of={[
            ['Type', token.type === 'batch' ? 'Batch: not stored, and cannot be revoked' : 'Service'],
            ['Made by', <code key="path">{token.path}</code>],
            ['Token role', token.role],
            ['Created', <Time key="created" at={token.issue_time} />],
            ['Ends', <Time key="ends" at={token.expire_time} />],
            ['At most', token.explicit_max_ttl > 0 && `${span(token.explicit_max_ttl)} with renewals`],
            ['Renewed', token.last_renewal && <Time key="renewed" at={token.last_renewal} />],
            ['Can be renewed', token.renewable ? renewalText(token) : 'no'],
            ['Uses left', token.num_uses > 0 && count(token.num_uses)],
            ['Parent', token.orphan ? 'none, it is an orphan' : 'ends when its parent does'],
            ['Accepted from', token.bound_cidrs?.join(', ')],
            ['Made with it', madeWithIt(token.children ?? 0)],
            ['Entity', token.entity_id !== '' && <EntityLink id={token.entity_id} />],
            ['Metadata', linesOf(token.meta).replaceAll('\n', ', ')],
          ]}
        />
      </Section>
      <Section title="Policies" lead="What it may do is what these allow together.">
        <Table
          label="Policies"
          columns={columns}
          rows={policiesOf(token)}
          keyOf={({ name }) => name}
          nothing="It has none."
        />
      </Section>
    </>
  )
}

const renewalText = ({ period }: Token): string => (period ? `yes, for ${span(period)} each time` : 'yes')

function EntityLink({ id }: { id: string }) {
  const { data } = useAnswer('identity.read-entity', { params: { path: { id } } })
  return (
    <Link to="/server/secrets/entities/$entity" params={{ entity: id }}>
      {data?.data.name ?? id}
    </Link>
  )
}

type Held = { readonly name: string; readonly from: string }

const policiesOf = ({ policies, identity_policies: inherited = [] }: Token): readonly Held[] => [
  ...policies.map((name) => ({ name, from: 'its own' })),
  ...inherited.filter((name) => !policies.includes(name)).map((name) => ({ name, from: 'of its entity' })),
]

const columns: readonly Column<Held>[] = [
  {
    title: 'Policy',
    phone: 'name',
    grow: true,
    cell: ({ name }) => (
      <Link to="/server/secrets/policies/$" params={{ _splat: name }}>
        {name}
      </Link>
    ),
  },
  { title: 'From', phone: 'status', cell: ({ from }) => <span className="soft">{from}</span> },
]

/** The server counts no more than so many. */
const most = 1_000

const madeWithIt = (children: number): string =>
  children < most ? counted(children, 'token') : `${count(most)} tokens or more`

/** What ends with a token. */
const withChildren = (children: number): string =>
  children === 0
    ? '. No other token ends with it'
    : `, and so ${children === 1 ? 'does' : 'do'} ${madeWithIt(children)} that ${children === 1 ? 'was' : 'were'} made with it, and all that were made with these`

function Actions({ accessor, token }: { accessor: string; token: Token }) {
  const act = useAct(['tokens', 'policies'])
  const confirm = useConfirm()
  const navigate = useNavigate()
  const name = token.display_name || 'this token'
  const isBatch = token.type === 'batch'
  const renew = () =>
    act(() => call('tokens.renew-accessor', { body: { accessor } }), {
      done: 'The token is renewed',
      failed: 'The token was not renewed',
    })
  const revoke = async () => {
    const { yes } = await confirm({
      title: `Revoke ${name}?`,
      text: `It stops working at once${withChildren(token.children ?? 0)}. This cannot be undone.`,
      action: 'Revoke token',
    })
    if (!yes) return
    const gone = async () => {
      await call('tokens.revoke-accessor', { body: { accessor } })
      // First, since a token that is gone is not asked for again.
      await navigate({ to: '/server/secrets/tokens' })
    }
    await act(gone, { done: 'The token is revoked', failed: 'The token was not revoked' })
  }
  return (
    <>
      <Button reason={token.renewable ? undefined : 'This token cannot be renewed.'} onClick={renew}>
        Renew
      </Button>
      <Button kind="danger" reason={isBatch ? 'Batch tokens cannot be revoked.' : undefined} onClick={revoke}>
        Revoke…
      </Button>
    </>
  )
}
