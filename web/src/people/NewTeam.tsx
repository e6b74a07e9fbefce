import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRefresh } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { Button } from '../kit/Button.tsx'
import { useDraft } from '../kit/drafts.ts'
import { ChoiceField, TextField } from '../kit/Form.tsx'
import { FormDialog } from '../kit/FormDialog.tsx'
import { IconPlus } from '../kit/icons.ts'
import { useToasts } from '../kit/Toasts.tsx'
import { useReasons } from './organization.ts'

/** Who sees a team. */
export const visibilities = [
  ['organization', 'Everybody in the organization'],
  ['secret', 'Its members, and who may see secret teams'],
] as const

/** The button that makes a team, and its form. */
export function NewTeamButton({ organization }: { organization: string }) {
  const [isOpen, setOpen] = useState(false)
  const reason = useReasons(organization)('can-create-team', 'create teams')
  return (
    <>
      <Button kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <IconPlus size={15} stroke={1.8} />
        New team
      </Button>
      {isOpen && <NewTeam organization={organization} close={() => setOpen(false)} />}
    </>
  )
}

function NewTeam({ organization, close }: { organization: string; close: () => void }) {
  const draft = useDraft({ name: '', visibility: 'organization' })
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const send = async ({ name, visibility }: { name: string; visibility: string }) => {
    const attributes = { name, visibility: visibility as 'secret' }
    const made = await call('teams.create', {
      params: { path: { organization } },
      body: { data: { type: 'teams', attributes } },
    })
    await refresh(['teams'])
    say.done(`Team ${name} was created`, { text: 'Add members, then give it access.' })
    const to = '/$organization/organization/access/teams/$team'
    navigate({ to, params: { organization, team: made.data.attributes.name } } as never)
  }
  return (
    <FormDialog title="New team" close={close} draft={draft} send={send} action="Create team">
      <TextField draft={draft} name="name" label="Name" hint="Letters, digits, - and _" />
      <ChoiceField draft={draft} name="visibility" label="Who sees it" choices={visibilities} />
    </FormDialog>
  )
}
