import { useRefresh } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { ChoiceField, Form, SwitchField } from '../../kit/Form.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { useWorkspace } from '../workspace.tsx'
import { type Grant, workspaceLevels } from './grants.ts'

type GrantValues = {
  readonly teamId: string
  readonly access: string
  readonly runs: string
  readonly variables: string
  readonly state: string
  readonly locking: boolean
}

const steps = {
  runs: [
    ['read', 'See runs'],
    ['plan', 'Start plans'],
    ['apply', 'Plan and apply'],
  ],
  variables: [
    ['none', 'None'],
    ['read', 'Read'],
    ['write', 'Read and write'],
  ],
  state: [
    ['none', 'None'],
    ['read-outputs', 'Read outputs'],
    ['read', 'Read'],
    ['write', 'Read and write'],
  ],
} as const

const valuesOf = (grant: Grant | undefined, teams: readonly Schemas['Team'][]): GrantValues => {
  const {
    teamId = teams[0]?.id ?? '',
    level = 'read',
    runs = 'read',
    variables = 'read',
    state = 'read',
    locking = false,
  } = grant ?? {}
  return { teamId, access: level, runs, variables, state, locking }
}

const attributesOf = ({ access, runs, variables, state, locking }: GrantValues) =>
  access === 'custom' ? { access, runs, variables, 'state-versions': state, 'workspace-locking': locking } : { access }

type GrantDialogProps = {
  /** The access to change; undefined for a team that has none yet. */
  readonly grant: Grant | undefined
  readonly teams: readonly Schemas['Team'][]
  readonly close: () => void
}

/** Gives a team access to the workspace, or changes what it has. */
export function GrantDialog({ grant, teams, close }: GrantDialogProps) {
  const { id, name } = useWorkspace()
  const say = useToasts()
  const refresh = useRefresh()
  const draft = useDraft(valuesOf(grant, teams))
  const send = async (values: GrantValues) => {
    const attributes = attributesOf(values) as { access: 'custom' }
    if (grant)
      await call('team-workspaces.update', {
        params: { path: { teamWorkspaceId: grant.key } },
        body: { data: { type: 'team-workspaces', attributes } },
      })
    else
      await call('team-workspaces.create', {
        body: { data: { type: 'team-workspaces', attributes, relationships: linked(id, values.teamId) } },
      })
    close()
    say.done(`The access to ${name} is changed`)
    await refresh(['team-workspaces', 'workspaces', 'workspace-changes'])
  }
  const reason = !grant && teams.length === 0 ? 'All teams that you see have access of their own.' : undefined
  return (
    <Dialog
      title={grant ? `Access of team ${grant.team}` : `Give a team access to ${name}`}
      close={close}
      unsaved={draft.changes.length > 0}
    >
      <Form
        draft={draft}
        send={send}
        action={grant ? 'Save access' : 'Give access'}
        isNew={!grant}
        cancel={close}
        reason={reason}
        effect="Holds at once."
      >
        {!grant && (
          <ChoiceField
            draft={draft}
            name="teamId"
            label="Team"
            choices={teams.map((team) => [team.id, team.attributes.name ?? team.id])}
          />
        )}
        <ChoiceField draft={draft} name="access" label="Access" choices={workspaceLevels} />
        {draft.values.access === 'custom' && (
          <>
            <ChoiceField draft={draft} name="runs" label="Runs" choices={steps.runs} />
            <ChoiceField draft={draft} name="variables" label="Variables" choices={steps.variables} />
            <ChoiceField draft={draft} name="state" label="State" choices={steps.state} />
            <SwitchField draft={draft} name="locking" label="Lock and unlock" />
          </>
        )}
      </Form>
    </Dialog>
  )
}

const linked = (workspaceId: string, teamId: string) => ({
  workspace: { data: { type: 'workspaces' as const, id: workspaceId } },
  team: { data: { type: 'teams' as const, id: teamId } },
})
