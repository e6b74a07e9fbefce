import { useNavigate } from '@tanstack/react-router'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { type Draft, useDraft } from '../kit/drafts.ts'
import { ChoiceField, Form, Group, SwitchField, TextField } from '../kit/Form.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { idIn, unless } from './organization.ts'
import { SettingsFrame } from './SettingsFrame.tsx'

type Organization = Schemas['Organization']

/** What an organization decides for everything in it. */
export const SettingsPage = () => (
  <SettingsFrame>{(organization) => <SettingsForm key={organization.id} organization={organization} />}</SettingsFrame>
)

const flags = [
  [
    'workspaces-inherit-settings-by-default',
    'New workspaces follow these defaults',
    'Otherwise they copy them, and later changes here do not reach them.',
  ],
  [
    'default-global-remote-state',
    'Workspaces share their state with all others',
    'For workspaces that do not set it themselves.',
  ],
  [
    'allow-force-delete-workspaces',
    'Administrators of a workspace may delete it by force',
    'Without the check that it manages nothing any more.',
  ],
  [
    'keep-outputs-of-encrypted-state',
    'Keep the readable outputs that come with encrypted state',
    'Without them no page shows outputs of such workspaces.',
  ],
  ['user-tokens-enabled', 'Accept tokens of people', 'Tokens of teams are always accepted.'],
  ['assessments-enforced', 'Assess the health of every workspace', 'Workspaces cannot opt out.'],
] as const

type Flag = (typeof flags)[number][0]

type Values = {
  readonly name: string
  readonly email: string
  readonly 'default-execution-mode': string
  readonly 'default-agent-pool-id': string
  readonly 'default-tool': string
} & Readonly<Record<Flag, boolean>>

const valuesOf = ({ attributes, relationships }: Organization): Values => ({
  name: attributes.name ?? '',
  email: attributes.email ?? '',
  'default-execution-mode': attributes['default-execution-mode'] ?? 'remote',
  'default-agent-pool-id': idIn(relationships?.['default-agent-pool']) ?? '',
  'default-tool': attributes['default-tool'] ?? 'opentofu',
  ...(Object.fromEntries(flags.map(([name]) => [name, attributes[name] ?? false])) as Record<Flag, boolean>),
})

function SettingsForm({ organization }: { organization: Organization }) {
  const before = organization.attributes.name ?? ''
  const draft = useDraft(valuesOf(organization))
  const reason = unless(organization.attributes.permissions?.['can-update'], `change ${before}`)
  const path = { organization: before }
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const send = async (values: Values, changes: readonly (keyof Values & string)[]) => {
    const attributes = Object.fromEntries(changes.map((name) => [name, values[name]]))
    const body = { data: { attributes } }
    await call('organizations.update', { params: { path }, body })
    if (values.name !== before) navigate({ to: '.', params: { organization: values.name }, replace: true } as never)
    await refresh(['organizations'])
    say.done(`Organization ${values.name} was saved`)
  }
  return (
    <Form draft={draft} send={send} action="Save settings" denied={reason} effect="Holds at once.">
      <Group title="Organization">
        <TextField
          draft={draft}
          name="name"
          label="Name"
          hint="Part of every address: configurations that name it must be changed, too"
          reason={reason}
        />
        <TextField draft={draft} name="email" type="email" label="E-mail address of the owners" reason={reason} />
      </Group>
      <Defaults organization={before} draft={draft} reason={reason} />
      <Group title="Rules">
        {flags.map(([name, label, hint]) => (
          <SwitchField key={name} draft={draft} name={name} label={label} hint={hint} reason={reason} />
        ))}
      </Group>
    </Form>
  )
}

type DefaultsProps = {
  readonly organization: string
  readonly draft: Draft<Values>
  readonly reason: string | undefined
}

function Defaults({ organization, draft, reason }: DefaultsProps) {
  const path = { organization }
  const pools = useAnswer('agent-pools.list', { params: { path, query: { 'page[size]': 100 } } })
  return (
    <Group title="Defaults of workspaces">
      <ChoiceField
        draft={draft}
        name="default-execution-mode"
        label="Execution mode"
        reason={reason}
        choices={[
          ['remote', 'Remote: the server carries out runs'],
          ['local', 'Local: only state is kept here'],
          ['agent', 'Agent: agents carry out runs'],
        ]}
      />
      {draft.values['default-execution-mode'] === 'agent' && (
        <ChoiceField
          draft={draft}
          name="default-agent-pool-id"
          label="Agent pool"
          reason={reason}
          choices={[
            ['', 'Choose…'],
            ...(pools.data?.data ?? []).map(({ id, attributes }) => [id, attributes.name ?? id] as const),
          ]}
        />
      )}
      <ChoiceField
        draft={draft}
        name="default-tool"
        label="Tool"
        reason={reason}
        choices={[
          ['opentofu', 'OpenTofu'],
          ['terraform', 'Terraform'],
        ]}
      />
    </Group>
  )
}
