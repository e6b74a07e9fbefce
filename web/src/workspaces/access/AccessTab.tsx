import { useState } from 'react'
import { useAnswer, useRefresh } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button, IconButton } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { IconCheck, IconPencil, IconTrash } from '../../kit/icons.ts'
import { Section } from '../../kit/Page.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { targetOf } from '../names.ts'
import { projectOf, useWorkspace } from '../workspace.tsx'
import { Consumers } from './Consumers.tsx'
import { GrantDialog } from './GrantDialog.tsx'
import { type Grant, ofOrganization, ofProject, ofWorkspace } from './grants.ts'

const most = { 'page[size]': 100 }

/** Who can do what with the workspace, and which workspaces read its state. */
export function AccessTab() {
  const { organization, id, relationships } = useWorkspace()
  const projectId = targetOf(relationships.project)?.id ?? ''
  const teams = useAnswer('teams.list', { params: { path: { organization }, query: most } })
  const own = useAnswer('team-workspaces.list', { params: { query: { ...most, 'filter[workspace][id]': id } } })
  // Who may not see the access of the project is still shown that of the workspace.
  const given = useAnswer('team-projects.list', { params: { query: { ...most, 'filter[project][id]': projectId } } })
  return (
    <>
      <Answer of={teams} failed="The teams could not be read">
        {({ data: all }) => (
          <Answer of={own} failed="The access could not be read">
            {({ data }) => (
              <Grants
                teams={all}
                grants={[...ofWorkspace(data, all), ...ofProject(given.data?.data ?? [], all), ...ofOrganization(all)]}
              />
            )}
          </Answer>
        )}
      </Answer>
      <Consumers />
    </>
  )
}

function Grants({ grants, teams }: { grants: readonly Grant[]; teams: readonly Schemas['Team'][] }) {
  const { reasonNot } = useWorkspace()
  const [opened, setOpened] = useState<Grant | 'new'>()
  return (
    <Section
      title="Who can do what"
      count={grants.length}
      lead="A team has the most that any of its rows gives. People are members of teams."
      actions={
        <Button small kind="primary" reason={reasonNot('can-update')} onClick={() => setOpened('new')}>
          Give access…
        </Button>
      }
    >
      <Table label="Access by team" columns={useColumns(setOpened)} rows={grants} keyOf={({ key }) => key} />
      {opened && (
        <GrantDialog
          grant={opened === 'new' ? undefined : opened}
          teams={teams.filter((team) => !grants.some(({ teamId, from }) => from === 'workspace' && teamId === team.id))}
          close={() => setOpened(undefined)}
        />
      )}
    </Section>
  )
}

function useColumns(edit: (grant: Grant) => void): readonly Column<Grant>[] {
  const workspace = useWorkspace()
  const project = projectOf(workspace)?.attributes.name ?? 'its project'
  const from = { workspace: 'this workspace', project: `project ${project}`, organization: workspace.organization }
  return [
    { title: 'Team', cell: ({ team }) => team, phone: 'name' },
    { title: 'Access', cell: ({ level }) => level, phone: 'status' },
    { title: 'Given on', cell: (grant) => <span className="soft">{from[grant.from]}</span>, phone: 'fact' },
    { title: 'Runs', cell: ({ runs }) => runs },
    { title: 'Variables', cell: ({ variables }) => <Right value={variables} /> },
    { title: 'State', cell: ({ state }) => <Right value={state === 'read-outputs' ? 'outputs' : state} /> },
    { title: 'Locking', cell: ({ locking }) => <Right value={locking ? 'yes' : 'none'} /> },
    {
      title: 'Actions',
      bare: true,
      right: true,
      phone: 'time',
      cell: (grant) => grant.from === 'workspace' && <Actions grant={grant} edit={edit} />,
    },
  ]
}

const Right = ({ value }: { value: string }) => {
  if (value === 'none')
    return (
      <span className="faint">
        <span aria-hidden="true">·</span>
        <span className="unseen">none</span>
      </span>
    )
  return value === 'yes' ? (
    <>
      <IconCheck size={15} stroke={1.6} aria-hidden="true" />
      <span className="unseen">yes</span>
    </>
  ) : (
    value
  )
}

function Actions({ grant, edit }: { grant: Grant; edit: (grant: Grant) => void }) {
  const { name, reasonNot } = useWorkspace()
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const reason = reasonNot('can-update')
  const remove = async () => {
    const text = `Its members lose what only this row gives, at once. Access by the project or the organization stays.`
    if (!(await confirm({ title: `Take ${name} from team ${grant.team}?`, text, action: 'Take access away' })).yes)
      return
    try {
      await call('team-workspaces.delete', { params: { path: { teamWorkspaceId: grant.key } } })
      say.done(`Team ${grant.team} has no access of its own to ${name} any more`)
    } catch (error) {
      say.failed('The access stays', error)
    }
    await refresh(['team-workspaces', 'workspaces', 'workspace-changes'])
  }
  return (
    <>
      <IconButton label={`Change the access of ${grant.team}`} remote reason={reason} onClick={() => edit(grant)}>
        <IconPencil size={15} stroke={1.6} />
      </IconButton>
      <IconButton label={`Take access from ${grant.team}`} remote reason={reason} onClick={remove}>
        <IconTrash size={15} stroke={1.6} />
      </IconButton>
    </>
  )
}
