import type { Deps } from '../../../kit/deps.ts'
import { loadCrl } from '../../../pki/index.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { configOf } from '../config/config-actions.ts'
import { directoryOf } from '../login/directory/role-directory.ts'
import { forgedSigner, type StoredCrl } from './crl.ts'
import { crlsOf } from './crl-memory.ts'
import { type Signer, signerOf } from './crl-signer.ts'
import { getCrlBytes, noteSigner, unverifiedCrls } from './crl-store.ts'

type SignerDeps = Pick<Deps, 'db' | 'store' | 'log' | 'clock'>

/**
 * Looks again at lists that came before their CA: now that a role trusts it, its signature can be checked. One that the CA
 * did not sign is out of force from here on, and returned as a warning.
 */
export async function settleSigners(deps: SignerDeps, mountId: string): Promise<string[]> {
  const warnings: string[] = []
  for (const stored of await unverifiedCrls(deps.db, mountId)) {
    const signer = await signerNow(deps, mountId, stored)
    if (signer?.kind !== 'known' && signer?.kind !== 'forged') continue
    const problem = signer.kind === 'forged' ? signer.text : ''
    const verdict = { signerKey: signer.kind === 'known' ? signer.key : forgedSigner, problem }
    const noted = { ...verdict, blobId: stored.blobId, at: deps.clock.now() }
    await inTransaction(deps.db, (tx) => noteSigner(tx, { mountId, name: stored.name }, noted))
    if (problem === '') continue
    warnings.push(`The revocation list '${stored.name}' is not in force any more. ${problem}`)
    deps.log.warn({ crl: stored.name, problem }, 'revocation list is not by its issuer')
  }
  return warnings
}

/** The bytes are read only if some role trusts a CA of the issuer's name: most lists without a verdict have none. */
async function signerNow(deps: SignerDeps, mountId: string, stored: StoredCrl): Promise<Signer | undefined> {
  const issuer = (await crlsOf(deps, mountId)).get(stored.name)?.crl.issuer
  const { roleCacheSize } = await configOf(deps, mountId)
  const known = issuer && (await directoryOf(deps, mountId, roleCacheSize).trustedAs(issuer))
  if (known === undefined || known.length === 0) return undefined
  const der = await getCrlBytes(deps.db, { mountId, name: stored.name }, stored.blobId)
  return der && signerOf(deps, mountId, await loadCrl(der))
}
