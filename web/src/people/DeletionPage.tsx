import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useAnswer } from '../api/answers.ts'
import { call } from '../api/client.ts'
import { Button } from '../kit/Button.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { count, counted } from '../kit/numbers.ts'
import { ActionRow, Facts, Note, Section } from '../kit/Page.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { unless } from './organization.ts'
import { SettingsFrame } from './SettingsFrame.tsx'

/** What would be lost with the organization, and the way to delete it. */
export const DeletionPage = () => (
  <SettingsFrame>
    {({ attributes }) => (
      <Deletion
        organization={attributes.name ?? ''}
        reason={unless(attributes.permissions?.['can-destroy'], `delete ${attributes.name}`)}
      />
    )}
  </SettingsFrame>
)

const one = { 'page[size]': 1 }

function useLosses(organization: string) {
  const path = { organization }
  const params = { params: { path, query: one } }
  const workspaces = useAnswer('workspaces.list', params)
  const locked = useAnswer('workspaces.list', { params: { path, query: { ...one, 'filter[locked]': true } } })
  const projects = useAnswer('projects.list', params)
  const teams = useAnswer('teams.list', params)
  const members = useAnswer('memberships.list', params)
  const totalOf = (answer: { data: { meta: { pagination: { 'total-count': number } } } | undefined }) =>
    answer.data?.meta.pagination['total-count']
  return {
    workspaces: totalOf(workspaces),
    locked: totalOf(locked),
    projects: totalOf(projects),
    teams: totalOf(teams),
    members: totalOf(members),
  }
}

function Deletion({ organization, reason }: { organization: string; reason: string | undefined }) {
  const losses = useLosses(organization)
  const remove = useDelete(organization, losses.workspaces ?? 0)
  const shown = (value: number | undefined) => (value === undefined ? '…' : count(value))
  return (
    <Section
      title={`Delete ${organization}`}
      lead="Everything in it is deleted, and nobody can bring it back from here."
    >
      <Note tone="bad">
        All state of {counted(losses.workspaces ?? 0, 'workspace')} is lost. The resources stay where they are, and
        nobody manages them any more. Only a snapshot has the state then.
      </Note>
      <Facts
        of={[
          ['Workspaces', `${shown(losses.workspaces)}, ${shown(losses.locked)} of them locked now`],
          ['Projects', shown(losses.projects)],
          ['Teams', `${shown(losses.teams)}, with all their tokens`],
          ['Members', `${shown(losses.members)}; their accounts stay`],
        ]}
      />
      <p>&nbsp;</p>
      <ActionRow>
        <Button kind="danger" reason={reason} onClick={remove}>
          Delete organization…
        </Button>
      </ActionRow>
    </Section>
  )
}

function useDelete(organization: string, workspaces: number) {
  const confirm = useConfirm()
  const say = useToasts()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    const { yes } = await confirm({
      title: `Delete organization ${organization}?`,
      text: `${counted(workspaces, 'workspace')} and all their state, variables and history are deleted for good.`,
      action: 'Delete organization',
      typed: organization,
    })
    if (!yes) return
    try {
      await call('organizations.delete', { params: { path: { organization } } })
      localStorage.removeItem('holdfast-organization')
      // The frame asks for what belongs to the organization that it shows, so it has to show another one first.
      await queries.refetchQueries({ queryKey: ['organizations.list'] })
      await navigate({ to: '/' })
      queries.removeQueries({ type: 'inactive' })
      say.done(`Organization ${organization} is deleted`, { text: 'Its rows are removed in the background.' })
    } catch (error) {
      say.failed(`Organization ${organization} was not deleted`, error)
    }
  }
}
