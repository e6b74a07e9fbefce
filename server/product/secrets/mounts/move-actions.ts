import { failure } from '../../../kernel/failure.ts'
import { withoutOuterSlashes } from '../../../kernel/slashes.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Mount } from '../../../kit/mount.ts'
import { refuseLongName } from '../../../kit/name-length.ts'
import { partsOf } from '../../../kit/parts.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea } from '../../../storage/versions.ts'
import { isAuthPath } from './fixed-mounts.ts'
import { mountTable, refuseReserved, refuseTaken, requireEnginePath } from './mount-actions.ts'
import { findMountByPath, loadMounts, updateMount } from './mount-store.ts'

/** The paths of a move. */
type Move = { readonly from: string; readonly to: string }

/** A mount that has moved, and what its caller should know. */
type Moved = Move & { readonly notes: readonly string[] }

/**
 * Moves a mount with all its settings, and the rate limits of its paths. The tokens of logins at an auth method stop
 * working with the move, for good: they carry a login id that no mount has any more. Then they and their descendants are
 * revoked, here or by a job if that fails.
 */
export async function moveMount(deps: Deps, sent: Move): Promise<Moved> {
  const isAuth = !(await isEngine(deps, sent.from))
  const move = { from: movedPath('from', sent.from, isAuth), to: movedPath('to', sent.to, isAuth) }
  const { from, to } = move
  refuseLongName('The path', to)
  for (const path of [from, to]) refuseReserved(deps, path)
  const now = await deps.store.databaseNow()
  const steps = partsOf(deps, 'mountStep')
  const moved = await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'mounts')
    const mount = await mountToMove(tx, move)
    const next = { ...mount, path: to, loginId: isAuth ? deps.ids.uuid() : mount.loginId }
    await updateMount(tx, next)
    for (const { moving } of steps) await moving?.(tx, { mount, to, at: now })
    await deps.mountKinds.get(mount.type)?.moved?.(deps, tx, next)
    return mount
  })
  await Promise.all(steps.map((step) => step.moved?.(deps, moved))).catch((thrown) => {
    deps.log.warn({ err: thrown, from, to }, 'the tokens of a moved mount are left to a job')
  })
  deps.log.info({ from, to, type: moved.type }, 'mount moved')
  const notes = await Promise.all(steps.map((step) => step.moveNotes?.(deps, from, to)))
  return { ...move, notes: notes.flatMap((each) => each ?? []) }
}

async function isEngine(deps: Deps, sent: string): Promise<boolean> {
  const mount = (await mountTable(deps)).at(`${withoutOuterSlashes(sent)}/`)
  return mount !== undefined && !isAuthPath(mount.path) && !deps.mountKinds.get(mount.type)?.singleton
}

async function mountToMove(tx: Tx, { from, to }: Move): Promise<Mount> {
  const mount = await findMountByPath(tx, from)
  if (!mount) throw failure('invalid', 'mount.missing', `There is nothing to move at '${from}'.`)
  refuseTaken(to, await loadMounts(tx))
  return mount
}

function movedPath(field: string, sent: string, isAuth: boolean): string {
  const path = `${withoutOuterSlashes(sent)}/`
  const segments = path.slice(0, -1).split('/')
  if (!isAuth && segments[0] !== 'auth') {
    requireEnginePath(`'${field}'`, path)
    return path
  }
  const isPlain = segments.every((segment) => /^[\w.~-]+$/.test(segment) && segment !== '.' && segment !== '..')
  if (isPlain && isAuth && segments[0] === 'auth' && segments.length > 1) return path
  const wanted = isAuth ? 'an auth method, such as auth/cert' : 'a secrets engine, outside of auth/'
  throw failure('invalid', 'mount.not-auth', `'${field}' must be the path of ${wanted}.`)
}
