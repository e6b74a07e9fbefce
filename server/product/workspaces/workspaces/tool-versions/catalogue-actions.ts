import { hidden } from '../../../../access/permissions/index.ts'
import { type Author, type Members, recordChange, recordUpdate } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { invalidAttribute } from '../../../../kit/jsonapi/index.ts'
import { unlessTaken } from '../../../../storage/database-errors.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { lockArea } from '../../../../storage/versions.ts'
import { type Builds, changedBuilds, noBuilds, shownBuilds, type ToolVersion, wholeBuilds } from './tool-version.ts'
import { deleteToolVersion, insertToolVersion, loadToolVersion, updateToolVersion } from './tool-version-store.ts'

type CatalogueDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

/** The settings of a release. */
type ToolVersionSettings = Partial<
  Pick<ToolVersion, 'version' | 'url' | 'sha' | 'archs' | 'enabled' | 'beta' | 'deprecated' | 'deprecatedReason'>
>

const changeOf = (release: ToolVersion) => ({
  organizationId: '',
  subject: { type: 'tool-versions', id: release.id, name: `${release.tool} ${release.version}` },
})

/** A release as the change log shows it, by the names of documents. */
const describeRelease = ({ id: _id, createdAt: _created, deprecatedReason, ...release }: ToolVersion): Members => ({
  ...release,
  ...shownBuilds(release),
  'deprecated-reason': deprecatedReason,
})

const versionTaken = () => invalidAttribute('version', 'Version has already been taken')

function buildsAfter(before: Builds, requested: Partial<Builds>): Builds {
  const whole = wholeBuilds(before, requested)
  if (whole) return changedBuilds(before, whole)
  const [name, label] = requested.archs ? ['archs', 'Archs'] : ['url', 'Url']
  const rule = `${label} holds [redacted] in place of credentials, but is not a stored URL`
  throw invalidAttribute(name, `${rule}: send it with its credentials`)
}

/** Adds a release. */
export async function addToolVersion(
  deps: CatalogueDeps,
  author: Author,
  requested: ToolVersionSettings & Pick<ToolVersion, 'tool' | 'version'>,
): Promise<ToolVersion> {
  const release: ToolVersion = {
    enabled: true,
    beta: false,
    deprecated: false,
    deprecatedReason: null,
    ...requested,
    ...buildsAfter(noBuilds, requested),
    official: false,
    id: deps.ids.newId('tool'),
    createdAt: deps.clock.now(),
  }
  await unlessTaken(versionTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await insertToolVersion(tx, release)
      await recordChange(deps, tx, author, { ...changeOf(release), action: 'create', after: describeRelease(release) })
    }),
  )
  return release
}

/** Changes the settings of a release. */
export async function changeToolVersion(
  deps: CatalogueDeps,
  author: Author,
  id: string,
  requested: ToolVersionSettings,
): Promise<ToolVersion> {
  return await unlessTaken(versionTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await lockArea(tx, 'settings')
      const before = await loadToolVersion(tx, id)
      if (!before) throw hidden()
      const after: ToolVersion = { ...before, ...requested, ...buildsAfter(before, requested) }
      await updateToolVersion(tx, after)
      const change = { ...changeOf(after), before: describeRelease(before), after: describeRelease(after) }
      await recordUpdate(deps, tx, author, change)
      return after
    }),
  )
}

/** Removes a release. */
export async function removeToolVersion(deps: CatalogueDeps, author: Author, id: string): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const release = await loadToolVersion(tx, id)
    if (!release || !(await deleteToolVersion(tx, id))) throw hidden()
    await recordChange(deps, tx, author, { ...changeOf(release), action: 'delete', before: describeRelease(release) })
  })
}
