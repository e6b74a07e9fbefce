import { hidden } from '../../../../access/permissions/index.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import { VersionedCache } from '../../../../storage/versions.ts'
import type { ProjectDefaults } from '../workspace-rules.ts'
import { loadProjectDefaults } from './project-defaults-store.ts'

const cacheOf = perApp(
  (deps) => new VersionedCache<string, ProjectDefaults>(deps.store.versions, 'projects', { max: 10_000 }),
)

/** What a project decides for its workspaces; from memory unless a project has changed. */
export async function projectDefaultsOf(deps: Pick<Deps, 'db' | 'store'>, id: string): Promise<ProjectDefaults> {
  return await cacheOf(deps).getOrLoad(id, async () => {
    const project = await loadProjectDefaults(deps.db, id)
    if (!project) throw hidden()
    return project
  })
}
