import { type ReactNode, useState } from 'react'
import { useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Button, IconButton } from '../kit/Button.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { useDraft } from '../kit/drafts.ts'
import { ChoiceField, TextField } from '../kit/Form.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { IconDotsVertical, IconPlus } from '../kit/icons.ts'
import { Menu } from '../kit/Menu.tsx'
import { type Secret, ShownOnce } from '../kit/ShownOnce.tsx'
import { Status } from '../kit/Status.tsx'
import { type Column, Table } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { isSoon, lifetimes, untilOf } from './lifetimes.ts'

type Token = Schemas['AuthenticationToken']

/** The subjects whose answers name tokens. */
const subjects = [
  'team-tokens',
  'team-token',
  'organization-token',
  'organization-team-tokens',
  'user-tokens',
  'agent-tokens',
]

type TokenTableProps = {
  readonly label: string
  readonly tokens: readonly Token[]
  /** Whose token it is, where several owners are listed. */
  readonly owner?: { readonly title: string; readonly cell: (token: Token) => ReactNode }
  /** Why tokens cannot be revoked here. */
  readonly reason?: string | undefined
  readonly nothing: ReactNode
  readonly foot?: ReactNode
  /** What is added to the question before one is revoked. */
  readonly warn?: (token: Token) => string | undefined
}

/** What a token is called by people. */
const nameOf = ({ attributes }: Token): string => attributes.description || attributes.hint || 'without a description'

/** Tokens, without their secret part: what they are for, until when, when last used. */
export function TokenTable({ label, tokens, owner, reason, nothing, foot, warn }: TokenTableProps) {
  const revoke = useRevoke()
  const columns: readonly Column<Token>[] = [
    { title: 'Token', phone: 'name', grow: true, cell: (token) => nameOf(token) },
    ...(owner ? [{ title: owner.title, cell: owner.cell, phone: 'fact' as const }] : []),
    { title: 'Begins with', cell: ({ attributes }) => <code>{attributes.hint}</code> },
    { title: 'Last used', phone: 'status', cell: ({ attributes }) => <Time at={attributes['last-used-at']} /> },
    { title: 'Expires', cell: ({ attributes }) => <Expiry at={attributes['expired-at']} /> },
    { title: 'Created', right: true, phone: 'time', cell: ({ attributes }) => <Time at={attributes['created-at']} /> },
    {
      title: 'Actions',
      bare: true,
      right: true,
      phone: 'menu',
      cell: (token) => (
        <Menu
          items={[{ label: 'Revoke…', danger: true, reason, act: () => revoke(token, warn?.(token)) }]}
          button={(attributes) => (
            <IconButton label={`Actions of ${nameOf(token)}`} {...attributes}>
              <IconDotsVertical size={16} stroke={1.6} />
            </IconButton>
          )}
        />
      ),
    },
  ]
  return <Table label={label} columns={columns} rows={tokens} keyOf={({ id }) => id} nothing={nothing} foot={foot} />
}

const Expiry = ({ at }: { at: string | null | undefined }) => {
  if (!at) return <span className="soft">never</span>
  const left = Date.parse(at) - Date.now()
  if (left <= 0) return <Status shape="failed">Expired</Status>
  return isSoon(left) ? (
    <Status shape="risk">
      Ends <Time at={at} />
    </Status>
  ) : (
    <Time at={at} />
  )
}

function useRevoke() {
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  return async (token: Token, warning?: string) => {
    const { yes } = await confirm({
      title: `Revoke the token “${nameOf(token)}”?`,
      text: ['What uses it stops working at once. It cannot be taken back.', warning].filter(Boolean).join(' '),
      action: 'Revoke token',
    })
    if (!yes) return
    try {
      await call('tokens.delete', { params: { path: { tokenId: token.id } } })
      await refresh(subjects)
      say.done(`The token “${nameOf(token)}” is revoked`)
    } catch (error) {
      say.failed('The token was not revoked', error)
    }
  }
}

type NewToken = { readonly description: string; readonly 'expired-at': string | null }

type NewTokenProps = {
  /** "Token of team network". */
  readonly title: string
  readonly action?: string
  readonly reason?: string | undefined
  readonly kind?: 'primary' | 'default'
  readonly small?: boolean
  readonly effect?: string
  readonly make: (token: NewToken) => Promise<{ readonly data: Token }>
}

/** The button that makes a token, its form, and the token that is shown once. */
export function NewTokenButton({
  title,
  action = 'New token',
  reason,
  kind = 'primary',
  small,
  effect,
  make,
}: NewTokenProps) {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<Secret>()
  return (
    <>
      <Button kind={kind} small={small ?? false} reason={reason} onClick={() => setOpen(true)}>
        <IconPlus size={15} stroke={1.8} />
        {action}
      </Button>
      {isOpen && (
        <NewTokenForm
          title={title}
          effect={effect}
          make={make}
          close={() => setOpen(false)}
          done={(text) => setSecret({ title, text })}
        />
      )}
      {secret && <ShownOnce secret={secret} close={() => setSecret(undefined)} />}
    </>
  )
}

type NewTokenFormProps = {
  readonly title: string
  readonly effect: string | undefined
  readonly make: NewTokenProps['make']
  readonly close: () => void
  readonly done: (text: string) => void
}

function NewTokenForm({ title, effect, make, close, done }: NewTokenFormProps) {
  const draft = useDraft({ description: '', lifetime: '365', date: '' })
  const refresh = useRefresh()
  const send = async ({ description, lifetime, date }: { description: string; lifetime: string; date: string }) => {
    const made = await make({ description, 'expired-at': untilOf(lifetime, date, Date.now()) })
    await refresh(subjects)
    done(made.data.attributes.token ?? '')
  }
  return (
    <FormDialog
      title={title}
      close={close}
      draft={draft}
      send={send}
      action="Create token"
      reason={draft.values.lifetime === 'date' && draft.values.date === '' ? 'Choose the date first.' : undefined}
      {...(effect !== undefined && { effect })}
    >
      <TextField
        draft={draft}
        name="description"
        label="What it is for"
        hint="Others read this before they revoke it"
      />
      <ChoiceField draft={draft} name="lifetime" label="Lasts" choices={lifetimes} />
      {draft.values.lifetime === 'date' && (
        <TextField draft={draft} name="date" type="datetime-local" label="Expires at" />
      )}
    </FormDialog>
  )
}
