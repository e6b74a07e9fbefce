import { useNavigate } from '@tanstack/react-router'
import { useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Button } from '../kit/Button.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { type Draft, useDraft } from '../kit/drafts.ts'
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

/** The auth methods whose roles may name a team. */
const loginMethods = [
  ['cert', 'Certificate logins may act as this team', 'A certificate role that names the team then gives its rights.'],
  ['approle', 'AppRole logins may act as this team', 'So does a role of a method of type approle.'],
  ['jwt', 'JWT logins may act as this team', 'So does a role of a method of type jwt.'],
] as const

type LoginMethod = (typeof loginMethods)[number][0]

const isLogin = <Name extends string>(name: Name): name is Name & `login-${LoginMethod}` => name.startsWith('login-')

type Values = {
  readonly name: string
  readonly visibility: string
  readonly 'allow-member-token-management': boolean
} & Readonly<Record<`login-${LoginMethod}` | (typeof organizationRights)[number][0], boolean>>

const valuesOf = ({ attributes }: Team): Values =>
  ({
    name: attributes.name ?? '',
    visibility: attributes.visibility ?? 'secret',
    'allow-member-token-management': attributes['allow-member-token-management'] ?? false,
    ...Object.fromEntries(
      loginMethods.map(([method]) => [
        `login-${method}`,
        attributes['allowed-login-methods']?.includes(method) ?? false,
      ]),
    ),
    ...Object.fromEntries(
      organizationRights.map(([right]) => [right, attributes['organization-access']?.[right] ?? false]),
    ),
  }) as Values

const isRight = (name: string): boolean => organizationRights.some(([right]) => right === name)

/** Only what was changed is sent; rights have a place of their own, and methods are one list. */
function attributesOf(values: Values, changes: readonly (keyof Values & string)[]) {
  const valuesOfSome = (names: readonly (keyof Values & string)[]) =>
    Object.fromEntries(names.map((name) => [name, values[name]]))
  const rights = changes.filter(isRight)
  const methods = loginMethods.map(([method]) => method).filter((method) => values[`login-${method}`])
  return {
    ...valuesOfSome(changes.filter((name) => !isRight(name) && !isLogin(name))),
    ...(changes.some(isLogin) && { 'allowed-login-methods': methods }),
    ...(rights.length > 0 && { 'organization-access': valuesOfSome(rights) }),
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
        <Logins draft={draft} reason={otherReason} />
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

/** Which logins below `/v1` may act as the team. */
const Logins = ({ draft, reason }: { draft: Draft<Values>; reason: string | undefined }) =>
  loginMethods.map(([method, label, hint]) => (
    <SwitchField key={method} draft={draft} name={`login-${method}`} label={label} hint={hint} reason={reason} />
  ))

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
