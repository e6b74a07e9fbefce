import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Tx } from '../../../storage/open.ts'
import { lockMountForShare, mountTable } from '../mounts/index.ts'
import { checkMetadata } from './entity.ts'
import { changeIdentity } from './entity-actions.ts'
import { type Alias, checkAliasName } from './identity.ts'
import { newAlias, newEntity } from './identity-actions.ts'
import {
  deleteAlias,
  findAlias,
  findEntity,
  lockAliasByIdForUpdate,
  lockAliasForUpdate,
  saveAlias,
  saveEntity,
} from './identity-store.ts'

/** The fields of an alias that a caller sends; absent ones stay as they are. */
type AliasChange = {
  readonly id?: string
  readonly name?: string
  readonly canonicalId?: string
  readonly mountAccessor?: string
  readonly customMetadata?: Readonly<Record<string, string>>
}

/** Creates an alias, or changes the one with this id, or with this name at this mount. */
export async function writeAlias(deps: Deps, change: AliasChange): Promise<Alias> {
  if (change.name) checkAliasName(change.name)
  if (change.customMetadata) checkMetadata('custom_metadata', change.customMetadata)
  if (change.mountAccessor) await requireMount(deps, change.mountAccessor)
  return changeIdentity(deps, async (tx) => {
    if (change.mountAccessor && !(await lockMountForShare(deps, tx, change.mountAccessor)))
      throw noMount(change.mountAccessor)
    const known = await findAddressedAlias(tx, change)
    const name = change.name || known?.name
    const mountAccessor = change.mountAccessor || known?.mountAccessor
    if (!name) throw failure('invalid', 'alias.no-name', "'name' must be given.")
    if (!mountAccessor) throw failure('invalid', 'alias.no-accessor', "'mount_accessor' must be given.")
    const entityId = await ownerOf(deps, tx, change.canonicalId || known?.entityId)
    const given = { name, mountAccessor, entityId }
    const base = known ? { ...known, ...given, updatedAt: deps.clock.now() } : newAlias(deps, given)
    const next = { ...base, customMetadata: change.customMetadata ?? base.customMetadata }
    await refuseClash(tx, next)
    await saveAlias(tx, next)
    return next
  })
}

async function requireMount(deps: Deps, accessor: string): Promise<void> {
  const mount = (await mountTable(deps)).byAccessor(accessor)
  if (!mount?.path.startsWith('auth/')) throw noMount(accessor)
}

/** Clients look for the words before the colon. */
const noMount = (accessor: string) =>
  failure(
    'invalid',
    'alias.unknown-accessor',
    `invalid mount accessor: there is no auth method with the accessor '${accessor}'`,
  )

/** The alias that a change addresses, locked, since logins change it too. */
async function findAddressedAlias(tx: Tx, { id, name, mountAccessor }: AliasChange): Promise<Alias | undefined> {
  if (!id) return name && mountAccessor ? lockAliasForUpdate(tx, mountAccessor, name) : undefined
  const known = await lockAliasByIdForUpdate(tx, id)
  if (!known) throw failure('invalid', 'alias.missing', `There is no alias with the id '${id}'.`)
  return known
}

/** The entity that an alias belongs to; if none is named, the alias gets an entity of its own. */
async function ownerOf(deps: Deps, tx: Tx, entityId: string | undefined): Promise<string> {
  if (entityId) {
    if (await findEntity(tx, { id: entityId })) return entityId
    throw failure('invalid', 'alias.unknown-entity', `There is no entity with the id '${entityId}'.`)
  }
  const entity = newEntity(deps)
  await saveEntity(tx, entity)
  return entity.id
}

async function refuseClash(tx: Tx, alias: Alias): Promise<void> {
  const twin = await findAlias(tx, alias.mountAccessor, alias.name)
  if (twin && twin.id !== alias.id) {
    // Clients, and their tests, look for these words.
    throw failure('invalid', 'alias.taken', 'alias with combination of mount accessor and name already exists')
  }
  const entity = await findEntity(tx, { id: alias.entityId })
  const other = entity?.aliases.find(
    ({ id, mountAccessor }) => id !== alias.id && mountAccessor === alias.mountAccessor,
  )
  if (!other) return
  throw failure('invalid', 'alias.second', `The entity has an alias at this mount already: '${other.name}'.`)
}

/** Removes an alias, if it exists. */
export const removeAlias = (deps: Deps, id: string): Promise<void> => changeIdentity(deps, (tx) => deleteAlias(tx, id))
