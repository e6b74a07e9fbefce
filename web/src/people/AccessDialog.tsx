import { useRefresh } from '../api/answers.ts'
import { useDraft } from '../kit/drafts.ts'
import { ChoiceField, Pair, SwitchField } from '../kit/Form.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import type { Access } from './access.ts'
import { type Kind, setAccess, type Wanted } from './useAccess.ts'

const levels: Readonly<Record<Kind, readonly (readonly [string, string])[]>> = {
  project: [
    ['none', 'None'],
    ['read', 'Read: workspaces, their state and variables'],
    ['write', 'Write: plan, apply, lock, change state and variables'],
    ['maintain', 'Maintain: the same, and delete workspaces'],
    ['admin', 'Admin: everything, with settings and access'],
    ['custom', 'Custom: each right by itself'],
  ],
  workspace: [
    ['none', 'None'],
    ['read', 'Read: state and variables'],
    ['plan', 'Plan: read, and plan'],
    ['write', 'Write: apply, lock, change state and variables'],
    ['admin', 'Admin: everything, with settings and access'],
    ['custom', 'Custom: each right by itself'],
  ],
}

const pairs = (...values: readonly string[]) =>
  values.map((value) => [value, value.charAt(0).toUpperCase() + value.slice(1).replaceAll('-', ' ')] as const)

type AccessDialogProps = {
  readonly kind: Kind
  readonly team: { readonly id: string; readonly name: string }
  readonly on: { readonly id: string; readonly name: string }
  readonly given: Access | undefined
  readonly close: () => void
}

/** What a team may do in a project or workspace, to be changed. */
export function AccessDialog({ kind, team, on, given, close }: AccessDialogProps) {
  const say = useToasts()
  const refresh = useRefresh()
  const draft = useDraft<Wanted>({
    level: given?.level ?? 'read',
    runs: given?.runs ?? 'read',
    variables: given?.variables ?? 'none',
    stateVersions: given?.stateVersions ?? 'none',
    locking: given?.locking ?? false,
    deletes: given?.deletes ?? false,
    settings: given?.settings ?? 'read',
    teams: given?.teams ?? 'none',
  })
  const change = { kind, team: team.id, on: on.id, given }
  const { level } = draft.values
  const send = async (wanted: Wanted) => {
    await setAccess(change, wanted)
    await refresh([`team-${kind}s`, 'projects'])
    say.done(`Team ${team.name} has ${wanted.level === 'none' ? 'no' : wanted.level} access to ${on.name}`)
  }
  return (
    <FormDialog
      title={`What may ${team.name} do in ${on.name}?`}
      close={close}
      draft={draft}
      send={send}
      action="Save access"
      isNew={given === undefined}
      width={level === 'custom' ? 620 : 420}
    >
      <ChoiceField draft={draft} name="level" label="Access" choices={levels[kind]} />
      {level === 'custom' && (
        <>
          <Pair>
            <ChoiceField draft={draft} name="runs" label="Runs" choices={pairs('read', 'plan', 'apply')} />
            <ChoiceField draft={draft} name="variables" label="Variables" choices={pairs('none', 'read', 'write')} />
          </Pair>
          <ChoiceField
            draft={draft}
            name="stateVersions"
            label="State"
            choices={pairs('none', 'read-outputs', 'read', 'write')}
          />
          <SwitchField draft={draft} name="locking" label="Lock and unlock" />
          {kind === 'project' && (
            <>
              <SwitchField draft={draft} name="deletes" label="Delete workspaces" />
              <Pair>
                <ChoiceField
                  draft={draft}
                  name="settings"
                  label="Settings of the project"
                  choices={pairs('read', 'update', 'delete')}
                />
                <ChoiceField
                  draft={draft}
                  name="teams"
                  label="Access of teams"
                  choices={pairs('none', 'read', 'manage')}
                />
              </Pair>
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}
