import { useQueries } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { callAt, type Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button, IconButton } from '../../kit/Button.tsx'
import { Id } from '../../kit/Copy.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { AreaField, ListField, Pair, TextField } from '../../kit/Form.tsx'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { IconTrash } from '../../kit/icons.ts'
import { counted } from '../../kit/numbers.ts'
import { type Secret, ShownOnce } from '../../kit/ShownOnce.tsx'
import { Status } from '../../kit/Status.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { orEmpty, useAct, useDone } from '../act.ts'
import { ListFoot } from '../ListFoot.tsx'
import { linesOf, pairsOf } from '../searches.ts'

const route = getRouteApi('/server/secrets/methods/$')

/** What a change of secret ids changes. */
const subjects = ['approle-secret-ids', 'approle-accessors']

/** Each row is looked up by itself, so there are few. */
const pageSize = 20

type Place = { readonly mount: string; readonly role: string }
type Known = Schemas['SecretId']

/** An accessor, and what is known of its secret id; undefined while that is read, and null if it ended meanwhile. */
type Row = { readonly accessor: string; readonly known: Known | null | undefined }

/** The secret ids of a role that are good now, by their accessors: nobody can read the ids themselves. */
export function SecretIds({ mount, role }: Place) {
  const { role: _, ...search } = route.useSearch()
  const navigate = route.useNavigate()
  const query = { list: 'true' as const, limit: pageSize, ...(search.after !== undefined && { after: search.after }) }
  const asked = useAnswer('approle-secret-ids.list', { params: { path: { name: role }, query } }, { keep: true, mount })
  const accessors = asked.data?.data.keys ?? []
  const known = useKnown({ mount, role }, accessors)
  const destroy = useDestroy({ mount, role })
  return (
    <Answer of={orEmpty(asked, { data: { keys: [] } } as never)} failed="The secret ids could not be read">
      {({ data: { keys } }) => (
        <Table
          label={`Secret ids of ${role}`}
          columns={columnsOf(destroy)}
          rows={keys.map((accessor, at): Row => ({ accessor, known: known[at] }))}
          keyOf={({ accessor }) => accessor}
          nothing="No secret id is good now. Make one for each program that logs in by this role."
          foot={
            <ListFoot
              one="secret id"
              shown={keys.length}
              next={keys.length >= pageSize ? keys.at(-1) : undefined}
              search={search}
              change={({ after }) =>
                navigate({ search: { role, tab: 'secret-ids', ...(after !== undefined && { after }) } as never })
              }
            />
          }
        />
      )}
    </Answer>
  )
}

const lookup = ({ mount, role }: Place, accessor: string) =>
  callAt(mount, 'approle-accessors.lookup', {
    params: { path: { name: role } },
    body: { secret_id_accessor: accessor },
  })

/** What is known of the secret ids with these accessors, in their order. */
const useKnown = (place: Place, accessors: readonly string[]): readonly Row['known'][] =>
  useQueries({
    queries: accessors.map((accessor) => ({
      queryKey: ['approle-accessors.lookup', place, accessor],
      queryFn: () => lookup(place, accessor),
    })),
  }).map(({ data, error }) => (error ? null : data?.data))

function useDestroy({ mount, role }: Place): (accessor: string) => Promise<void> {
  const confirm = useConfirm()
  const act = useAct(subjects)
  return async (accessor) => {
    const { yes } = await confirm({
      title: 'Destroy this secret id?',
      text: `The program that has it cannot log in as ${role} any more. Tokens that it has got stay until they end.`,
      action: 'Destroy secret id',
    })
    if (!yes) return
    const input = { params: { path: { name: role } }, body: { secret_id_accessor: accessor } }
    await act(() => callAt(mount, 'approle-accessors.destroy', input), {
      done: 'The secret id is destroyed',
      failed: 'The secret id was not destroyed',
    })
  }
}

/** The API says a time of year 1 for "never". */
const timeOf = (text: string): string | undefined => (text.startsWith('0001-') ? undefined : text)

const columnsOf = (destroy: (accessor: string) => unknown): readonly Column<Row>[] => [
  { title: 'Accessor', phone: 'name', cell: ({ accessor }) => <Id id={accessor} short /> },
  {
    title: 'Metadata',
    phone: 'fact',
    grow: true,
    cell: ({ known }) => <span className="soft">{known && linesOf(known.metadata).replaceAll('\n', ', ')}</span>,
  },
  {
    title: 'Good for',
    phone: 'status',
    cell: ({ known }) =>
      known === null ? (
        <Status shape="ended">Ended</Status>
      ) : (
        known && (known.secret_id_num_uses > 0 ? counted(known.secret_id_num_uses, 'login') : 'any number of logins')
      ),
  },
  {
    title: 'Accepted from',
    cell: ({ known }) => known && (known.cidr_list.join(', ') || <span className="faint">anywhere</span>),
  },
  { title: 'Made', right: true, cell: ({ known }) => known && <Time at={known.creation_time} /> },
  {
    title: 'Ends',
    right: true,
    phone: 'time',
    cell: ({ known }) => known && <Time at={timeOf(known.expiration_time)} />,
  },
  {
    title: 'Actions',
    bare: true,
    right: true,
    phone: 'menu',
    cell: ({ accessor }) => (
      <IconButton label={`Destroy ${accessor}`} remote onClick={() => destroy(accessor)}>
        <IconTrash size={15} stroke={1.6} />
      </IconButton>
    ),
  },
]

/** Makes a secret id, which is shown once. */
export function MakeSecretId({ mount, role }: Place) {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<Secret>()
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Make a secret id
      </Button>
      {isOpen && <Terms mount={mount} role={role} close={() => setOpen(false)} show={setSecret} />}
      {secret && <ShownOnce secret={secret} close={() => setSecret(undefined)} />}
    </>
  )
}

const blank = { ttl: '', num_uses: '', cidr_list: [] as readonly string[], metadata: '' }

/** What was not filled in is left to the role. */
const bodyOf = ({ ttl, num_uses, cidr_list, metadata }: typeof blank) => ({
  ...(ttl.trim() !== '' && { ttl }),
  ...(num_uses.trim() !== '' && { num_uses: Number(num_uses) }),
  ...(cidr_list.length > 0 && { cidr_list: [...cidr_list] }),
  metadata: pairsOf(metadata),
})

type TermsProps = Place & { readonly close: () => void; readonly show: (secret: Secret) => void }

function Terms({ mount, role, close, show }: TermsProps) {
  const [first] = useState(blank)
  const draft = useDraft(first)
  const tell = useDone(subjects)
  return (
    <FormDialog
      title={`Secret id of ${role}`}
      close={close}
      draft={draft}
      width={620}
      action="Make secret id"
      effect="It is shown once, and good at once."
      send={async (values) => {
        const params = { path: { name: role } }
        const { data } = await callAt(mount, 'approle-secret-ids.make', { params, body: bodyOf(values) })
        show({ title: `Secret id of ${role}`, text: data.secret_id })
        await tell({ done: 'A secret id is made' })
      }}
    >
      <Pair>
        <TextField draft={draft} name="ttl" label="Lasts" hint="Such as 10m." placeholder="As the role says" first />
        <TextField
          draft={draft}
          name="num_uses"
          type="number"
          label="Logins"
          hint="How many it is good for."
          placeholder="As the role says"
        />
      </Pair>
      <ListField draft={draft} name="cidr_list" label="Accepted from" hint="Address blocks, such as 10.4.0.0/16." />
      <AreaField
        draft={draft}
        name="metadata"
        label="Metadata"
        hint="One key=value on each line, such as the host that gets it; its tokens have them."
        rows={2}
        mono
      />
    </FormDialog>
  )
}
