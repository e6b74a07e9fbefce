import { textOf } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { Mount } from '../../../../kit/mount.ts'
import type { Tx } from '../../../../storage/open.ts'
import { mountTable } from '../../mounts/index.ts'
import { deleteConfig } from './config/config-store.ts'
import { forgetCrls } from './crls/crl-memory-actions.ts'
import { findCrl, removeSomeCrls } from './crls/crl-store.ts'
import { forgetDirectory } from './login/role-directory-actions.ts'
import { forgetOcspAnswers } from './ocsp/ocsp-actions.ts'
import { removeSomeLogins } from './record/login-record-store.ts'
import { nameKeyOf } from './roles/role.ts'
import { findRole, removeSomeRoles } from './roles/role-store.ts'

/**
 * Names are compared without case, so a policy about a name, as it is listed or in lower case, holds for every spelling
 * of it.
 */
export async function equivalentNamePaths({ db }: Pick<Deps, 'db'>, mount: Mount, path: string): Promise<string[]> {
  const [, collection, name, rest = ''] = /^(certs|crls)\/([^/]+)(\/.*)?$/s.exec(path.slice(mount.path.length)) ?? []
  if (collection === undefined || name === undefined) return []
  const found = collection === 'certs' ? findRole(db, mount.id, name) : findCrl(db, { mountId: mount.id, name })
  const names = [(await found)?.name ?? name, nameKeyOf(name)]
  return names.map((each) => `${mount.path}${collection}/${each}${rest}`)
}

type MemoryDeps = Pick<Deps, 'db' | 'store' | 'log' | 'mountKinds'>

const mountIds = async (deps: MemoryDeps): Promise<ReadonlySet<string>> =>
  new Set((await mountTable(deps)).all.map(({ id }) => id))

/** Frees what is in memory for a mount as soon as it is gone, whichever process removed it. */
export async function forgetRemovedMounts(deps: MemoryDeps): Promise<void> {
  let known = await mountIds(deps)
  const follow = async (): Promise<void> => {
    const before = known
    known = await mountIds(deps)
    for (const id of before.difference(known)) forgetMount(deps, id)
  }
  const report = (error: unknown) =>
    deps.log.warn({ error: textOf(error) }, 'could not drop removed mounts from memory')
  deps.store.versions.onChange('mounts', () => void follow().catch(report))
}

function forgetMount(deps: MemoryDeps, mountId: string): void {
  forgetDirectory(deps, mountId)
  forgetCrls(deps, mountId)
  forgetOcspAnswers(deps, mountId)
}

/** Removes up to `limit` rows of a mount that is gone; returns how many are left. */
export async function removeSome(tx: Tx, mountId: string, limit: number): Promise<number> {
  const left =
    (await removeSomeRoles(tx, mountId, limit)) ||
    (await removeSomeCrls(tx, mountId, limit)) ||
    (await removeSomeLogins(tx, mountId, limit))
  if (left === 0) await deleteConfig(tx, mountId)
  return left
}
