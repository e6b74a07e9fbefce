import { useAnswer } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer, Bars, Failure } from '../../kit/Answer.tsx'
import { Id } from '../../kit/Copy.tsx'
import { Diff, DiffCounts, type DiffItem } from '../../kit/Diff.tsx'
import { size } from '../../kit/numbers.ts'
import { Facts, Note, Section } from '../../kit/Page.tsx'
import { Time } from '../../kit/Time.tsx'
import { targetOf } from '../names.ts'
import { Download } from './Download.tsx'
import { Rollback } from './Rollback.tsx'
import styles from './State.module.css'
import { VersionMenu } from './VersionMenu.tsx'
import type { Version } from './versions.ts'

type ComparisonProps = { readonly id: string; readonly since: string | undefined }

/** What differs between two versions, and what can be done with them. */
export function Comparison({ id, since }: ComparisonProps) {
  const shown = useAnswer('state-versions.show', { params: { path: { stateVersionId: id } } })
  const query = since === undefined || since === id ? {} : { since }
  const asked = useAnswer('state-versions.compare', { params: { path: { stateVersionId: id }, query } })
  const beforeId = targetOf(asked.data?.data.relationships?.since)?.id
  const before = useAnswer(
    'state-versions.show',
    { params: { path: { stateVersionId: beforeId ?? '' } } },
    { when: beforeId !== undefined },
  )
  if (shown.error) return <Failure title="This version could not be read" error={shown.error} />
  if (!shown.data || (beforeId !== undefined && !before.data)) return <Bars />
  const versions = { before: before.data?.data, version: shown.data.data }
  return (
    <div>
      <Answer of={asked} failed="The versions could not be compared">
        {({ data }) => <Compared attributes={data.attributes} {...versions} />}
      </Answer>
      <VersionFacts version={versions.version} />
    </div>
  )
}

type Attributes = Schemas['StateComparisonAttributes']
type Change = NonNullable<Attributes['resources']>[number]

const actions = { added: 'create', changed: 'change', removed: 'destroy' } as const

/** A change as the diff shows it. */
export const toItem = ({ name, kind, attributes, more }: Change): DiffItem => ({
  action: actions[kind],
  name,
  more,
  attributes: attributes.map(({ name: attribute, before, after, sensitive }) => ({
    name: attribute,
    before: before ?? undefined,
    after: after ?? undefined,
    isSecret: sensitive,
  })),
})

type ComparedProps = {
  readonly attributes: Attributes
  readonly before: Version | undefined
  readonly version: Version
}

function Compared({ attributes, before, version }: ComparedProps) {
  const resources = (attributes.resources ?? []).map(toItem)
  const outputs = (attributes.outputs ?? []).map(toItem)
  const titles = [`serial ${before?.attributes.serial}`, `serial ${version.attributes.serial}`] as const
  return (
    <>
      <div className={styles.head}>
        <h2>
          {before
            ? `${before.attributes.serial} → ${version.attributes.serial}`
            : `Serial ${version.attributes.serial}`}
        </h2>
        <DiffCounts items={[...resources, ...outputs]} />
        <div>
          <Download version={version} />
          <Rollback before={before} version={version} />
          <VersionMenu version={version} />
        </div>
      </div>
      <WhyNot attributes={attributes} />
      {resources.length > 0 && (
        <div className={styles.part}>
          <h3>Resources</h3>
          <Diff items={resources} titles={titles} />
        </div>
      )}
      {outputs.length > 0 && (
        <div className={styles.part}>
          <h3>Outputs</h3>
          <Diff items={outputs} titles={titles} />
        </div>
      )}
    </>
  )
}

function WhyNot({ attributes: { status, resources = [], outputs = [] } }: { attributes: Attributes }) {
  if (status === 'nothing-before')
    return <Note tone="calm">This is the first version: there is nothing before it.</Note>
  if (status === 'too-large')
    return <Note tone="warn">Together they are too large to be compared here. Download both and compare them.</Note>
  if (status === 'unreadable')
    return <Note tone="warn">One of them cannot be read: it is encrypted, not there, or in an older format.</Note>
  if (resources.length + outputs.length > 0) return null
  return <Note tone="calm">No resource and no output differs.</Note>
}

const VersionFacts = ({ version: { id, attributes } }: { version: Version }) => (
  <Section title={`Serial ${attributes.serial}`}>
    <Facts
      of={[
        ['Written', <Time key="at" at={attributes['created-at']} />],
        ['Resources', attributes['resource-count-known'] ? attributes['resource-count'] : 'unknown'],
        ['Size', size(attributes.size ?? 0)],
        ['Tool version', attributes['tool-version']],
        ['MD5', <code key="md5">{attributes.md5}</code>],
        ['Lineage', attributes.lineage && <code key="lineage">{attributes.lineage}</code>],
        ['Id', <Id key="id" id={id} />],
      ]}
    />
  </Section>
)
