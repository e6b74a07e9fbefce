import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { Button, IconButton } from '../kit/Button.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { useDraft } from '../kit/drafts.ts'
import { FilterBar, Search, Tags } from '../kit/Filters.tsx'
import { ChoiceField, TextField } from '../kit/Form.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { IconDotsVertical, IconPlus } from '../kit/icons.ts'
import { Menu } from '../kit/Menu.tsx'
import { Page, type Tab } from '../kit/Page.tsx'
import { type Secret, ShownOnce } from '../kit/ShownOnce.tsx'
import { Status } from '../kit/Status.tsx'
import { type Column, Pager, Table, TextButton } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { idIn, idsIn, namesOf, usePart, useReasons, useTeams } from './organization.ts'
import type { PeopleSearch } from './search.ts'

type Membership = Schemas['OrganizationMembership']

const pageSize = 50

/** The people of an organization, and those who are invited. */
export function MembersPage() {
  const organization = usePart('organization')
  const { q, status, page = 1 } = useSearch({ strict: false }) as PeopleSearch
  const navigate = useNavigate()
  const reason = useReasons(organization)('can-manage-users', 'invite or remove people')
  const remove = useRemove(organization)
  const query = {
    'page[size]': pageSize,
    'page[number]': page,
    include: 'user,teams',
    ...(q && { q }),
    ...(status && { 'filter[status]': status }),
  }
  const asked = useAnswer('memberships.list', { params: { path: { organization }, query } }, { keep: true })
  const lead = (next: PeopleSearch) =>
    navigate({ to: '.', search: { ...(status && { status }), ...(q && { q }), ...next } as never, replace: true })
  return (
    <Page title="Members" tabs={tabsOf(organization)} actions={<Invite organization={organization} reason={reason} />}>
      <FilterBar>
        <Search
          label="Search by name or e-mail"
          value={q ?? ''}
          change={(text) =>
            navigate({
              to: '.',
              search: { ...(status && { status }), ...(text && { q: text }) } as never,
              replace: true,
            })
          }
        />
      </FilterBar>
      <Answer of={asked} failed="The members could not be read">
        {(found) => (
          <Table
            label="Members"
            columns={columnsOf({ names: namesOf(found), reason, remove })}
            rows={found.data}
            keyOf={({ id }) => id}
            nothing={
              q ? (
                <>
                  Nobody matches.{' '}
                  <TextButton onClick={() => navigate({ to: '.', search: {} as never })}>Clear the search</TextButton>
                </>
              ) : status === 'invited' ? (
                'No invitation is open.'
              ) : (
                'Nobody is here.'
              )
            }
            foot={
              <Pager
                page={page}
                pageSize={pageSize}
                shown={found.data.length}
                total={found.meta.pagination['total-count']}
                change={(next) => lead({ page: next })}
              />
            }
          />
        )}
      </Answer>
    </Page>
  )
}

const tabsOf = (organization: string): readonly Tab[] =>
  [
    { label: 'All', search: {} },
    { label: 'Members', search: { status: 'active' } },
    { label: 'Invitations', search: { status: 'invited' } },
  ].map(({ label, search }) => ({
    label,
    link: { to: '/$organization/organization/members', params: { organization }, search } as Tab['link'],
  }))

type Shown = {
  readonly names: ReadonlyMap<string, string>
  readonly reason: string | undefined
  readonly remove: (membership: Membership, who: string) => unknown
}

function columnsOf({ names, reason, remove }: Shown): readonly Column<Membership>[] {
  const isInvited = ({ attributes }: Membership) => attributes.status === 'invited'
  const whoOf = (each: Membership): string =>
    isInvited(each) ? (each.attributes.email ?? '') : (names.get(idIn(each.relationships?.user) ?? '') ?? '')
  return [
    { title: 'Name', phone: 'name', cell: whoOf },
    { title: 'E-mail address', cell: (each) => (isInvited(each) ? '' : each.attributes.email) },
    {
      title: 'Status',
      phone: 'status',
      cell: (each) =>
        isInvited(each) ? <Status shape="waiting">Invited</Status> : <Status shape="done">Member</Status>,
    },
    {
      title: 'Teams',
      grow: true,
      cell: ({ relationships }) => (
        <Tags of={idsIn(relationships?.teams).map((id) => ({ key: names.get(id) ?? id }))} most={4} />
      ),
    },
    { title: 'Since', right: true, phone: 'time', cell: ({ attributes }) => <Time at={attributes['created-at']} /> },
    {
      title: 'Actions',
      bare: true,
      right: true,
      phone: 'menu',
      cell: (each) => (
        <Menu
          items={[
            {
              label: isInvited(each) ? 'Withdraw invitation…' : 'Remove…',
              danger: true,
              reason,
              act: () => remove(each, whoOf(each)),
            },
          ]}
          button={(attributes) => (
            <IconButton label={`Actions of ${whoOf(each)}`} {...attributes}>
              <IconDotsVertical size={16} stroke={1.6} />
            </IconButton>
          )}
        />
      ),
    },
  ]
}

function useRemove(organization: string): Shown['remove'] {
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  return async ({ id, attributes }, who) => {
    const isInvited = attributes.status === 'invited'
    const { yes } = await confirm({
      title: isInvited ? `Withdraw the invitation of ${who}?` : `Remove ${who} from ${organization}?`,
      text: isInvited
        ? 'The link that was handed over stops working.'
        : 'All rights here end at once, and locks that the person holds stay until somebody else opens them. The account stays.',
      action: isInvited ? 'Withdraw invitation' : 'Remove member',
    })
    if (!yes) return
    try {
      await call('memberships.delete', { params: { path: { membershipId: id } } })
      await refresh(['memberships', 'teams'])
      say.done(isInvited ? `The invitation of ${who} is withdrawn` : `${who} is no longer a member`)
    } catch (error) {
      say.failed(isInvited ? 'The invitation was not withdrawn' : `${who} was not removed`, error)
    }
  }
}

function Invite({ organization, reason }: { organization: string; reason: string | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<Secret>()
  return (
    <>
      <Button kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <IconPlus size={15} stroke={1.8} />
        Invite
      </Button>
      {isOpen && <InviteForm organization={organization} close={() => setOpen(false)} hand={setSecret} />}
      {secret && <ShownOnce secret={secret} close={() => setSecret(undefined)} />}
    </>
  )
}

type InviteFormProps = {
  readonly organization: string
  readonly close: () => void
  readonly hand: (secret: Secret) => void
}

function InviteForm({ organization, close, hand }: InviteFormProps) {
  const draft = useDraft({ email: '', team: '' })
  const say = useToasts()
  const refresh = useRefresh()
  const { data } = useTeams(organization)
  const teams = (data?.data ?? []).map(({ id, attributes }) => [id, attributes.name ?? id] as const)
  const send = async ({ email, team }: { email: string; team: string }) => {
    const relationships = team === '' ? {} : { teams: { data: [{ type: 'teams' as const, id: team }] } }
    const made = await call('memberships.invite', {
      params: { path: { organization } },
      body: { data: { type: 'organization-memberships', attributes: { email }, relationships } } as never,
    })
    await refresh(['memberships', 'teams'])
    const link = made.data.attributes['invitation-url']
    if (link === undefined) say.done(`${email} is a member now`)
    else
      hand({
        title: `Invitation of ${email}`,
        text: link,
        advice: 'Hand this link over: no message is sent. It works once, for 7 days, and is shown only now.',
      })
  }
  return (
    <FormDialog title={`Invite somebody to ${organization}`} close={close} draft={draft} send={send} action="Invite">
      <TextField draft={draft} name="email" type="email" label="E-mail address" />
      <ChoiceField
        draft={draft}
        name="team"
        label="Team"
        hint="What the person may do comes from teams; more can be added later"
        choices={[['', 'None yet'], ...teams]}
      />
    </FormDialog>
  )
}
