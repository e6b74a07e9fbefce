import type { Instant } from '../../../kernel/clock.ts'
import { type Failure, failure } from '../../../kernel/failure.ts'
import { withoutOuterSlashes } from '../../../kernel/slashes.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { Mount } from '../../../kit/mount.ts'
import { kindNamed } from '../../../kit/mount-kind.ts'
import { refuseLongName } from '../../../kit/name-length.ts'
import { partsOf } from '../../../kit/parts.ts'
import { beginRemoval, type Remover, saveRemoval } from '../../../kit/removals/index.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea, VersionedCache } from '../../../storage/versions.ts'
import {
  conflictingMount,
  defaultMountConfig,
  fixedMountAt,
  isAuthPath,
  isFixedMount,
  MountTable,
  reservedMountAt,
} from './fixed-mounts.ts'
import {
  deleteMount,
  findMountByPath,
  insertMount,
  loadMounts,
  lockAddedMountForShare,
  updateMount,
} from './mount-store.ts'
import { applyTuning, type NewMount, type Tuning } from './mount-tuning.ts'

/** A move that is being stored: the mount as it was, and its new path. */
type MovingMount = { readonly mount: Mount; readonly to: string; readonly at: Instant }

/** What a feature does for what it keeps about mounts, when one is removed or moved. */
type MountStep = {
  /** Does what the end of a mount means at once, in the transaction that removes it. */
  readonly removing?: (tx: Tx, mount: Mount) => Promise<void>
  /** Removes up to `limit` rows that are kept about a mount that is gone, and returns how many are left. */
  readonly removeSome?: (deps: Deps, tx: Tx, mount: Mount, limit: number) => Promise<number>
  /** Follows a mount to its new path, in the transaction of the move; throws to refuse it. */
  readonly moving?: (tx: Tx, move: MovingMount) => Promise<void>
  /** What callers should know who have moved a mount. */
  readonly moveNotes?: (deps: Deps, from: string, to: string) => Promise<readonly string[]>
  /** Does what the move of this mount has planned; a job does it if this fails. */
  readonly moved?: (deps: Deps, mount: Mount) => Promise<void>
}

declare module '../../../kit/parts.ts' {
  interface FeatureParts {
    /** What happens to the things that a feature keeps about a mount, with the mount. */
    mountStep: MountStep
  }
}

/** `cert`, `/cert/` and `team/cert` become `auth/cert/` and `auth/team/cert/`. */
export const authPath = (sent: string): string => `auth/${withoutOuterSlashes(sent)}/`

/** `kv`, `/kv/` and `team/kv` become `kv/` and `team/kv/`. */
export const enginePath = (sent: string): string => `${withoutOuterSlashes(sent)}/`

/** Enables an auth method at a path. */
export async function enableAuth(deps: Deps, sentPath: string, wanted: NewMount): Promise<Mount> {
  if (wanted.type === '')
    throw failure('invalid', 'mount.type', "'type' names the auth method to enable; it must not be empty.")
  const named = kindNamed(deps.mountKinds, wanted.type)
  if (!named?.kind.isAuth || named.kind.singleton) throw noSuchType(deps, 'auth method', wanted.type)
  return await enable(deps, authPath(sentPath), named, wanted)
}

/** Mounts a secrets engine at a path. */
export async function enableEngine(deps: Deps, sentPath: string, wanted: NewMount): Promise<Mount> {
  const path = enginePath(sentPath)
  refuseReserved(deps, path)
  if (isAuthPath(path)) throw failure('refused', 'mount.reserved', "The path 'auth/' is reserved: use sys/auth.")
  requireEnginePath('The path', path)
  if (wanted.type === '') throw failure('invalid', 'mount.type', "'type' names what to mount; it must not be empty.")
  const named = kindNamed(deps.mountKinds, wanted.type)
  if (!named || named.kind.isAuth || named.kind.singleton) throw noSuchType(deps, 'secrets engine', wanted.type)
  return await enable(deps, path, named, wanted)
}

function noSuchType({ mountKinds }: Deps, what: 'auth method' | 'secrets engine', type: string): Failure {
  const isAuth = what === 'auth method'
  const types = [...mountKinds.values()].filter((each) => each.isAuth === isAuth && !each.singleton)
  const known = types.map((each) => each.type).sort()
  const there = known.length === 0 ? 'This version has none.' : `There are: ${known.join(', ')}.`
  const singleton = mountKinds.get(type)?.singleton
  if (singleton) return failure('invalid', 'mount.type', `The type '${type}' is not mountable: there is one, always.`)
  const instead =
    isAuth && type === 'kubernetes' ? ` A mount of type 'jwt' at 'kubernetes' serves the same clients.` : ''
  return failure('invalid', 'mount.type', `There is no ${what} of type '${type}'. ${there}${instead}`)
}

type NamedKind = NonNullable<ReturnType<typeof kindNamed>>

async function enable(deps: Deps, path: string, { kind, options }: NamedKind, wanted: NewMount): Promise<Mount> {
  refuseLongName('The path', path)
  refuseReserved(deps, path)
  const id = deps.ids.uuid()
  const blank: Mount = {
    id,
    path,
    type: kind.type,
    accessor: `${kind.accessorPrefix}_${deps.ids.hex(8)}`,
    loginId: id,
    description: wanted.description ?? kind.description ?? '',
    local: wanted.local ?? false,
    sealWrap: wanted.sealWrap ?? false,
    options: options ? { ...wanted.options, ...options } : (wanted.options ?? null),
    config: defaultMountConfig,
  }
  const mount = applyTuning(kind, blank, wanted.tuning ?? {}, deps.settings)
  await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'mounts')
    refuseTaken(path, await loadMounts(tx))
    await insertMount(tx, mount, deps.clock.now())
    await kind.mounted?.(deps, tx, mount)
  })
  return mount
}

/** Paths that clients of this family take for parts of the server. */
const keptFree = ['audit/', 'mfa/']

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const unprintable = /[\u0000-\u001f\u007f-\u009f]/

/** Refuses a path that could not be read well, or that no policy could name. */
export function requireEnginePath(what: string, path: string): void {
  const segments = path.slice(0, -1).split('/')
  const isBlank = segments.some((segment) => segment.trim() !== segment || segment === '')
  const isDotted = segments.some((segment) => ['.', '..', '*', '+'].includes(segment))
  if (!isBlank && !isDotted && !unprintable.test(path)) return
  const text = `${what} '${path.replace(new RegExp(unprintable, 'g'), '?')}' has a part that is empty, '.', '..', '*' or '+', or has blanks around it.`
  throw failure('invalid', 'mount.path', text)
}

/** Refuses a path that belongs to a fixed mount. */
export function refuseReserved({ mountKinds }: Pick<Deps, 'mountKinds'>, path: string): void {
  const owner = reservedMountAt(mountKinds, path)
  const kept = keptFree.find((each) => path.startsWith(each))
  if (kept)
    throw failure('refused', 'mount.reserved', `The path '${path}' is reserved: nothing is mounted below '${kept}'.`)
  if (!owner) return
  const whose = owner.path === path ? 'is reserved by the server itself' : `is reserved for '${owner.path}'`
  throw failure('refused', 'mount.reserved', `The path '${path}' ${whose}.`)
}

/** Refuses a path at, below or above which something is mounted. */
export function refuseTaken(path: string, taken: readonly Mount[]): void {
  const clash = conflictingMount(path, taken)
  if (!clash) return
  throw failure('invalid', 'mount.taken', `path is already in use at ${clash.path.replace(/^auth\//, '')}`)
}

/** Disables an auth method: it is gone at once, and its tokens, data and aliases follow. */
export async function disableAuth(deps: Deps, sentPath: string, requestedBy: string): Promise<void> {
  const path = authPath(sentPath)
  if (path === 'auth/token/') throw failure('invalid', 'mount.fixed', 'The token method cannot be disabled.')
  await disable(deps, path, requestedBy)
}

/** Removes a secrets engine: it is gone at once, and all that is stored in it follows. */
export async function disableEngine(deps: Deps, sentPath: string, requestedBy: string): Promise<void> {
  const path = enginePath(sentPath)
  const owner = reservedMountAt(deps.mountKinds, path)
  if (owner) throw failure('invalid', 'mount.fixed', `The mount at '${owner.path}' cannot be removed.`)
  if (isAuthPath(path)) throw failure('invalid', 'mount.auth', 'Auth methods are disabled at sys/auth.')
  await disable(deps, path, requestedBy)
}

async function disable(deps: Deps, path: string, requestedBy: string): Promise<void> {
  const requestedAt = await deps.store.databaseNow()
  const mount = await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'mounts')
    const found = await findMountByPath(tx, path)
    if (!found) return undefined
    removerOf(deps, found)
    await deleteMount(tx, found.id)
    for (const { removing } of partsOf(deps, 'mountStep')) await removing?.(tx, found)
    const request = { name: path, requestedBy, requestedAt, rowsLeft: 1, payload: found }
    await saveRemoval(tx, { kind: 'mount', subjectId: found.id, ...request })
    return found
  })
  if (!mount) return
  deps.log.info({ mount: mount.path, type: mount.type }, 'mount removed')
  await beginRemoval(deps, { kind: 'mount', subjectId: mount.id })
}

/** Removes some rows of a mount; throws if this server lacks the type, and so does not know what the mount keeps. */
function removerOf({ mountKinds }: Pick<Deps, 'mountKinds'>, mount: Mount) {
  const { removeSome } = mountKinds.get(mount.type) ?? {}
  if (!removeSome) throw unknownType(mount)
  return removeSome
}

const unknownType = ({ path, type }: Mount) =>
  failure('invalid', 'mount.unknown-type', `This server lacks the type '${type}', so it cannot remove '${path}'.`)

/** Removes what was stored in a mount, and what others keep about it. */
export const mountRemover: Remover = {
  kind: 'mount',
  removeSome: async (deps, tx, { payload }, limit) => {
    const mount = payload as Mount
    for (const { removeSome } of partsOf(deps, 'mountStep')) {
      const left = (await removeSome?.(deps, tx, mount, limit)) ?? 0
      if (left > 0) return { left }
    }
    return { left: await removerOf(deps, mount)(tx, mount.id, limit) }
  },
}

/** Changes the settings of a mount; returns what its caller should know. */
export async function tuneMount(deps: Deps, path: string, tuning: Tuning): Promise<readonly string[]> {
  const change = await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'mounts')
    const stored = await findMountByPath(tx, path)
    const mount = stored ?? fixedMountAt(deps.mountKinds, path)
    if (!mount) {
      throw failure('invalid', 'mount.untunable', `There is no mount at '${path}' whose settings can be changed.`)
    }
    const kind = deps.mountKinds.get(mount.type)
    if (kind?.singleton && !kind.singleton.isTunable) requireAuditLists(mount, tuning)
    const next = applyTuning(kind, mount, tuning, deps.settings)
    if (stored) await updateMount(tx, next)
    else await insertMount(tx, next, deps.clock.now())
    await kind?.tuned?.(deps, tx, { before: mount, after: next })
    return { before: mount, after: next }
  })
  return await notesOn(deps, change)
}

/** What callers should know who have mounted something, or changed its settings. */
export const notesOn = async (
  deps: Deps,
  change: { readonly before?: Mount; readonly after: Mount },
): Promise<readonly string[]> => (await deps.mountKinds.get(change.after.type)?.notes?.(deps, change)) ?? []

/** Refuses any settings but what audit records show. */
function requireAuditLists({ path }: Mount, tuning: Tuning): void {
  const other = Object.keys(tuning).find((name) => !name.startsWith('audit_non_hmac_'))
  if (other === undefined) return
  const text = `'${other}' of '${path}' cannot be changed: only what audit records show unhashed can.`
  throw failure('invalid', 'mount.untunable', text)
}

const tables = perApp((deps) => new VersionedCache<'table', MountTable>(deps.store.versions, 'mounts', { max: 1 }))

/** The present mounts; read again only after a change. */
export const mountTable = async (deps: Pick<Deps, 'db' | 'store' | 'mountKinds'>): Promise<MountTable> =>
  await tables(deps).getOrLoad('table', () => loadTable(deps, deps.db))

/** The mounts as a transaction sees them, for what must hold when it commits. */
export const mountTableIn = (deps: Pick<Deps, 'mountKinds'>, tx: Tx): Promise<MountTable> => loadTable(deps, tx)

const loadTable = async ({ mountKinds }: Pick<Deps, 'mountKinds'>, db: Queryable): Promise<MountTable> =>
  new MountTable(mountKinds, await loadMounts(db))

/** True if a mount exists; it cannot be removed before this transaction ends. */
export const lockMountForShare = async (
  { mountKinds }: Pick<Deps, 'mountKinds'>,
  tx: Tx,
  accessor: string,
): Promise<boolean> => isFixedMount(mountKinds, accessor) || (await lockAddedMountForShare(tx, accessor))
