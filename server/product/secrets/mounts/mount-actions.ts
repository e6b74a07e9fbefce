import { failure } from '../../../kernel/failure.ts'
import { withoutOuterSlashes } from '../../../kernel/slashes.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Mount } from '../../../kit/mount.ts'
import { refuseLongName } from '../../../kit/name-length.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea } from '../../../storage/versions.ts'
import { conflictingMount, defaultMountConfig, reservedMountAt, tunableFixedMount } from './mount-rules.ts'
import { deleteMount, findMountByPath, insertMount, loadMounts, updateMount } from './mount-store.ts'
import { applyTuning, type Tuning } from './mount-tuning.ts'

/** The fields of a new mount. */
export type NewMount = {
  readonly type: string
  readonly description?: string
  readonly tuning?: Tuning
  readonly options?: Readonly<Record<string, string>>
  readonly local?: boolean
  readonly sealWrap?: boolean
}

/** `cert`, `/cert/` and `team/cert` become `auth/cert/` and `auth/team/cert/`. */
export const authPath = (sent: string): string => `auth/${withoutOuterSlashes(sent)}/`

/** Enables an auth method at a path. */
export async function enableAuth(deps: Deps, sentPath: string, wanted: NewMount): Promise<Mount> {
  if (wanted.type === '')
    throw failure('invalid', 'mount.type', "'type' names the auth method to enable; it must not be empty.")
  const method = [...deps.hooks.authMethods.values()].find((each) => each.type === wanted.type)
  if (!method) throw failure('invalid', 'mount.type', `There is no auth method of type '${wanted.type}'.`)
  const path = authPath(sentPath)
  refuseLongName('The path', path)
  refuseReserved(path)
  const id = deps.ids.uuid()
  const blank: Mount = {
    id,
    path,
    type: method.type,
    accessor: `auth_${method.type}_${deps.ids.hex(8)}`,
    loginId: id,
    description: wanted.description ?? '',
    local: wanted.local ?? false,
    sealWrap: wanted.sealWrap ?? false,
    options: wanted.options ?? null,
    config: defaultMountConfig,
    tainted: false,
  }
  const mount = applyTuning(blank, wanted.tuning ?? {}, deps.settings)
  await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'mounts')
    refuseTaken(path, await loadMounts(tx))
    await insertMount(tx, mount, deps.clock.now())
  })
  return mount
}

/** Refuses a path that belongs to a fixed mount. */
export function refuseReserved(path: string): void {
  const owner = reservedMountAt(path)
  if (!owner) return
  const whose = owner.path === path ? 'is reserved by the server itself' : `is reserved for '${owner.path}'`
  throw failure('refused', 'mount.reserved', `The path '${path}' ${whose}.`)
}

function refuseTaken(path: string, taken: readonly Mount[]): void {
  const clash = conflictingMount(path, taken)
  if (!clash) return
  throw failure('invalid', 'mount.taken', `path is already in use at ${clash.path.replace(/^auth\//, '')}`)
}

/** Disables a mount: at once nothing answers there, then its tokens, data and aliases are removed. */
export async function disableAuth(deps: Deps, sentPath: string): Promise<void> {
  const path = authPath(sentPath)
  if (path === 'auth/token/') throw failure('invalid', 'mount.fixed', 'The token method cannot be disabled.')
  const mount = await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'mounts')
    const found = await findMountByPath(tx, path)
    if (found) await updateMount(tx, { ...found, tainted: true })
    return found
  })
  if (mount) await removeTainted(deps, mount)
}

/** Finishes the removal of mounts that a process began before it died. */
export async function finishRemovals(deps: Deps): Promise<void> {
  for (const mount of await loadMounts(deps.db)) if (mount.tainted) await removeTainted(deps, mount)
}

/** Every step can be repeated, so it does no harm if two processes do this. */
async function removeTainted(deps: Deps, mount: Mount): Promise<void> {
  await deps.hooks.revokeMount(mount)
  await inTransaction(deps.db, async (tx) => {
    await deps.hooks.authMethods.get(mount.type)?.removeMount(tx, mount.id)
    await deps.hooks.forgetAliases(tx, mount.accessor)
    await deleteMount(tx, mount.id)
  })
  deps.log.info({ mount: mount.path, type: mount.type }, 'mount removed')
}

/**
 * Moves an auth method with all its settings, and the rate limits of its paths. The tokens of its logins stop working
 * with the move, for good: they carry a login id that no mount has any more. Then they and their descendants are
 * revoked, here or by a job if that fails.
 */
export async function moveAuth(deps: Deps, sent: { from: string; to: string }): Promise<{ from: string; to: string }> {
  const [from, to] = [movedPath('from', sent.from), movedPath('to', sent.to)]
  refuseLongName('The path', to)
  for (const path of [from, to]) refuseReserved(path)
  const now = await deps.store.databaseNow()
  const moved = await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'mounts')
    const mount = await findMountByPath(tx, from)
    if (!mount || mount.tainted) throw failure('invalid', 'mount.missing', `There is no auth method at '${from}'.`)
    refuseTaken(to, await loadMounts(tx))
    await deps.hooks.moveQuotas(tx, { from, to })
    await updateMount(tx, { ...mount, path: to, loginId: deps.ids.uuid() })
    await deps.hooks.planLoginRevocation(tx, mount, now)
    return mount
  })
  await deps.hooks.revokeLogins(moved).catch((thrown) => {
    deps.log.warn({ err: thrown, from, to }, 'the tokens of a moved mount are left to a job')
  })
  deps.log.info({ from, to, type: moved.type }, 'mount moved')
  return { from, to }
}

function movedPath(field: string, sent: string): string {
  const path = `${withoutOuterSlashes(sent)}/`
  const segments = path.slice(0, -1).split('/')
  const isPlain = segments.every((segment) => /^[\w.~-]+$/.test(segment) && segment !== '.' && segment !== '..')
  if (isPlain && segments[0] === 'auth' && segments.length > 1) return path
  throw failure('invalid', 'mount.not-auth', `'${field}' must be the path of an auth method, such as auth/cert.`)
}

/** Changes the settings of a mount. */
export async function tuneMount(deps: Deps, path: string, tuning: Tuning): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'mounts')
    const stored = await findMountByPath(tx, path)
    const mount = stored ?? tunableFixedMount(path)
    if (!mount || mount.tainted) {
      throw failure('invalid', 'mount.untunable', `There is no mount at '${path}' whose settings can be changed.`)
    }
    const next = applyTuning(mount, tuning, deps.settings)
    if (stored) await updateMount(tx, next)
    else await insertMount(tx, next, deps.clock.now())
  })
}
