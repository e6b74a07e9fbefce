import type { IdentityFacts } from '../../../access/policies/index.ts'
import { failure } from '../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { Tx } from '../../../storage/open.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import { lockMountForShare } from '../mounts/index.ts'
import { type Alias, aliasAfterLogin, checkAliasName, type Entity, factsOf, type LoginFacts } from './identity.ts'
import { findAlias, findEntity, findMergedEntity, lockAliasForUpdate, saveAlias, saveEntity } from './identity-store.ts'

/** An entity as requests see it; undefined if it was deleted while it still had tokens. */
export type KnownEntity = {
  readonly entity: Entity | undefined
  readonly facts: IdentityFacts
  /** Changes when identity changes, so that what was compiled from the facts is compiled again. */
  readonly version: number
}

const entities = perApp(
  (deps) => new VersionedCache<string, KnownEntity>(deps.store.versions, 'identity', { max: 10_000 }),
)
const noEntity: KnownEntity = { entity: undefined, facts: {}, version: 0 }

/** What is known about the entity of a token; an empty id means that there is none. */
export async function identityFactsOf(deps: Pick<Deps, 'db' | 'store'>, entityId: string): Promise<KnownEntity> {
  if (entityId === '') return noEntity
  const cache = entities(deps)
  return await cache.getOrLoad(entityId, async () => {
    const version = cache.version()
    const entity = (await findEntity(deps.db, { id: entityId })) ?? (await findMergedEntity(deps.db, entityId))
    return { entity, facts: factsOf(entity), version }
  })
}

/** The alias that a login uses. */
export type LoginAlias = LoginFacts & { readonly mountAccessor: string; readonly name: string }

type LoginDeps = Pick<Deps, 'ids' | 'clock' | 'mountKinds'>

/** Finds the entity that logs in under this alias, or makes it. Runs inside the transaction that issues the token. */
export async function entityForLogin(
  deps: LoginDeps,
  tx: Tx,
  login: LoginAlias,
): Promise<{ entity: Entity; created: boolean }> {
  const alias = await aliasForLogin(deps, tx, login)
  if (!alias) return { entity: await createEntityFor(deps, tx, login), created: true }
  const entity = await findEntity(tx, { id: alias.entityId })
  if (!entity) throw entityGone()
  return { entity, created: false }
}

const entityGone = () =>
  failure('unavailable', 'identity.entity-gone', 'The identity behind this login was just removed; log in again.', {
    retryAfter: 1,
  })

/** Locks the alias only if the login changes it, which is rare: logins of one alias would wait for each other's commits. */
async function aliasForLogin(deps: LoginDeps, tx: Tx, login: LoginAlias): Promise<Alias | undefined> {
  const { mountAccessor, name } = login
  const seen = await findAlias(tx, mountAccessor, name)
  if (!seen || aliasAfterLogin(seen, login) === seen) return seen
  const alias = await lockAliasForUpdate(tx, mountAccessor, name)
  if (!alias) return undefined
  const next = aliasAfterLogin(alias, login)
  if (next !== alias) await saveAlias(tx, { ...next, updatedAt: deps.clock.now() })
  return alias
}

/** The refusal of a login whose mount is being removed; a second try finds no mount there. */
const mountGone = () =>
  failure('unavailable', 'identity.mount-gone', 'This auth method was just removed.', { retryAfter: 1 })

async function createEntityFor(deps: LoginDeps, tx: Tx, login: LoginAlias): Promise<Entity> {
  checkAliasName(login.name)
  if (!(await lockMountForShare(deps, tx, login.mountAccessor))) throw mountGone()
  const entity = newEntity(deps)
  const { metadata = {}, customMetadata = {}, ...named } = login
  const alias = newAlias(deps, { ...named, entityId: entity.id, metadata, customMetadata })
  await saveEntity(tx, entity)
  await saveAlias(tx, alias)
  return { ...entity, aliases: [alias] }
}

/** An entity that is not stored yet, with a generated name. */
export function newEntity(deps: LoginDeps): Entity {
  const now = deps.clock.now()
  return {
    id: deps.ids.uuid(),
    name: `entity_${deps.ids.hex(8)}`,
    metadata: {},
    policies: [],
    writtenPolicies: [],
    disabled: false,
    mergedIds: [],
    createdAt: now,
    updatedAt: now,
    aliases: [],
  }
}

/** An alias that is not stored yet. */
export function newAlias(
  deps: LoginDeps,
  given: Pick<Alias, 'entityId' | 'mountAccessor' | 'name'> & Partial<Alias>,
): Alias {
  const now = deps.clock.now()
  return {
    id: deps.ids.uuid(),
    metadata: {},
    customMetadata: {},
    mergedFromIds: [],
    createdAt: now,
    updatedAt: now,
    ...given,
  }
}

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
