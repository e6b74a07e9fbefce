import { LRUCache } from 'lru-cache'
import { type Instant, instant } from '../../../../../kernel/clock.ts'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import { type Crl, crlProblem, type LoadedCrl, loadCrl, type Name } from '../../../../../pki/index.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { configOf } from '../config/config-actions.ts'
import { directoryOf } from '../login/role-directory-actions.ts'
import {
  forgedSigner,
  hasKeyOf,
  keyHashOf,
  type Signer,
  type StoredCrl,
  signerKeyOf,
  unverifiableReason,
} from './crl.ts'
import { crlsUnlessLost } from './crl-memory-actions.ts'
import { getCrlBytes, noteSigner, unverifiedCrls } from './crl-store.ts'

/** Checks the signature of a list against the CAs of its issuer's name that the roles of a mount trust. */
export async function signerOf(
  deps: Pick<Deps, 'db' | 'store' | 'log'>,
  mountId: string,
  list: LoadedCrl,
): Promise<Signer> {
  const { roleCacheSize } = await configOf(deps, mountId)
  const issuers = await directoryOf(deps, mountId, roleCacheSize).findTrustedCas(list.crl.issuer)
  let verdict: Signer = { kind: 'unknown' }
  for (const issuer of issuers.filter((each) => hasKeyOf(list, each))) {
    const problem = unverifiableReason(list, issuer)
    if (problem !== undefined) {
      if (verdict.kind === 'unknown') verdict = { kind: 'unverifiable', text: problem }
      continue
    }
    const text = await crlProblem(list, issuer)
    if (text === undefined) return { kind: 'known', key: keyHashOf(issuer) }
    verdict = { kind: 'forged', text }
  }
  return verdict
}

/**
 * True if a list revokes certificates of a CA that some role trusts. A list of any other CA counts only for clients that
 * send that CA along, and for certificates that are pinned.
 */
export async function isInForce(
  deps: Pick<Deps, 'db' | 'store' | 'log'>,
  mountId: string,
  { signerKey, crl }: { readonly signerKey: string; readonly crl: Crl },
): Promise<boolean> {
  if (signerKey === forgedSigner) return false
  const { crlMatch, roleCacheSize } = await configOf(deps, mountId)
  // Entries about certificates of other CAs count whoever issued the list.
  if (crlMatch === 'serial' || crl.revokedOfOthers.size > 0) return true
  const trusted = await directoryOf(deps, mountId, roleCacheSize).findTrustedCas(crl.issuer)
  return trusted.some((ca) => !ca.isSelfIssued || hasKeyOf({ crl }, ca))
}

/** The warning about a list that is not. */
export const notInForceText = ({ issuer }: Pick<StoredCrl, 'issuer'>): string =>
  `The list is not in force: no role trusts its issuer, '${issuer}'. Until one does, it counts only for pinned ` +
  'certificates, and for clients that send that CA along.'

type SignerDeps = Pick<Deps, 'db' | 'store' | 'log' | 'clock'>

/**
 * Checks lists again whose signature no CA of a role could confirm: now that a role was written or removed, the verdict
 * may differ. A list that its CA did not sign is no longer in force, and a warning about it is returned; one that turns
 * out to be by another CA of the same name is in force again.
 */
export async function recheckSigners(deps: SignerDeps, mountId: string): Promise<string[]> {
  const warnings: string[] = []
  for (const stored of await unverifiedCrls(deps.db, mountId)) {
    const signer = await findSigner(deps, mountId, stored)
    if (signer === undefined || signerKeyOf(signer) === stored.signerKey) continue
    const rechecked = { ...stored, signerKey: signerKeyOf(signer), ...errorAfter(stored, signer, deps.clock.now()) }
    await inTransaction(deps.db, (tx) => noteSigner(tx, { mountId, name: stored.name }, rechecked))
    if (signer.kind !== 'forged') continue
    warnings.push(`The revocation list '${stored.name}' is not in force any more. ${signer.text}`)
    deps.log.warn({ crl: stored.name, problem: signer.text }, 'revocation list is not signed by its issuer')
  }
  return warnings
}

/** The error that readers of the list see afterwards; one about a failed fetch stays. */
function errorAfter(stored: StoredCrl, signer: Signer, at: Instant): Partial<StoredCrl> {
  if (signer.kind === 'forged') return { lastError: signer.text, lastErrorAt: at }
  return stored.signerKey === forgedSigner ? { lastError: '', lastErrorAt: instant(0) } : {}
}

/** A verdict about the signature of a list, and the CAs it was made by. */
type KnownVerdict = { readonly issuer: Name; readonly judges: string; readonly signer: Signer }

/** By the id of their bytes, which never change. */
const verdicts = perApp(() => new LRUCache<string, KnownVerdict>({ max: 1_000 }))

/**
 * Bytes are read only if some role trusts a CA of the issuer's name, or if the list is out of force and so not in
 * memory, and then only if these CAs are not the ones that it was checked with before. Nothing can be said about a list
 * that can no longer be read.
 */
async function findSigner(deps: SignerDeps, mountId: string, stored: StoredCrl): Promise<Signer | undefined> {
  const issuer = (await crlsUnlessLost(deps, mountId))?.get(stored.name)?.crl.issuer
  const { roleCacheSize } = await configOf(deps, mountId)
  const judgesOf = async (name: Name): Promise<string> =>
    (await directoryOf(deps, mountId, roleCacheSize).findTrustedCas(name)).map((ca) => ca.fingerprint).join()
  if (issuer && (await judgesOf(issuer)) === '') return undefined
  const before = verdicts(deps).get(stored.blobId)
  if (before && before.judges === (await judgesOf(before.issuer))) return before.signer
  const der = await getCrlBytes(deps.db, { mountId, name: stored.name }, stored.blobId)
  const loaded = der && (await loadCrl(der).catch(() => undefined))
  if (!loaded) return undefined
  const verdict = { issuer: loaded.crl.issuer, judges: await judgesOf(loaded.crl.issuer) }
  const signer = await signerOf(deps, mountId, loaded)
  // Unless roles have changed meanwhile, so that others may have judged.
  if ((await judgesOf(verdict.issuer)) === verdict.judges) verdicts(deps).set(stored.blobId, { ...verdict, signer })
  return signer
}
