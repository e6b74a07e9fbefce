import { type Deps, perApp } from '../../../../kit/deps.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { VersionedCache } from '../../../../storage/versions.ts'
import { noBuilds, type Release, readVersionRequest, resolveVersion } from './tool-version.ts'
import { insertMissingVersions, loadToolVersions } from './tool-version-store.ts'

/** What a `tool-version` resolves to at the moment. */
type ResolvedVersion = { readonly tool: string; readonly version: string | null }

/** The releases that workspaces can ask for. */
export type Catalogue = {
  readonly releases: readonly Release[]
  /** The tool and release that a text resolves to; remembered until the catalogue changes. */
  resolve(text: string, defaultTool: string): ResolvedVersion
}

const cacheOf = perApp((deps) => new VersionedCache<'all', Catalogue>(deps.store.versions, 'settings', { max: 1 }))

/** The catalogue of releases; from memory unless it was edited. */
export const catalogueOf = async (deps: Pick<Deps, 'db' | 'store'>): Promise<Catalogue> =>
  await cacheOf(deps).getOrLoad('all', () => loadCatalogue(deps))

async function loadCatalogue({ db }: Pick<Deps, 'db'>): Promise<Catalogue> {
  const releases = (await loadToolVersions(db)).filter(({ enabled }) => enabled)
  const known = new Map<string, ResolvedVersion>()
  const resolve = (text: string, defaultTool: string): ResolvedVersion => {
    const key = `${defaultTool} ${text}`
    const resolved = known.get(key) ?? resolveText(text, releases, defaultTool)
    if (known.size < 10_000) known.set(key, resolved)
    return resolved
  }
  return { releases, resolve }
}

function resolveText(text: string, releases: readonly Release[], defaultTool: string): ResolvedVersion {
  const request = readVersionRequest(text)
  const release = request && resolveVersion(request, releases, defaultTool)
  return { tool: release?.tool ?? request?.tool ?? defaultTool, version: release?.version ?? null }
}

/** Fills a new catalogue with the releases that ship with the server; one that was edited is left alone. */
export async function ensureCatalogue(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  shipped: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const known = await loadToolVersions(deps.db)
  if (known.length > 0) return
  const createdAt = deps.clock.now()
  const releases = Object.entries(shipped).flatMap(([tool, versions]) =>
    versions.map((version) => ({
      id: deps.ids.newId('tool'),
      tool,
      version,
      enabled: true,
      official: true,
      beta: false,
      deprecated: false,
      deprecatedReason: null,
      ...noBuilds,
      createdAt,
    })),
  )
  await inTransaction(deps.db, (tx) => insertMissingVersions(tx, releases))
}
