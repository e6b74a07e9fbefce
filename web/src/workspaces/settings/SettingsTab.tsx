import { useNavigate } from '@tanstack/react-router'
import { useAnswer, useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { type Draft, useDraft } from '../../kit/drafts.ts'
import { AreaField, ChoiceField, Form, Group, ListField, Pair, SwitchField, TextField } from '../../kit/Form.tsx'
import { Note } from '../../kit/Page.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { nameIn, targetOf } from '../names.ts'
import { originOf } from '../overview/InForce.tsx'
import { type OpenWorkspace, useWorkspace } from '../workspace.tsx'
import { Deletion } from './Deletion.tsx'
import styles from './Settings.module.css'
import { changeOf, fieldOf, problemsOf, type SettingsValues, valuesOf } from './settings.ts'

/** The settings of a workspace, and its end. */
export function SettingsTab() {
  const workspace = useWorkspace()
  const reason = workspace.reasonNot('can-read-settings')
  if (reason !== undefined) return <Note tone="calm">{reason}</Note>
  return (
    <>
      <SettingsForm workspace={workspace} />
      <div className={styles.below}>
        <Deletion />
      </div>
    </>
  )
}

type FieldsProps = {
  readonly draft: Draft<SettingsValues>
  readonly problems: ReturnType<typeof problemsOf>
  readonly reason: string | undefined
}

function SettingsForm({ workspace }: { workspace: OpenWorkspace }) {
  const { id, name, attributes, relationships, organization, reasonNot } = workspace
  const projectId = targetOf(relationships.project)?.id ?? ''
  const poolId = targetOf(relationships['agent-pool'])?.id ?? ''
  const draft = useDraft(valuesOf(attributes, projectId, poolId), fieldOf)
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const reason = reasonNot('can-update')
  const problems = problemsOf(draft.values)
  const send = async (values: SettingsValues, changes: readonly (keyof SettingsValues & string)[]) => {
    const { attributes: changed, relationships: linked } = changeOf(values, changes)
    const data = { type: 'workspaces' as const, attributes: changed, ...(linked && { relationships: linked }) }
    await call('workspaces.update', { params: { path: { workspaceId: id } }, body: { data } })
    say.done(`The settings of ${values.name} are saved`)
    // Nothing is unsaved any more, so nobody is asked about leaving.
    if (values.name !== name)
      await navigate({
        to: '/$organization/workspaces/$name/settings' as never,
        params: { organization, name: values.name } as never,
        replace: true,
        ignoreBlocker: true,
      })
    await refresh(['workspaces', 'workspace-changes', 'tag-bindings'])
  }
  const fields = { draft, problems, reason }
  return (
    <Form
      draft={draft}
      send={send}
      action="Save settings"
      denied={reason}
      reason={Object.values(problems)[0]}
      effect="Holds from the next run on."
    >
      <General {...fields} />
      <Runs {...fields} />
      <Triggers {...fields} />
      <Sharing {...fields} />
      <Destruction {...fields} />
    </Form>
  )
}

function General({ draft, problems, reason }: FieldsProps) {
  const { organization, names, relationships } = useWorkspace()
  const params = { path: { organization }, query: { 'page[size]': 100, sort: 'name' as const } }
  const projects = useAnswer('projects.list', { params }).data?.data ?? []
  const own = targetOf(relationships.project)
  const known = projects.some(({ id }) => id === own?.id)
  return (
    <Group title="General">
      <TextField
        draft={draft}
        name="name"
        label="Name"
        hint="Configurations refer to it: change them too when you rename it."
        problem={problems.name}
        reason={reason}
      />
      <ChoiceField
        draft={draft}
        name="project"
        label="Project"
        hint="Moving it changes what it inherits, and who has access."
        reason={reason}
        choices={[
          ...(own && !known
            ? [[own.id, nameIn(names, relationships.project) || 'One that you may not see'] as const]
            : []),
          ...projects.map(({ id, attributes }) => [id, attributes.name ?? id] as const),
        ]}
      />
      <AreaField draft={draft} name="description" label="What it is for" rows={2} reason={reason} />
      <TextField draft={draft} name="contact" label="Whom to ask about it" reason={reason} />
    </Group>
  )
}

const modes = [
  ['remote', 'Remote: this server runs it'],
  ['agent', 'Agent: an agent of a pool runs it'],
  ['local', 'Local: it runs where the command is typed; state is kept here'],
] as const

function Runs({ draft, problems, reason }: FieldsProps) {
  const workspace = useWorkspace()
  const { organization, attributes } = workspace
  const isAgent = draft.values.mode === 'agent'
  const pools =
    useAnswer('agent-pools.list', { params: { path: { organization } } }, { when: isAgent }).data?.data ?? []
  const inherited = attributes['setting-overwrites']?.['execution-mode']
    ? 'As its project or the organization says'
    : `As it is now: ${attributes['execution-mode']} ${originOf(workspace, 'execution-mode')}`
  return (
    <Group title="Runs">
      <ChoiceField
        draft={draft}
        name="mode"
        label="Where it runs"
        choices={[['', inherited], ...modes]}
        reason={reason}
      />
      {isAgent && (
        <ChoiceField
          draft={draft}
          name="pool"
          label="Agent pool"
          choices={[['', 'Choose a pool'], ...pools.map((pool) => [pool.id, pool.attributes.name ?? pool.id] as const)]}
          reason={reason}
        />
      )}
      <Pair>
        <TextField
          draft={draft}
          name="toolVersion"
          label="Tool version"
          placeholder="~> 1.9"
          problem={problems.toolVersion}
          reason={reason}
        />
        <TextField
          draft={draft}
          name="folder"
          label="Folder in the repository"
          placeholder="envs/prod"
          problem={problems.folder}
          reason={reason}
        />
      </Pair>
      <Applies draft={draft} reason={reason} />
    </Group>
  )
}

const Applies = ({ draft, reason }: Omit<FieldsProps, 'problems'>) => (
  <>
    <SwitchField
      draft={draft}
      name="autoApply"
      label="Apply without asking"
      hint="A plan that succeeds is applied when a person or a push started it."
      reason={reason}
    />
    <SwitchField
      draft={draft}
      name="autoApplyTriggered"
      label="Apply without asking after another workspace"
      hint="The same when a run trigger started it."
      reason={reason}
    />
    <SwitchField
      draft={draft}
      name="allowDestroy"
      label="Allow plans that destroy everything"
      hint="Off protects what must never go as a whole."
      reason={reason}
    />
  </>
)

const Triggers = ({ draft, reason }: FieldsProps) => (
  <Group title="What starts runs">
    <SwitchField
      draft={draft}
      name="queueAll"
      label="Start before the first run by hand"
      hint="Off: pushes start runs only after somebody has started the first one."
      reason={reason}
    />
    <SwitchField draft={draft} name="speculative" label="Plan pull requests" reason={reason} />
    <SwitchField
      draft={draft}
      name="fileTriggers"
      label="Only pushes that touch its files"
      hint="Those in its folder, and those that match below."
      reason={reason}
    />
    {draft.values.fileTriggers && (
      <>
        <ListField draft={draft} name="prefixes" label="Paths" placeholder="modules/network" reason={reason} />
        <ListField draft={draft} name="patterns" label="Patterns" placeholder="**/*.tf" reason={reason} />
      </>
    )}
  </Group>
)

const Sharing = ({ draft, reason }: FieldsProps) => (
  <Group title="Who reads its state">
    <ChoiceField
      draft={draft}
      name="readers"
      label="Workspaces that may read it"
      choices={[
        ['chosen', 'Those chosen under Access'],
        ['project', 'All of its project'],
        ['all', 'All of the organization'],
      ]}
      reason={reason}
    />
  </Group>
)

const Destruction = ({ draft, problems, reason }: FieldsProps) => (
  <Group title="End of its resources">
    <ChoiceField
      draft={draft}
      name="destroy"
      label="When everything that it manages is destroyed"
      choices={[
        ['project', 'As its project says'],
        ['never', 'Never by itself'],
        ['after', 'After a time without changes'],
        ['at', 'At a time'],
      ]}
      reason={reason}
    />
    {draft.values.destroy === 'after' && (
      <TextField
        draft={draft}
        name="destroyAfter"
        label="Time without changes"
        placeholder="14d"
        problem={problems.destroyAfter}
        reason={reason}
      />
    )}
    {draft.values.destroy === 'at' && (
      <TextField
        draft={draft}
        name="destroyAt"
        type="datetime-local"
        label="At"
        problem={problems.destroyAt}
        reason={reason}
      />
    )}
  </Group>
)
