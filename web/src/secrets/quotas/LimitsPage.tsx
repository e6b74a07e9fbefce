import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { Button, IconButton } from '../../kit/Button.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { Pair, TextField } from '../../kit/Form.tsx'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { IconDotsVertical, IconPlus } from '../../kit/icons.ts'
import { Menu } from '../../kit/Menu.tsx'
import { count, counted } from '../../kit/numbers.ts'
import { Page } from '../../kit/Page.tsx'
import { type Column, Table, TextButton } from '../../kit/Table.tsx'
import { span, typedSpan } from '../../kit/times.ts'
import { orEmpty, useAct, useDone } from '../act.ts'

type Limit = Schemas['RateLimitQuota']

const subjects = ['quotas']

/** How many requests each client may send. */
export function LimitsPage() {
  const [edited, setEdited] = useState<Limit | 'new'>()
  const add = (
    <Button kind="primary" onClick={() => setEdited('new')}>
      <IconPlus size={15} stroke={1.8} />
      New limit
    </Button>
  )
  return (
    <Page title="Rate limits" actions={add}>
      <Limits add={add} edit={setEdited} />
      {edited !== undefined && <LimitDialog limit={edited} close={() => setEdited(undefined)} />}
    </Page>
  )
}

function Limits({ add, edit }: { add: React.ReactNode; edit: (limit: Limit) => void }) {
  const asked = useAnswer('quotas.list', { params: { query: { list: 'true' } } })
  const limits = useLimits(asked.data?.data.keys ?? [])
  const act = useAct(subjects)
  const remove = (limit: Limit) =>
    act(() => call('quotas.delete', { params: { path: { name: limit.name } } }), {
      done: `Limit ${limit.name} removed`,
      failed: `Limit ${limit.name} was not removed`,
      undo: () => write(limit),
    })
  return (
    <Answer of={orEmpty(asked, { data: { keys: [] } } as never)} failed="The rate limits could not be read">
      {({ data: { keys } }) =>
        keys.length === 0 ? (
          <Empty
            title="No rate limits yet"
            action={add}
            command="holdfast write sys/quotas/rate-limit/logins path=auth/cert/login rate=20"
          >
            A limit says how many requests each client address may send below a path. Further ones are answered with
            429, and told when to try again.
          </Empty>
        ) : (
          <Table
            label="Rate limits"
            columns={columnsOf(edit, remove)}
            rows={limits}
            keyOf={({ name }) => name}
            foot={`${counted(keys.length, 'limit')}; the one with the longest path applies, and every node counts by itself`}
          />
        )
      }
    </Answer>
  )
}

/** Names are listed, and each limit is read. */
const useLimits = (names: readonly string[]): readonly Limit[] =>
  useQueries({
    queries: names.map((name) => ({
      queryKey: ['quotas.read', { params: { path: { name } } }],
      queryFn: () => call('quotas.read', { params: { path: { name } } }),
    })),
  }).flatMap(({ data }) => (data ? [data.data] : []))

/** A limit is written as a whole. */
const write = ({
  name,
  path,
  rate,
  interval,
  block_interval,
}: Pick<Limit, 'name' | 'path' | 'rate' | 'interval' | 'block_interval'>) =>
  call('quotas.write', { params: { path: { name } }, body: { path, rate, interval, block_interval } as never })

const columnsOf = (edit: (limit: Limit) => void, remove: (limit: Limit) => unknown): readonly Column<Limit>[] => [
  {
    title: 'Name',
    phone: 'name',
    cell: (limit) => <TextButton onClick={() => edit(limit)}>{limit.name}</TextButton>,
  },
  {
    title: 'Below',
    phone: 'fact',
    cell: ({ path }) => (path === '' ? <span className="soft">all requests</span> : <code>{path}</code>),
  },
  {
    title: 'Each client may send',
    phone: 'status',
    cell: ({ rate, interval }) => `${count(rate)} in ${span(interval)}`,
  },
  {
    title: 'Then blocked for',
    right: true,
    cell: ({ block_interval }) =>
      block_interval > 0 ? span(block_interval) : <span className="soft">as short as possible</span>,
  },
  {
    title: 'Actions',
    bare: true,
    right: true,
    phone: 'menu',
    cell: (limit) => (
      <Menu
        items={[
          { label: 'Edit…', act: () => edit(limit) },
          { label: 'Remove', danger: true, act: () => remove(limit) },
        ]}
        button={(attributes) => (
          <IconButton label={`Actions for ${limit.name}`} {...attributes}>
            <IconDotsVertical size={16} stroke={1.6} />
          </IconButton>
        )}
      />
    ),
  },
]

function LimitDialog({ limit, close }: { limit: Limit | 'new'; close: () => void }) {
  const isNew = limit === 'new'
  const [first] = useState(
    isNew
      ? { name: '', path: '', rate: '', interval: '1s', block_interval: '' }
      : {
          name: limit.name,
          path: limit.path,
          rate: String(limit.rate),
          interval: typedSpan(limit.interval),
          block_interval: typedSpan(limit.block_interval),
        },
  )
  const draft = useDraft(first)
  const tell = useDone(subjects)
  const name = draft.values.name.trim()
  return (
    <FormDialog
      title={isNew ? 'New rate limit' : `Rate limit ${limit.name}`}
      close={close}
      draft={draft}
      isNew={isNew}
      action={isNew ? 'Create limit' : 'Save limit'}
      effect="Holds from the next request, on every node."
      reason={name === '' || draft.values.rate.trim() === '' ? 'Give it a name and a rate first.' : undefined}
      send={async ({ path, rate, interval, block_interval }) => {
        const body = { path: path.trim(), rate, interval, block_interval: block_interval.trim() || 0 } as never
        await call('quotas.write', { params: { path: { name } }, body })
        await tell({ done: `Limit ${name} ${isNew ? 'created' : 'saved'}` })
      }}
    >
      <TextField
        draft={draft}
        name="name"
        label="Name"
        reason={isNew ? undefined : 'A limit keeps its name.'}
        placeholder="logins"
        first={isNew}
      />
      <TextField
        draft={draft}
        name="path"
        label="Below this path"
        hint="Without /v1. Empty for all requests."
        placeholder="auth/cert/login"
      />
      <Pair>
        <TextField draft={draft} name="rate" label="Requests" hint="Of each client address." type="number" />
        <TextField draft={draft} name="interval" label="In" hint="Such as 1s or 1m." />
      </Pair>
      <TextField
        draft={draft}
        name="block_interval"
        label="Then blocked for"
        hint="For a client that sends more."
        placeholder="As short as possible"
      />
    </FormDialog>
  )
}
