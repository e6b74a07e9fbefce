import { useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { AreaField, ChoiceField, Form, SwitchField, TextField } from '../../kit/Form.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { useWorkspace } from '../workspace.tsx'
import { categories, keyProblem, type Variable, type VariableValues, valueProblem } from './variable.ts'

const valuesOf = (variable: Variable | undefined): VariableValues => {
  const {
    key = '',
    value,
    category = 'terraform',
    hcl = false,
    sensitive = false,
    description,
  } = variable?.attributes ?? {}
  return { key, value: value ?? '', category, hcl, sensitive, description: description ?? '' }
}

type VariableDialogProps = {
  /** The variable to change; undefined for a new one. */
  readonly variable: Variable | undefined
  readonly all: readonly Variable[]
  readonly close: () => void
}

/** Makes or changes a variable. */
export function VariableDialog({ variable, all, close }: VariableDialogProps) {
  const { id } = useWorkspace()
  const say = useToasts()
  const refresh = useRefresh()
  const draft = useDraft<VariableValues>(valuesOf(variable))
  const { values } = draft
  const others = all.filter((other) => other.id !== variable?.id).map(valuesOf)
  const wasSensitive = variable?.attributes.sensitive ?? false
  const send = async (sent: VariableValues, changes: readonly (keyof VariableValues)[]) => {
    if (variable) await update(id, variable.id, sent, changes)
    else await create(id, sent)
    close()
    say.done(variable ? `${sent.key} is changed` : `${sent.key} is set`)
    await refresh(['vars', 'workspaces', 'workspace-changes'])
  }
  const problems = { key: keyProblem(values, others), value: valueProblem(values) }
  return (
    <Dialog
      title={variable ? `Change ${variable.attributes.key}` : 'New variable'}
      close={close}
      width={620}
      unsaved={draft.changes.length > 0}
    >
      <Form
        draft={draft}
        send={send}
        action={variable ? 'Save variable' : 'Create variable'}
        isNew={!variable}
        cancel={close}
        reason={problems.key ?? problems.value}
        effect="Holds from the next run on."
      >
        <TextField draft={draft} name="key" label="Name" problem={problems.key} first />
        <ChoiceField draft={draft} name="category" label="Kind" choices={categories} />
        <AreaField
          draft={draft}
          name="value"
          label="Value"
          hint={wasSensitive ? 'The value is kept unless you type a new one.' : undefined}
          problem={problems.value}
          mono
        />
        {values.category !== 'env' && (
          <SwitchField
            draft={draft}
            name="hcl"
            label="HCL"
            hint="The value is an expression, such as a list or a map."
          />
        )}
        <SwitchField
          draft={draft}
          name="sensitive"
          label="Sensitive"
          hint="The value is never shown again. This cannot be switched off later."
          reason={wasSensitive ? 'Delete the variable and make it again to show its value.' : undefined}
        />
        <TextField draft={draft} name="description" label="What for" />
      </Form>
    </Dialog>
  )
}

const create = (workspaceId: string, { category, ...rest }: VariableValues) =>
  call('vars.create', {
    params: { path: { workspaceId } },
    body: { data: { type: 'vars', attributes: { ...rest, category: category as 'env' } } },
  })

const update = (
  workspaceId: string,
  variableId: string,
  values: VariableValues,
  changes: readonly (keyof VariableValues)[],
) =>
  call('vars.update', {
    params: { path: { workspaceId, variableId } },
    body: { data: { type: 'vars', attributes: Object.fromEntries(changes.map((name) => [name, values[name]])) } },
  })
