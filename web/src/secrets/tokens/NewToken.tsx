import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { type Draft, useDraft } from '../../kit/drafts.ts'
import { AreaField, ChoiceField, ListField, Pair, SwitchField, TextField } from '../../kit/Form.tsx'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { useDone, warningsIn } from '../act.ts'
import { pairsOf } from '../searches.ts'

const blank = {
  display_name: '',
  policies: [] as readonly string[],
  ttl: '',
  explicit_max_ttl: '',
  period: '',
  num_uses: '',
  type: 'service',
  no_parent: false,
  renewable: true,
  metadata: '',
}

/** What was not filled in is left to the server. */
const bodyOf = ({ metadata, num_uses, policies, ...rest }: typeof blank) => ({
  ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '')),
  ...(num_uses.trim() !== '' && { num_uses: Number(num_uses) }),
  policies: [...policies],
  meta: pairsOf(metadata),
})

/** For how long it lives, and how often it may be used. */
const Terms = ({ draft }: { draft: Draft<typeof blank> }) => (
  <>
    <Pair>
      <TextField draft={draft} name="ttl" label="Lifetime" hint="Such as 1h or 30m." placeholder="As the server says" />
      <TextField
        draft={draft}
        name="explicit_max_ttl"
        label="With renewals"
        hint="At most so long."
        placeholder="As the server says"
      />
    </Pair>
    <Pair>
      <ChoiceField
        draft={draft}
        name="type"
        label="Type"
        hint="Batch tokens are not stored."
        choices={[
          ['service', 'Service'],
          ['batch', 'Batch'],
        ]}
      />
      <TextField
        draft={draft}
        name="num_uses"
        label="Uses"
        hint="How often it may be used."
        type="number"
        placeholder="No limit"
        reason={draft.values.type === 'batch' ? 'Uses of batch tokens cannot be counted.' : undefined}
      />
    </Pair>
    <TextField
      draft={draft}
      name="period"
      label="Period"
      hint="Each renewal gives it this time again, without end. Needs sudo."
      placeholder="Not periodic"
    />
  </>
)

/** Makes a token; `show` gets its text, which nobody can ask for again. */
export function NewToken({ close, show }: { close: () => void; show: (text: string) => void }) {
  const [first] = useState(blank)
  const draft = useDraft(first)
  const tell = useDone(['tokens', 'policies'])
  const own = useAnswer('tokens.lookup-self', {}).data?.data
  const { policies } = draft.values
  return (
    <FormDialog
      title="New token"
      close={close}
      draft={draft}
      width={620}
      action="Create token"
      effect="It is shown once, and ends with your own token, unless it is an orphan."
      reason={policies.length === 0 ? 'Name its policies first: without any, it would get all of yours.' : undefined}
      send={async (values) => {
        const answer = await call('tokens.create', { body: bodyOf(values) })
        show(answer.auth?.client_token ?? '')
        await tell({ done: 'The token is created', text: warningsIn(answer) })
      }}
    >
      <TextField draft={draft} name="display_name" label="Name" hint="Audit records and lists show it." first />
      <ListField
        draft={draft}
        name="policies"
        label="Policies"
        hint={
          own ? `Of your own, unless you have sudo: ${own.policies.join(', ')}.` : 'Of your own, unless you have sudo.'
        }
      />
      <Terms draft={draft} />
      <SwitchField draft={draft} name="renewable" label="Can be renewed" />
      <SwitchField
        draft={draft}
        name="no_parent"
        label="Orphan"
        hint="It stays when your own token ends. Needs sudo."
      />
      <AreaField
        draft={draft}
        name="metadata"
        label="Metadata"
        hint="One key=value on each line; audit records have them."
        rows={2}
        mono
      />
    </FormDialog>
  )
}
