import { hash } from 'node:crypto'
import { type Instant, instant } from '../../kernel/clock.ts'
import { type Certificate, readCertificate } from '../certificates/certificate.ts'
import type { AnchorSet } from './anchors.ts'
import type { Budget } from './budget.ts'
import { findPath, type LinkMemory, linkKey, linkMemory, type PathOutcome, type PathQuery } from './path.ts'
import { type PresentedChain, readChain } from './presented-chain.ts'

/** A map of limited size, which drops the least recently used entry first. */
class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#most) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}

/** How many of each a verifier remembers. */
type VerifierSizes = { readonly paths: number; readonly certificates: number; readonly links: number }

const defaultSizes: VerifierSizes = { paths: 10_000, certificates: 5_000, links: 10_000 }

/** What a caller may set besides chain and anchors. */
type VerifyOptions = {
  readonly at: Instant
  /** Asked about every path, remembered or new: revocation is never remembered. */
  readonly accept?: PathQuery['accept']
  /** Shared by several searches of one login. */
  readonly budget?: Budget
}

type JudgedPath = { readonly path: readonly Certificate[]; readonly from: Instant; readonly until: Instant }

/**
 * Judges chains as `findPath` does and remembers what cannot change: which path was found for exactly these
 * certificates and anchors, until one of them expires, the certificates on it, and who signed whom. Only good results
 * are kept: a refusal never outlasts its cause, and strangers cannot fill the memory. A certificate that was read takes
 * twenty times its size, and anybody can make large ones.
 */
export class ChainVerifier {
  readonly #paths: BoundedMap<JudgedPath>
  readonly #certificates: BoundedMap<Certificate>
  readonly #links: BoundedMap<true>

  constructor(sizes: VerifierSizes = defaultSizes) {
    this.#paths = new BoundedMap(sizes.paths)
    this.#certificates = new BoundedMap(sizes.certificates)
    this.#links = new BoundedMap(sizes.links)
  }

  /**
   * Reads what a client sent. Certificates that were on a good path are not parsed again, and keep their key objects.
   */
  read(leafDer: Buffer, intermediatesDer: readonly Buffer[]): PresentedChain {
    return readChain(leafDer, intermediatesDer, (der) => this.#readKnown(der))
  }

  /** Searches a path for a chain; at most one signature check for every link never seen before. */
  async verify(chain: PresentedChain, anchors: AnchorSet, options: VerifyOptions): Promise<PathOutcome> {
    const key = `${chain.digest}:${anchors.id}`
    const known = this.#recall(key, options.at)
    if (known !== undefined && (await options.accept?.(known)) === undefined) {
      this.#keep(known)
      return { ok: true, path: known }
    }
    const outcome = await findPath({ ...chain, anchors, ...options, links: this.#memory() })
    if (outcome.ok) {
      this.#paths.set(key, toJudgedPath(outcome.path))
      this.#keep(outcome.path)
    }
    return outcome
  }

  #readKnown(der: Buffer): Certificate {
    return this.#certificates.get(hash('sha256', der, 'hex')) ?? readCertificate(der)
  }

  #keep(path: readonly Certificate[]): void {
    for (const each of path) this.#certificates.set(each.fingerprint, each)
  }

  #recall(key: string, at: Instant): readonly Certificate[] | undefined {
    const known = this.#paths.get(key)
    if (known === undefined) return undefined
    if (at >= known.from && at <= known.until) return known.path
    this.#paths.delete(key)
    return undefined
  }

  /** Good links are kept for everybody, bad ones only as long as one search lasts. */
  #memory(): LinkMemory {
    const own = linkMemory()
    return {
      get: (child, issuer) => own.get(child, issuer) ?? this.#links.get(linkKey(child, issuer)),
      set: (child, issuer, isSigned) => {
        own.set(child, issuer, isSigned)
        if (isSigned) this.#links.set(linkKey(child, issuer), true)
      },
    }
  }
}

const toJudgedPath = (path: readonly Certificate[]): JudgedPath => ({
  path,
  from: instant(Math.max(...path.map((each) => each.notBefore))),
  until: instant(Math.min(...path.map((each) => each.notAfter))),
})
