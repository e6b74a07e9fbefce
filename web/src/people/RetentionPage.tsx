import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { useDraft } from '../kit/drafts.ts'
import { ChoiceField, Form, TextField } from '../kit/Form.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { idIn, unless } from './organization.ts'
import { SettingsFrame } from './SettingsFrame.tsx'

type Policy = Schemas['RetentionPolicyDocument']['data']

/** How long old state is kept, unless a workspace says otherwise. */
export const RetentionPage = () => (
  <SettingsFrame>
    {({ attributes, relationships }) => (
      <Policies
        organization={attributes.name ?? ''}
        isSet={idIn(relationships?.['data-retention-policy']) !== undefined}
        reason={unless(attributes.permissions?.['can-update'], 'change how long state is kept')}
      />
    )}
  </SettingsFrame>
)

type PoliciesProps = {
  readonly organization: string
  readonly isSet: boolean
  readonly reason: string | undefined
}

function Policies({ organization, isSet, reason }: PoliciesProps) {
  const asked = useAnswer('organizations.retention-policy', { params: { path: { organization } } }, { when: isSet })
  const of = !isSet ? { data: { data: undefined }, error: undefined, refetch: asked.refetch } : asked
  return (
    <Answer of={of} failed="The retention policy could not be read">
      {({ data }: { data: Policy | undefined }) => (
        <PolicyForm key={data?.id ?? 'none'} organization={organization} reason={reason} policy={data} />
      )}
    </Answer>
  )
}

type Values = { readonly kind: string; readonly days: string }

const older = 'data-retention-policy-delete-olders'
const forever = 'data-retention-policy-dont-deletes'

type PolicyFormProps = Omit<PoliciesProps, 'isSet'> & { readonly policy: Policy | undefined }

function PolicyForm({ organization, reason, policy }: PolicyFormProps) {
  const draft = useDraft<Values>({
    kind: policy?.type ?? 'none',
    days: String(policy?.attributes?.['delete-older-than-n-days'] ?? 90),
  })
  const say = useToasts()
  const refresh = useRefresh()
  const send = async ({ kind, days }: Values) => {
    const params = { path: { organization } }
    const attributes = kind === older ? { 'delete-older-than-n-days': Number(days) } : {}
    if (kind === 'none') await call('organizations.remove-retention-policy', { params })
    else
      await call('organizations.set-retention-policy', {
        params,
        body: { data: { type: kind as typeof older, attributes } },
      })
    await refresh(['organizations'])
    say.done('The retention policy was saved')
  }
  return (
    <Form
      draft={draft}
      send={send}
      action="Save policy"
      denied={reason}
      effect="Holds for workspaces without a policy of their own. The current state is never deleted."
    >
      <ChoiceField
        draft={draft}
        name="kind"
        label="Old state"
        reason={reason}
        choices={[
          ['none', 'No policy: nothing is deleted'],
          [forever, 'Keep for ever, also where a policy of the server would delete'],
          [older, 'Delete after some days'],
        ]}
      />
      {draft.values.kind === older && (
        <TextField
          draft={draft}
          name="days"
          type="number"
          label="Days"
          hint="State that is older and not the current one is deleted for good"
          reason={reason}
        />
      )}
    </Form>
  )
}
