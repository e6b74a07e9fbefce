import { Facts, Section } from '../../kit/Page.tsx'
import { Time } from '../../kit/Time.tsx'
import { nameIn } from '../names.ts'
import { type OpenWorkspace, projectOf, useWorkspace } from '../workspace.tsx'

/** The settings in force, and where each comes from. */
export function InForce() {
  const workspace = useWorkspace()
  const { attributes, relationships, names } = workspace
  const repository = attributes['vcs-repo']?.identifier
  return (
    <Section title="In force">
      <Facts
        of={[
          [
            'Runs',
            <Origin key="mode" text={attributes['execution-mode']} from={originOf(workspace, 'execution-mode')} />,
          ],
          [
            'Agent pool',
            attributes['execution-mode'] === 'agent' && (
              <Origin
                text={nameIn(names, relationships['agent-pool']) || 'one that you may not see'}
                from={originOf(workspace, 'agent-pool')}
              />
            ),
          ],
          [
            'Tool',
            `${attributes['tool-name']} ${attributes['tool-version']}${resolved(attributes['tool-version'], attributes['resolved-tool-version'])}`,
          ],
          ['Applies', attributes['auto-apply'] ? 'by itself after a plan' : 'after somebody approves'],
          ['Folder', attributes['working-directory']],
          ['Repository', repository],
          ['State is read by', readers(workspace)],
          [
            'Destroyed',
            attributes['auto-destroy-at'] && (
              <Origin
                text={<Time at={attributes['auto-destroy-at']} />}
                from={attributes['inherits-project-auto-destroy'] === false ? 'its own' : 'from its project'}
              />
            ),
          ],
        ]}
      />
    </Section>
  )
}

const resolved = (wanted: string | undefined, version: string | null | undefined): string =>
  version && version !== wanted ? ` (now ${version})` : ''

const Origin = ({ text, from }: { text: React.ReactNode; from: string }) => (
  <>
    {text} <span className="faint">{from}</span>
  </>
)

/** Where a setting that can be inherited comes from. */
export function originOf(workspace: OpenWorkspace, setting: 'execution-mode' | 'agent-pool'): string {
  if (workspace.attributes['setting-overwrites']?.[setting]) return 'its own'
  const project = projectOf(workspace)
  const overwrites = project?.attributes['setting-overwrites']?.[`default-${setting}`]
  if (overwrites) return `from project ${project?.attributes.name}`
  return project ? `from ${workspace.organization}` : 'inherited'
}

function readers({ attributes }: OpenWorkspace): string {
  if (attributes['global-remote-state']) return 'all workspaces'
  return attributes['project-remote-state'] ? 'all workspaces of its project' : 'chosen workspaces'
}
