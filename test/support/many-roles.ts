import { blankRole, type CertRole } from '../../server/product/secrets/auth/cert/roles/role.ts'
import { swapRole } from '../../server/product/secrets/auth/cert/roles/role-store.ts'
import { readTrust } from '../../server/product/secrets/auth/cert/roles/role-trust.ts'
import type { Db } from '../../server/storage/open.ts'
import { inTransaction } from '../../server/storage/transaction.ts'

/** Stores thousands of roles at once, as an importer would; over the API it would take minutes. */
export async function storeRoles(db: Db, mountId: string, count: number, make: (index: number) => Partial<CertRole>) {
  const trusts = new Map<string, ReturnType<typeof readTrust>>()
  const lot = 500
  for (let from = 0; from < count; from += lot) {
    await inTransaction(db, async (tx) => {
      for (let index = from; index < Math.min(count, from + lot); index++) {
        const role = { ...blankRole(`role-${String(index).padStart(6, '0')}`), ...make(index) }
        const trust = trusts.get(role.certificate) ?? readTrust(role.certificate)
        trusts.set(role.certificate, trust)
        await swapRole(tx, mountId, { role, trust, version: undefined, at: 0 })
      }
    })
  }
}
