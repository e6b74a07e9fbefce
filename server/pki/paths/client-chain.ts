import { type Instant, instant } from '../../kernel/clock.ts'
import { textOf } from '../../kernel/failure.ts'
import { type Certificate, readCertificate } from '../certificates/certificate.ts'
import { isCa, wholeSecond } from '../certificates/certificate-facts.ts'
import { type Crl, crlProblem, isRevoked, type LoadedCrl, loadCrl } from '../crls/crl.ts'
import { AnchorSet } from './anchors.ts'
import { findPath } from './path.ts'
import { type Refusal, refusal, refusalText } from './path-refusal.ts'
import { readChain } from './presented-chain.ts'

/** What `validateClientChain` is asked. */
export type ClientChain = {
  leafDer: Buffer
  intermediatesDer: readonly Buffer[]
  trustAnchorsDer: readonly Buffer[]
  at: Date
  /** If given, the leaf must be covered by a usable list of its issuer. */
  crlsDer?: readonly Buffer[]
  maxIntermediates?: number
}

/**
 * Decides whether a client's certificate chain is acceptable. Never throws, whatever the bytes. This is the whole
 * engine without the rest of the server; public collections of test chains are run against it.
 */
export async function validateClientChain(input: ClientChain): Promise<{ ok: boolean; reason?: string }> {
  try {
    const presented = readChain(input.leafDer, input.intermediatesDer)
    const at = wholeSecond(instant(input.at.getTime()))
    if (Number.isNaN(at)) return { ok: false, reason: 'The time to validate at is not a valid time.' }
    const outcome = await findPath({
      ...presented,
      anchors: new AnchorSet(readAnchors(input.trustAnchorsDer)),
      at,
      maxIntermediates: input.maxIntermediates,
      accept: input.crlsDer && acceptByCrls(await readLists(input.crlsDer), at),
    })
    return outcome.ok ? { ok: true } : { ok: false, reason: refusalText(outcome.reason) }
  } catch (error) {
    return { ok: false, reason: textOf(error) }
  }
}

/** Certificates that cannot be read are left out. */
function readAnchors(ders: readonly Buffer[]): Certificate[] {
  return ders.flatMap((der) => {
    try {
      return [readCertificate(der)]
    } catch {
      return []
    }
  })
}

/** Lists that cannot be read are left out. */
async function readLists(ders: readonly Buffer[]): Promise<LoadedCrl[]> {
  const lists: LoadedCrl[] = []
  for (const der of ders) {
    const loaded = await loadCrl(der).catch(() => undefined)
    if (loaded !== undefined) lists.push(loaded)
  }
  return lists
}

/**
 * Accepts a path if some list of the leaf's issuer is complete for the leaf and does not contain it (RFC 5280 §6.3).
 * Other lists can only revoke.
 */
function acceptByCrls(lists: readonly LoadedCrl[], at: Instant) {
  return async ([leaf, issuer]: readonly Certificate[]): Promise<Refusal | undefined> => {
    let isCovered = false
    for (const loaded of lists) {
      const { crl } = loaded
      if (leaf === undefined || issuer === undefined || !isCurrent(crl, at)) continue
      if ((await crlProblem(loaded, issuer)) !== undefined) continue
      if (isRevoked(crl, leaf.serial)) return refusal('revoked', leaf, 'It is on the list of its issuer.', '')
      isCovered ||= isCompleteFor(crl, leaf)
    }
    return isCovered ? undefined : refusal('no-crl', leaf, 'There is no usable list of its issuer.', '')
  }
}

const isCurrent = ({ thisUpdate, nextUpdate }: Crl, at: Instant): boolean =>
  nextUpdate !== undefined && thisUpdate <= at && at <= nextUpdate

/** A list of one distribution point covers only the certificates that name this point (RFC 5280 §6.3.3 b 2). */
const isCompleteFor = ({ deltaBase, isIndirect, completeFor, pointUrls }: Crl, leaf: Certificate): boolean =>
  deltaBase === undefined &&
  !isIndirect &&
  (completeFor === 'all' || completeFor === (isCa(leaf) ? 'cas' : 'users')) &&
  (pointUrls === undefined || pointUrls.some((url) => leaf.crlUrls.includes(url)))
