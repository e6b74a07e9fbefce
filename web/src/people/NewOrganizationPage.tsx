import { useNavigate } from '@tanstack/react-router'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { useDraft } from '../kit/drafts.ts'
import { Form, TextField } from '../kit/Form.tsx'
import { Page } from '../kit/Page.tsx'
import { useToasts } from '../kit/Toasts.tsx'

/** Makes an organization; whoever makes it owns it. */
export function NewOrganizationPage() {
  const asked = useAnswer('account.details', {})
  return (
    <Page title="New organization" facts={<span>It holds workspaces, projects, teams and tokens of its own.</span>}>
      <Answer of={asked} failed="Your account could not be read">
        {({ data: { attributes } }) => (
          <NewOrganization
            email={attributes.email ?? ''}
            reason={
              attributes.permissions?.['can-create-organizations'] === false
                ? 'Only site administrators create organizations on this server.'
                : undefined
            }
          />
        )}
      </Answer>
    </Page>
  )
}

function NewOrganization({ email, reason }: { email: string; reason: string | undefined }) {
  const draft = useDraft({ name: '', email })
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const send = async (attributes: { name: string; email: string }) => {
    await call('organizations.create', { body: { data: { type: 'organizations', attributes } } })
    await refresh(['organizations'])
    say.done(`Organization ${attributes.name} was created`, { text: 'You own it.' })
    navigate({ to: '/$organization/workspaces', params: { organization: attributes.name } })
  }
  return (
    <Form draft={draft} send={send} action="Create organization" isNew reason={reason} effect="You will own it.">
      <TextField
        draft={draft}
        name="name"
        label="Name"
        hint="Letters, digits, - and _; part of every address"
        placeholder="acme"
        reason={reason}
      />
      <TextField draft={draft} name="email" type="email" label="E-mail address of the owners" reason={reason} />
    </Form>
  )
}
