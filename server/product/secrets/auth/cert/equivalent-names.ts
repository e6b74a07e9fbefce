import type { Deps } from '../../../../kit/deps.ts'
import type { FindEquivalentPaths } from '../../../../kit/hooks.ts'
import { findCrl } from './crls/crl-store.ts'
import { nameKeyOf } from './roles/role.ts'
import { findRole } from './roles/role-store.ts'

/**
 * Names are compared without case, so a policy about a name, as it is listed or in lower case, holds for every spelling
 * of it.
 */
export const equivalentNamePaths =
  ({ db }: Pick<Deps, 'db'>): FindEquivalentPaths =>
  async (mount, path) => {
    const [, collection, name, rest = ''] = /^(certs|crls)\/([^/]+)(\/.*)?$/s.exec(path.slice(mount.path.length)) ?? []
    if (collection === undefined || name === undefined) return []
    const found = collection === 'certs' ? findRole(db, mount.id, name) : findCrl(db, { mountId: mount.id, name })
    const names = [(await found)?.name ?? name, nameKeyOf(name)]
    return names.map((each) => `${mount.path}${collection}/${each}${rest}`)
  }
