import type { Instant } from '../../../../kernel/clock.ts'
import { bit } from '../../../../storage/bits.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { containsInAnyCase } from '../../../../storage/search.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import { type Build, onlyBuild, type ToolVersion } from './tool-version.ts'

/** A release of a tool that runs configurations. */
interface ToolVersionRow {
  id: string
  tool: string
  version: string
  enabled: number
  /** 1 for what ships with the server, 0 for what administrators added. */
  official: number
  beta: number
  deprecated: number
  deprecated_reason: string | null
  url: string | null
  sha: string | null
  /** JSON list of builds; null where there are only `url` and `sha`. */
  archs: string | null
  created_at: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    tool_versions: ToolVersionRow
  }
}

const toToolVersion = (row: ToolVersionRow): ToolVersion => ({
  id: row.id,
  tool: row.tool,
  version: row.version,
  enabled: row.enabled === 1,
  official: row.official === 1,
  beta: row.beta === 1,
  deprecated: row.deprecated === 1,
  deprecatedReason: row.deprecated_reason,
  url: row.url,
  sha: row.sha,
  archs: row.archs === null ? onlyBuild(row.url, row.sha) : (JSON.parse(row.archs) as Build[]),
  createdAt: row.created_at as Instant,
})

const toColumns = (release: ToolVersion): ToolVersionRow => ({
  id: release.id,
  tool: release.tool,
  version: release.version,
  enabled: bit(release.enabled),
  official: bit(release.official),
  beta: bit(release.beta),
  deprecated: bit(release.deprecated),
  deprecated_reason: release.deprecatedReason,
  url: release.url,
  sha: release.sha,
  archs: JSON.stringify(release.archs),
  created_at: release.createdAt,
})

/** Every release of the catalogue, in no particular order. */
export async function loadToolVersions(db: Queryable): Promise<ToolVersion[]> {
  return (await db.selectFrom('tool_versions').selectAll().execute()).map(toToolVersion)
}

/** The release with this id. */
export async function loadToolVersion(db: Queryable, id: string): Promise<ToolVersion | undefined> {
  const row = await db.selectFrom('tool_versions').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toToolVersion(row)
}

/** Which releases are asked for. */
type ToolVersionFilter = {
  readonly tool?: string | undefined
  readonly version?: string | undefined
  readonly search?: string | undefined
}

/** The releases that match a filter. */
export async function findToolVersions(db: Queryable, filter: ToolVersionFilter): Promise<ToolVersion[]> {
  let query = db.selectFrom('tool_versions').selectAll()
  if (filter.tool !== undefined) query = query.where('tool', '=', filter.tool)
  if (filter.version !== undefined) query = query.where('version', '=', filter.version)
  if (filter.search !== undefined) query = query.where(containsInAnyCase('version', filter.search))
  return (await query.execute()).map(toToolVersion)
}

/** Stores releases; those that are in the catalogue already stay as they are. */
export async function insertMissingVersions(tx: Tx, releases: readonly ToolVersion[]): Promise<void> {
  if (releases.length === 0) return
  await tx
    .insertInto('tool_versions')
    .values(releases.map(toColumns))
    .onConflict((conflict) => conflict.columns(['tool', 'version']).doNothing())
    .execute()
  bumpVersion(tx, 'settings')
}

/** Stores a release; a second one of the same version is a unique violation. */
export async function insertToolVersion(tx: Tx, release: ToolVersion): Promise<void> {
  await tx.insertInto('tool_versions').values(toColumns(release)).execute()
  bumpVersion(tx, 'settings')
}

/** Stores the changes to a release. */
export async function updateToolVersion(tx: Tx, release: ToolVersion): Promise<void> {
  const { id, ...columns } = toColumns(release)
  await tx.updateTable('tool_versions').set(columns).where('id', '=', id).execute()
  bumpVersion(tx, 'settings')
}

/** Removes a release; false when it was gone already. */
export async function deleteToolVersion(tx: Tx, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('tool_versions').where('id', '=', id).executeTakeFirst()
  bumpVersion(tx, 'settings')
  return result.numDeletedRows === 1n
}
