import type { Deps } from '../../../../kit/deps.ts'
import type { Mount } from '../../../../kit/mount.ts'
import { findCrl } from './crls/crl-store.ts'
import { nameKeyOf } from './roles/role.ts'
import { findRole } from './roles/role-store.ts'

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
