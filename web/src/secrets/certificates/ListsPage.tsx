import { useState } from 'react'
import { useAnswer, useRefresh } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { Button, IconButton } from '../../kit/Button.tsx'
import { Dialog, useConfirm } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { AreaField, Form, TextField } from '../../kit/Form.tsx'
import { IconDotsVertical } from '../../kit/icons.ts'
import { Menu } from '../../kit/Menu.tsx'
import { count, counted, size } from '../../kit/numbers.ts'
import { type Shape, Status } from '../../kit/Status.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { CertificatePage } from './CertificatePage.tsx'
import { useCallHere, useMount } from './mounts.tsx'
import { shortName } from './reasons.ts'

type List = Schemas['CertListSummary']

const areas = ['cert-summary', 'cert-crls', 'cert-login']

/** Revocation lists: how fresh they are, and how much they revoke. */
export function ListsPage() {
  const mount = useMount()
  const [isAdding, setAdding] = useState(false)
  const asked = useAnswer('cert-summary.lists', {}, { mount, every: 30_000 })
  const act = useListActions()
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      Add a list
    </Button>
  )
  return (
    <CertificatePage title="Revocation lists" actions={add}>
      <Answer of={asked} failed="The revocation lists could not be read">
        {({ data: { lists } }) =>
          lists.length === 0 ? (
            <Empty
              title="No revocation lists yet"
              action={add}
              command={`holdfast write auth/${mount}/crls/corp url=http://pki.example.com/corp.crl`}
            >
              A list names the certificates that a CA has revoked. Every login is checked against all of them; those
              with an address are fetched again each hour.
            </Empty>
          ) : (
            <Table
              label="Revocation lists"
              columns={columnsOf(act)}
              rows={lists}
              keyOf={({ name }) => name}
              foot={footOf(lists)}
            />
          )
        }
      </Answer>
      {isAdding && <AddList close={() => setAdding(false)} />}
    </CertificatePage>
  )
}

const footOf = (lists: readonly List[]): string => {
  const entries = lists.reduce((sum, list) => sum + list.entries, 0)
  return `${counted(lists.length, 'list')}, ${counted(entries, 'revoked certificate')}`
}

type Freshness = { readonly shape: Shape; readonly word: string; readonly tip: string }

/** How much a list can be relied on. */
function freshness(list: List): Freshness {
  const { stale, last_error, in_force, next_update } = list
  if (stale)
    return { shape: 'failed', word: 'Out of date', tip: last_error || `Its successor was due at ${next_update}.` }
  if (last_error !== '') return { shape: 'risk', word: 'Not fetched', tip: last_error }
  if (!in_force)
    return { shape: 'ended', word: 'Not in force', tip: 'No role trusts its issuer, so it revokes nothing.' }
  return { shape: 'done', word: 'Fresh', tip: 'It is in force, and its successor is not due yet.' }
}

type Actions = ReturnType<typeof useListActions>

function useListActions() {
  const call = useCallHere()
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  return {
    fetchNow: async ({ name, url }: List) => {
      try {
        await call('cert-crls.write', { params: { path: { name } }, body: { url } })
        say.done(`List ${name} fetched`)
      } catch (error) {
        say.failed(`List ${name} could not be fetched`, error)
      }
      await refresh(areas)
    },
    remove: async ({ name, entries, issuer }: List) => {
      const { yes } = await confirm({
        title: `Delete list ${name}?`,
        text: `${counted(entries, 'revoked certificate')} of ${shortName(issuer)} can log in again, unless OCSP refuses them.`,
        action: 'Delete list',
      })
      if (!yes) return
      try {
        await call('cert-crls.delete', { params: { path: { name } } })
        say.done(`List ${name} deleted`)
      } catch (error) {
        say.failed(`List ${name} was not deleted`, error)
      }
      await refresh(areas)
    },
  }
}

const columnsOf = (act: Actions): readonly Column<List>[] => [
  { title: 'Name', phone: 'name', cell: ({ name }) => <span className="strong">{name}</span> },
  {
    title: 'Freshness',
    phone: 'status',
    cell: (list) => {
      const { shape, word, tip } = freshness(list)
      return (
        <Status shape={shape} term={tip}>
          {word}
        </Status>
      )
    },
  },
  {
    title: 'Issuer',
    grow: true,
    cell: ({ issuer, url }) => <span data-tip={[issuer, url].filter(Boolean).join('\n')}>{shortName(issuer)}</span>,
  },
  { title: 'Revoked', right: true, phone: 'fact', cell: ({ entries }) => count(entries) },
  { title: 'Size', right: true, cell: (list) => size(list.size) },
  { title: 'Issued', right: true, cell: ({ this_update }) => <Time at={this_update} /> },
  { title: 'Next due', right: true, phone: 'time', cell: ({ next_update }) => <Time at={next_update} /> },
  {
    title: 'Next fetch',
    right: true,
    cell: ({ url, next_fetch }) => (url === '' ? <span className="faint">uploaded</span> : <Time at={next_fetch} />),
  },
  {
    title: 'Actions',
    bare: true,
    right: true,
    phone: 'menu',
    cell: (list) => (
      <Menu
        items={[
          {
            label: 'Fetch now',
            reason: list.url === '' ? 'It was uploaded, so there is no address to fetch it from.' : undefined,
            act: () => act.fetchNow(list),
          },
          { label: 'Delete…', danger: true, act: () => act.remove(list) },
        ]}
        button={(attributes) => (
          <IconButton label={`Actions for ${list.name}`} {...attributes}>
            <IconDotsVertical size={16} stroke={1.6} />
          </IconButton>
        )}
      />
    ),
  },
]

function AddList({ close }: { close: () => void }) {
  const draft = useDraft({ name: '', url: '', crl: '' })
  const call = useCallHere()
  const say = useToasts()
  const refresh = useRefresh()
  const { name, url, crl } = draft.values
  const isReady = name.trim() !== '' && (url.trim() !== '' || crl.trim() !== '')
  return (
    <Dialog title="Add a revocation list" width={620} close={close} unsaved={draft.changes.length > 0}>
      <Form
        draft={draft}
        isNew
        action="Add list"
        effect="In force from the next login."
        reason={isReady ? undefined : 'Give it a name, and an address or the list itself.'}
        cancel={close}
        send={async () => {
          const body = crl.trim() === '' ? { url: url.trim() } : { crl }
          const answer = await call('cert-crls.write', { params: { path: { name: name.trim() } }, body })
          const { warnings } = Object(answer) as { warnings?: readonly string[] | null }
          say.done(`List ${name.trim()} added`, warnings?.length ? { text: warnings.join(' ') } : {})
          await refresh(areas)
          close()
        }}
      >
        <TextField draft={draft} name="name" label="Name" placeholder="corp" />
        <TextField
          draft={draft}
          name="url"
          label="Address"
          hint="It is fetched now, and again each hour."
          placeholder="http://pki.example.com/corp.crl"
        />
        <AreaField draft={draft} name="crl" label="Or the list itself" hint="PEM, or base64 of DER." mono />
      </Form>
    </Dialog>
  )
}
