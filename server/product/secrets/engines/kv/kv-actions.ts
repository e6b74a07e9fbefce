import type { Instant } from '../../../../kernel/clock.ts'
import { parseVerbatim } from '../../../../kernel/exact-json.ts'
import { failure } from '../../../../kernel/failure.ts'
import type { Principal } from '../../../../kernel/principal.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import type { Mount } from '../../../../kit/mount.ts'
import { refuseLongName } from '../../../../kit/name-length.ts'
import { WhileUnchanged } from '../../../../kit/unchanged.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { VersionedCache } from '../../../../storage/versions.ts'
import { claimMount, mountGoneIf, requireMount } from '../../mounts/index.ts'
import { callerToken } from '../../tokens/index.ts'
import {
  type Author,
  casRefusal,
  firstRules,
  hiddenAt,
  isLive,
  type MountRules,
  mergePatch,
  type Spot,
  type Value,
} from './kv.ts'
import { addTotals, deleteMountRows, findRules, loadTotals, saveRules, subtractVersions } from './kv-mount-store.ts'
import {
  type FoundVersion,
  findVersion,
  lockSecret,
  placeOf,
  type StoredSecret,
  type VersionFacts,
} from './kv-store.ts'
import {
  type Advanced,
  addVersion,
  advanceSecret,
  changeVersions,
  deleteSecret,
  findVersions,
  type NextVersion,
  pruneVersions,
  removeSomeSecrets,
  type VersionChange,
} from './kv-write-store.ts'
import { deleteUses, removeSomeUses } from './use-store.ts'

const ruleCaches = perApp((deps) => new VersionedCache<string, MountRules>(deps.store.versions, 'kv', { max: 1_000 }))

/** The settings of a mount, as they were written or as they are at first. */
export const rulesOf = async (deps: Pick<Deps, 'db' | 'store'>, mountId: string): Promise<MountRules> =>
  await ruleCaches(deps).getOrLoad(mountId, async () => (await findRules(deps.db, mountId)) ?? firstRules)

/** Changes the settings of a mount. */
export async function changeRules(deps: Deps, mountId: string, change: Partial<MountRules>): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await requireMount(tx, mountId)
    await saveRules(tx, mountId, { ...firstRules, ...(await findRules(tx, mountId)), ...change })
  })
}

/** What a mount holds, for those who look at it. */
export const totalsOf = ({ db }: Pick<Deps, 'db'>, mount: Mount) => loadTotals(db, mount.id)

/** Who does something, as versions remember it: nothing that gives access. */
export function authorOf(caller: Principal, operation: string): Author {
  const { displayName, entityId } = callerToken(caller)
  return { actor: displayName, entity_id: entityId, operation }
}

/** Versions as they are stored, so sealed: at most 16 MB. Each read opens them anew. */
const versionCaches = perApp(
  () =>
    new WhileUnchanged<string, FoundVersion>({
      max: 1_000,
      largest: 16_384,
      sizeOf: ({ value }) => value?.length ?? 0,
    }),
)

/** A version of a secret, or the latest one for the number 0. */
export const readVersion = async (deps: Pick<Deps, 'db' | 'store'>, spot: Spot, number = 0) =>
  await versionCaches(deps).get(deps, `${spot.mountId} ${number} ${spot.path}`, () =>
    findVersion(deps.db, spot, number),
  )

/** The value of a version that can be read. */
export const openValue = ({ keyring }: Pick<Deps, 'keyring'>, { secretId, number, value }: FoundVersion): Value =>
  value === null ? {} : (parseVerbatim(keyring.openText(value, placeOf(secretId, number))) as Value)

const longestPath = 2_048

/** Refuses a path that is too long to be stored. */
export const requirePath = ({ path }: Spot): void => refuseLongName('The path', path, longestPath)

/** A value to be written as the next version. */
export type Write = {
  readonly value: Value
  readonly cas: number | undefined
  readonly author: Author
  /** True where a secret has one version, which is overwritten. */
  readonly isSingle?: boolean
}

/** A version that was written, as its writer is told. */
export type WrittenVersion = Omit<FoundVersion, 'value'>

type WriteDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids' | 'keyring'>

/** Writes the next version of a secret. */
export async function writeSecret(deps: WriteDeps, spot: Spot, write: Write): Promise<WrittenVersion> {
  requirePath(spot)
  const rules = await rulesOf(deps, spot.mountId)
  const written = inTransaction(deps.db, async (tx) => {
    await claimMount(tx, spot.mountId)
    return await putVersion(deps, tx, { spot, rules, write })
  })
  return await written.catch((thrown) => {
    throw mountGoneIf(thrown)
  })
}

type Put = { readonly spot: Spot; readonly rules: MountRules; readonly write: Write }

async function putVersion(deps: WriteDeps, tx: Tx, { spot, rules, write }: Put): Promise<WrittenVersion> {
  const { cas, value, author, isSingle = false } = write
  if (rules.casRequired && cas === undefined && !isSingle) throw casRefusal('check-and-set', undefined)
  const now = deps.clock.now()
  const next: NextVersion = { newId: deps.ids.uuid(), cas, kept: rules.maxVersions, isSingle, now }
  const advanced = await advanceSecret(tx, spot, next)
  if (!advanced) throw isSingle ? justUpgraded() : casRefusal('check-and-set', cas)
  const text = JSON.stringify(value)
  const size = Buffer.byteLength(text)
  const deletionAt = isSingle ? null : hiddenAt(now, rules.deleteVersionAfter, advanced.deleteVersionAfter)
  await prune(tx, spot, advanced)
  await addVersion(tx, spot, {
    secretId: advanced.id,
    number: advanced.number,
    createdAt: now,
    deletionAt,
    createdBy: author,
    size,
    value: deps.keyring.seal(text, placeOf(advanced.id, advanced.number)),
  })
  await addTotals(tx, spot.mountId, advanced.id, { secrets: advanced.isNew ? 1 : 0, versions: 1, bytes: size })
  const { number, customMetadata } = advanced
  return { secretId: advanced.id, number, createdAt: now, deletionAt, destroyed: false, customMetadata }
}

async function prune(tx: Tx, { mountId }: Spot, { id, isNew, pruneBelow }: Advanced): Promise<void> {
  if (isNew || pruneBelow < 2) return
  await subtractVersions(tx, mountId, id, pruneBelow)
  await pruneVersions(tx, mountId, id, pruneBelow)
}

const justUpgraded = () =>
  failure('invalid', 'kv.upgraded', 'This mount was just upgraded to version 2: write to data/ below it.')

/** What became of a write that begins with a version: the new one, or the present one that cannot be read, or nothing. */
export type Rewritten =
  | { readonly kind: 'written'; readonly version: WrittenVersion }
  | { readonly kind: 'hidden'; readonly version: FoundVersion }
  | { readonly kind: 'missing' }

/** A write that begins with a version. */
export type Rewrite = {
  /** The version that it begins with; 0 for the latest. */
  readonly from: number
  readonly cas: number | undefined
  readonly author: Author
  readonly change: (value: Value) => Value
}

/** Writes a version that is made of another one; nobody else writes in between. */
export async function rewriteSecret(deps: WriteDeps, spot: Spot, rewrite: Rewrite): Promise<Rewritten> {
  const rules = await rulesOf(deps, spot.mountId)
  return await inTransaction(deps.db, async (tx): Promise<Rewritten> => {
    await requireMount(tx, spot.mountId)
    if (!(await lockSecret(tx, spot))) return { kind: 'missing' }
    const version = await findVersion(tx, spot, rewrite.from)
    if (!version) return { kind: 'missing' }
    if (!isLive(version, deps.clock.now())) return { kind: 'hidden', version }
    const { cas, author } = rewrite
    const write = { value: rewrite.change(openValue(deps, version)), cas, author }
    return { kind: 'written', version: await putVersion(deps, tx, { spot, rules, write }) }
  })
}

/** Merges a patch into the latest version, and writes the result as the next one. */
export const patchSecret = (
  deps: WriteDeps,
  spot: Spot,
  { patch, ...write }: Pick<Write, 'cas' | 'author'> & { readonly patch: Value },
): Promise<Rewritten> => rewriteSecret(deps, spot, { ...write, from: 0, change: (value) => mergePatch(value, patch) })

/** A secret of which versions were changed, and their numbers. */
export type Changed = { readonly secretId: string; readonly numbers: readonly number[] }

/** Changes those of the named versions for which there is something to change. */
async function change(
  deps: Pick<Deps, 'db' | 'clock'>,
  spot: Spot,
  numbers: readonly number[] | 'latest',
  decide: (version: VersionFacts, now: Instant, secret: StoredSecret) => VersionChange | undefined,
): Promise<Changed | undefined> {
  return await inTransaction(deps.db, async (tx) => {
    const secret = await lockSecret(tx, spot)
    if (!secret) return undefined
    const now = deps.clock.now()
    const wanted = numbers === 'latest' ? [secret.currentVersion] : numbers
    const found = await findVersions(tx, spot.mountId, secret.id, wanted)
    const changes = found.flatMap((version) => {
      const made = decide(version, now, secret)
      return made ? [{ version, made }] : []
    })
    const [first] = changes
    if (!first) return undefined
    const at = { mountId: spot.mountId, id: secret.id, numbers: changes.map(({ version }) => version.number), now }
    await changeVersions(tx, at, first.made)
    if (first.made.destroyed) {
      const bytes = changes.reduce((sum, { version }) => sum + version.size, 0)
      await addTotals(tx, spot.mountId, secret.id, { secrets: 0, versions: 0, bytes: -bytes })
    }
    return { secretId: secret.id, numbers: at.numbers }
  })
}

/** Hides versions: they can be brought back. Returns which were hidden now. */
export const hideVersions = (
  deps: Pick<Deps, 'db' | 'clock'>,
  spot: Spot,
  { numbers, author }: { readonly numbers: readonly number[] | 'latest'; readonly author: Author },
): Promise<Changed | undefined> =>
  change(deps, spot, numbers, (version, now) =>
    isLive(version, now) ? { deletionAt: now, deletedBy: author } : undefined,
  )

/** Brings hidden versions back; their time begins anew. */
export async function showVersions(
  deps: Pick<Deps, 'db' | 'clock' | 'store'>,
  spot: Spot,
  numbers: readonly number[],
): Promise<void> {
  const rules = await rulesOf(deps, spot.mountId)
  await change(deps, spot, numbers, ({ destroyed, deletionAt }, now, { deleteVersionAfter }) =>
    destroyed || deletionAt === null
      ? undefined
      : { deletionAt: hiddenAt(now, rules.deleteVersionAfter, deleteVersionAfter), deletedBy: null },
  )
}

/** Removes the values of versions for good. */
export async function destroyVersions(
  deps: Pick<Deps, 'db' | 'clock'>,
  spot: Spot,
  { numbers, author }: { readonly numbers: readonly number[]; readonly author: Author },
): Promise<void> {
  await change(deps, spot, numbers, ({ destroyed }) => (destroyed ? undefined : { destroyed: true, deletedBy: author }))
}

/** Removes a secret and all that is known about it; true if there was one. */
export async function removeSecret(deps: Pick<Deps, 'db'>, spot: Spot): Promise<boolean> {
  return await inTransaction(deps.db, async (tx) => {
    const secret = await lockSecret(tx, spot)
    if (!secret) return false
    const { versions, bytes } = await deleteSecret(tx, spot.mountId, secret.id)
    await deleteUses(tx, spot.mountId, secret.id)
    await addTotals(tx, spot.mountId, secret.id, { secrets: -1, versions: -versions, bytes: -bytes })
    return true
  })
}

/** Removes up to `limit` rows of a mount that is gone; returns about how many are left. */
export async function removeSome(tx: Tx, mountId: string, limit: number): Promise<number> {
  const removed = (await removeSomeSecrets(tx, mountId, limit)) || (await removeSomeUses(tx, mountId, limit))
  if (removed > 0) {
    await addTotals(tx, mountId, '0', { secrets: 0, versions: -removed, bytes: 0 })
    const { secrets, versions } = await loadTotals(tx, mountId)
    return Math.max(1, secrets + versions)
  }
  await deleteMountRows(tx, mountId)
  return 0
}

/** Refuses to turn a mount with versions into one without. Upgrading changes no row: a value is version 1 already. */
export async function checkUpgrade(
  _deps: Deps,
  _tx: Tx,
  { before, after }: { readonly before: Mount; readonly after: Mount },
): Promise<void> {
  if (variantOf(before.options ?? {}) === '2' && variantOf(after.options ?? {}) === '1')
    throw failure('invalid', 'kv.downgrade', 'cannot downgrade mount from version 2')
}

/** The version of the engine that the options of a mount choose. */
export function variantOf({ version = '1' }: Readonly<Record<string, string>>): '1' | '2' {
  if (version === '1' || version === '2') return version
  throw failure('invalid', 'kv.version', "invalid version provided: 'version' must be 1 or 2")
}
