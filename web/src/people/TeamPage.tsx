import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { useDraft } from '../kit/drafts.ts'
import { ChoiceField } from '../kit/Form.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { type Column, Pager, Table } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { idIn, namesOf, unless, usePart } from './organization.ts'
import type { PeopleSearch } from './search.ts'
import { TeamFrame } from './TeamFrame.tsx'

type Team = Schemas['Team']
type Membership = Schemas['OrganizationMembership']

const pageSize = 50

/** Who is in a team. */
export const TeamMembersPage = () => (
  <TeamFrame actions={(team) => <AddMember team={team} />}>{(team) => <Members team={team} />}</TeamFrame>
)

const fillReason = ({ attributes }: Team): string | undefined =>
  unless(attributes.permissions?.['can-update-membership'], `change who is in team ${attributes.name}`)

function Members({ team }: { team: Team }) {
  const { page = 1 } = useSearch({ strict: false }) as PeopleSearch
  const navigate = useNavigate()
  const remove = useRemoveMember(team)
  const query = { 'page[size]': pageSize, 'page[number]': page, include: 'user' }
  const asked = useAnswer('memberships.of-team', { params: { path: { teamId: team.id }, query } }, { keep: true })
  return (
    <Answer of={asked} failed="The members could not be read">
      {(found) => (
        <Table
          label={`Members of ${team.attributes.name}`}
          columns={memberColumns(namesOf(found), fillReason(team), remove)}
          rows={found.data}
          keyOf={({ id }) => id}
          nothing="Nobody is in this team yet. Its tokens work without members."
          foot={
            <Pager
              page={page}
              pageSize={pageSize}
              shown={found.data.length}
              total={found.meta.pagination['total-count']}
              change={(next) => navigate({ to: '.', search: { page: next } as never })}
            />
          }
        />
      )}
    </Answer>
  )
}

type Remove = (membership: Membership, name: string) => unknown

const memberColumns = (
  names: ReadonlyMap<string, string>,
  reason: string | undefined,
  remove: Remove,
): readonly Column<Membership>[] => {
  const nameOf = (membership: Membership) => names.get(idIn(membership.relationships?.user) ?? '') ?? ''
  return [
    {
      title: 'Member',
      phone: 'name',
      cell: (each) => (each.attributes.status === 'invited' ? each.attributes.email : nameOf(each)),
    },
    { title: 'E-mail address', grow: true, cell: ({ attributes }) => attributes.email },
    {
      title: 'Status',
      phone: 'status',
      cell: ({ attributes }) => (attributes.status === 'invited' ? 'Invited' : 'Member'),
    },
    { title: 'Since', phone: 'time', cell: ({ attributes }) => <Time at={attributes['created-at']} /> },
    {
      title: 'Change',
      right: true,
      phone: 'fact',
      cell: (each) => (
        <Button small kind="danger" reason={reason} onClick={() => remove(each, nameOf(each))}>
          Remove…
        </Button>
      ),
    },
  ]
}

function useRemoveMember(team: Team): Remove {
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const { name } = team.attributes
  return async ({ id }, who) => {
    const { yes } = await confirm({
      title: `Remove ${who} from team ${name}?`,
      text: 'The rights that come with this team end at once. The person stays a member of the organization.',
      action: 'Remove from team',
    })
    if (!yes) return
    const input = {
      params: { path: { teamId: team.id } },
      body: { data: [{ type: 'organization-memberships' as const, id }] },
    }
    const again = async () => {
      await call('teams.add-organization-memberships', input)
      await refresh(['memberships', 'teams'])
    }
    try {
      await call('teams.remove-organization-memberships', input)
      await refresh(['memberships', 'teams'])
      say.done(`${who} is no longer in team ${name}`, { undo: again })
    } catch (error) {
      say.failed(`${who} was not removed`, error)
    }
  }
}

function AddMember({ team }: { team: Team }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind="primary" reason={fillReason(team)} onClick={() => setOpen(true)}>
        Add member
      </Button>
      {isOpen && <AddMemberForm team={team} close={() => setOpen(false)} />}
    </>
  )
}

function AddMemberForm({ team, close }: { team: Team; close: () => void }) {
  const organization = usePart('organization')
  const say = useToasts()
  const refresh = useRefresh()
  const draft = useDraft({ membership: '' })
  const query = { 'page[size]': 100, include: 'user' }
  const { data } = useAnswer('memberships.list', { params: { path: { organization }, query } })
  const names = namesOf(data ?? {})
  const others = (data?.data ?? []).filter(
    ({ relationships }) =>
      !(relationships?.teams?.data as { id: string }[] | undefined)?.some(({ id }) => id === team.id),
  )
  const choices = others.map(({ id, attributes, relationships }) => {
    const name = names.get(idIn(relationships?.user) ?? '')
    return [
      id,
      attributes.status === 'invited' ? `${attributes.email} (invited)` : `${name}, ${attributes.email}`,
    ] as const
  })
  const send = async ({ membership }: { membership: string }) => {
    await call('teams.add-organization-memberships', {
      params: { path: { teamId: team.id } },
      body: { data: [{ type: 'organization-memberships', id: membership }] },
    })
    await refresh(['memberships', 'teams'])
    say.done(`The member was added to team ${team.attributes.name}`)
  }
  return (
    <FormDialog
      title={`Add a member to ${team.attributes.name}`}
      close={close}
      draft={draft}
      send={send}
      action="Add member"
      reason={draft.values.membership === '' ? 'Choose a member first.' : undefined}
    >
      <ChoiceField
        draft={draft}
        name="membership"
        label="Member of the organization"
        hint="Invite others on the page of members"
        choices={[['', 'Choose…'], ...choices]}
      />
    </FormDialog>
  )
}
