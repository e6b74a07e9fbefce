import { useNavigate } from '@tanstack/react-router'
import { useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Button } from '../kit/Button.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { useDraft } from '../kit/drafts.ts'
import { ChoiceField, Form, Group, SwitchField, TextField } from '../kit/Form.tsx'
import { counted } from '../kit/numbers.ts'
import { useToasts } from '../kit/Toasts.tsx'
import { organizationRights } from './access.ts'
import { visibilities } from './NewTeam.tsx'
import { unless, usePart } from './organization.ts'
import { TeamFrame } from './TeamFrame.tsx'

type Team = Schemas['Team']

/** What a team is called, who sees it, and what it may do in the whole organization. */
export const TeamSettingsPage = () => (
  <TeamFrame actions={(team) => <DeleteTeam team={team} />}>
    {(team) => <TeamForm key={team.id} team={team} />}
  </TeamFrame>
)

type Values = {
  readonly name: string
  readonly visibility: string
  readonly 'allow-member-token-management': boolean
  readonly 'allow-certificate-login': boolean
} & Readonly<Record<(typeof organizationRights)[number][0], boolean>>

const valuesOf = ({ attributes }: Team): Values =>
  ({
    name: attributes.name ?? '',
    visibility: attributes.visibility ?? 'secret',
    'allow-member-token-management': attributes['allow-member-token-management'] ?? false,
    'allow-certificate-login': attributes['allow-certificate-login'] ?? false,
    ...Object.fromEntries(
      organizationRights.map(([right]) => [right, attributes['organization-access']?.[right] ?? false]),
    ),
  }) as Values

const isRight = (name: string): boolean => organizationRights.some(([right]) => right === name)

/** Only what was changed is sent; rights have a place of their own. */
function attributesOf(values: Values, changes: readonly (keyof Values & string)[]) {
  const sent = changes.map((name) => [name, values[name]] as const)
  const rights = sent.filter(([name]) => isRight(name))
  return {
    ...Object.fromEntries(sent.filter(([name]) => !isRight(name))),
    ...(rights.length > 0 && { 'organization-access': Object.fromEntries(rights) }),
  }
}

function TeamForm({ team }: { team: Team }) {
  const organization = usePart('organization')
  const draft = useDraft(valuesOf(team))
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const { permissions, name: before } = team.attributes
  const isOwners = before === 'owners'
  const nameReason = isOwners
    ? 'The team of owners keeps its name.'
    : unless(permissions?.['can-update-name'], `rename team ${before}`)
  const rightReason = isOwners
    ? 'Owners always have all rights.'
    : unless(permissions?.['can-update-organization-access'], `change the rights of team ${before}`)
  const otherReason = unless(permissions?.['can-destroy'] || isOwners, `change team ${before}`)
  const send = async (values: Values, changes: readonly (keyof Values & string)[]) => {
    const body = { data: { attributes: attributesOf(values, changes) } }
    await call('teams.update', { params: { path: { teamId: team.id } }, body })
    if (values.name !== before)
      navigate({ to: '.', params: { organization, team: values.name } as never, replace: true } as never)
    await refresh(['teams'])
    say.done(`Team ${values.name} was saved`)
  }
  return (
    <Form draft={draft} send={send} action="Save team" effect="Rights count at once.">
      <Group title="Team">
        <TextField draft={draft} name="name" label="Name" reason={nameReason} />
        <ChoiceField
          draft={draft}
          name="visibility"
          label="Who sees it"
          choices={visibilities}
          reason={unless(permissions?.['can-update-visibility'], `change who sees team ${before}`)}
        />
        <SwitchField
          draft={draft}
          name="allow-member-token-management"
          label="Members make tokens of the team"
          hint="Otherwise those who manage teams do."
          reason={otherReason}
        />
        <SwitchField
          draft={draft}
          name="allow-certificate-login"
          label="Certificate logins may act as this team"
          hint="A certificate role that names the team then gives its rights."
          reason={otherReason}
        />
      </Group>
      {(['Workspaces and projects', 'People and teams', 'Runs and connections'] as const).map((title) => (
        <Group key={title} title={title}>
          {organizationRights
            .filter(([, , , group]) => group === title)
            .map(([right, label, hint]) => (
              <SwitchField key={right} draft={draft} name={right} label={label} hint={hint} reason={rightReason} />
            ))}
        </Group>
      ))}
    </Form>
  )
}

function DeleteTeam({ team }: { team: Team }) {
  const organization = usePart('organization')
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const { name = '', permissions, 'users-count': members = 0 } = team.attributes
  const reason =
    name === 'owners' ? 'Every organization has owners.' : unless(permissions?.['can-destroy'], `delete team ${name}`)
  const remove = async () => {
    const { yes } = await confirm({
      title: `Delete team ${name}?`,
      text: `${counted(members, 'member')} lose what this team allows, and its tokens stop working at once. Nobody leaves the organization.`,
      action: 'Delete team',
      typed: name,
    })
    if (!yes) return
    try {
      await call('teams.delete', { params: { path: { teamId: team.id } } })
      await refresh(['teams'])
      say.done(`Team ${name} is deleted`)
      navigate({ to: '/$organization/organization/access/teams', params: { organization } } as never)
    } catch (error) {
      say.failed(`Team ${name} was not deleted`, error)
    }
  }
  return (
    <Button kind="danger" reason={reason} onClick={remove}>
      Delete team…
    </Button>
  )
}
