import { Link } from '@tanstack/react-router'
import { useSession } from '../../api/session.tsx'
import { CodeBlock } from '../../kit/Code.tsx'
import { Id } from '../../kit/Copy.tsx'
import { size } from '../../kit/numbers.ts'
import { Columns, Facts, Section } from '../../kit/Page.tsx'
import { Time } from '../../kit/Time.tsx'
import { LockNote } from '../lock/LockNote.tsx'
import { lockOf } from '../lock/lock.ts'
import { includedOf, type OpenWorkspace, useWorkspace } from '../workspace.tsx'
import { InForce } from './InForce.tsx'
import { Outputs } from './Outputs.tsx'
import { TagsSection } from './TagsSection.tsx'

/** What one has to know of a workspace first. */
export function OverviewTab() {
  const workspace = useWorkspace()
  const lock = lockOf(workspace, useSession().user_id)
  const { description } = workspace.attributes
  return (
    <Columns
      aside={
        <>
          <InForce />
          <TagsSection />
        </>
      }
    >
      {lock && <LockNote lock={lock} />}
      {description && (
        <Section title="About">
          <p>{description}</p>
        </Section>
      )}
      <CurrentState workspace={workspace} />
      <Outputs />
      <Section title="Use it">
        <CodeBlock text={cloudBlock(workspace)} label="Copy the block" />
      </Section>
    </Columns>
  )
}

type StateAttributes = {
  readonly serial?: number
  readonly size?: number
  readonly 'created-at'?: string
  readonly 'resource-count'?: number
  readonly 'resource-count-known'?: boolean
  readonly 'tool-version'?: string | null
}

function CurrentState({ workspace }: { workspace: OpenWorkspace }) {
  const { organization, name, relationships, id } = workspace
  const [state] = includedOf(workspace, 'state-versions')
  const isStored = (relationships['current-state-version'] as { data?: unknown } | undefined)?.data
  const facts = (state?.attributes ?? {}) as StateAttributes
  const params = { organization, name } as never
  return (
    <Section title="Current state">
      {state ? (
        <Facts
          of={[
            [
              'Serial',
              <Link
                key="serial"
                to={'/$organization/workspaces/$name/state' as never}
                params={params}
              >{`${facts.serial}`}</Link>,
            ],
            ['Written', <Time key="time" at={facts['created-at']} />],
            [
              'Resources',
              facts['resource-count-known'] === false ? (
                'unknown: the state cannot be read'
              ) : (
                <Link
                  key="resources"
                  to={'/$organization/workspaces/$name/resources' as never}
                  params={params}
                >{`${facts['resource-count']}`}</Link>
              ),
            ],
            ['Size', size(facts.size ?? 0)],
            ['Written by', facts['tool-version'] && `tool version ${facts['tool-version']}`],
            ['Workspace id', <Id key="id" id={id} />],
          ]}
        />
      ) : (
        <p className="soft">
          {isStored ? 'A state is stored; you may not read its details.' : 'None yet: the first apply writes one.'}
        </p>
      )}
    </Section>
  )
}

const cloudBlock = ({ organization, name }: OpenWorkspace): string => `terraform {
  cloud {
    hostname     = "${location.host}"
    organization = "${organization}"
    workspaces { name = "${name}" }
  }
}`
