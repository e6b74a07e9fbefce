import { type Deps, perApp } from '../../../kit/deps.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import type { LoginAlias } from './identity-actions.ts'
import { type Alias, aliasAfterLogin, type Entity } from './identity-rules.ts'
import { findAlias, findEntity } from './identity-store.ts'

type CachedLogin = { readonly alias: Alias; readonly entity: Entity }

const logins = perApp(
  (deps) => new VersionedCache<string, CachedLogin>(deps.store.versions, 'identity', { max: 10_000 }),
)

/** The entity that logs in under this alias, if neither has to be written; remembered until identity changes. */
export async function recallLogin(deps: Pick<Deps, 'db' | 'store'>, login: LoginAlias): Promise<Entity | undefined> {
  const key = `${login.mountAccessor}/${login.name.toLowerCase()}`
  const cache = logins(deps)
  const known = cache.get(key) ?? (await load(deps, cache, key, login))
  return known && aliasAfterLogin(known.alias, login) === known.alias ? known.entity : undefined
}

async function load(
  deps: Pick<Deps, 'db'>,
  cache: VersionedCache<string, CachedLogin>,
  key: string,
  login: LoginAlias,
): Promise<CachedLogin | undefined> {
  const asOf = cache.version()
  const alias = await findAlias(deps.db, login.mountAccessor, login.name)
  const entity = alias && (await findEntity(deps.db, { id: alias.entityId }))
  if (!entity) return undefined
  cache.set(key, { alias, entity }, asOf)
  return { alias, entity }
}
