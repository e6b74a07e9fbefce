import { hash } from 'node:crypto'
import type { Certificate } from '../certificates/certificate.ts'
import { nameKey } from '../certificates/names.ts'

const none: readonly Certificate[] = []

/** Certificates somebody decided to trust, prepared for many judgements. */
export class AnchorSet {
  readonly certificates: readonly Certificate[]
  /** Equal for equal sets, whoever holds them: part of the key under which judged paths are remembered. */
  readonly id: string
  readonly #bySubject: ReadonlyMap<string, readonly Certificate[]>
  readonly #byKeyId: ReadonlyMap<string, readonly Certificate[]>
  readonly #byFingerprint: ReadonlyMap<string, Certificate>

  constructor(certificates: readonly Certificate[]) {
    this.#byFingerprint = new Map(certificates.map((each) => [each.fingerprint, each]))
    this.certificates = [...this.#byFingerprint.values()]
    this.#bySubject = Map.groupBy(this.certificates, (each) => nameKey(each.subject))
    this.#byKeyId = Map.groupBy(this.certificates, (each) => each.subjectKeyId?.toString('hex') ?? '')
    this.id = hash('sha256', [...this.#byFingerprint.keys()].sort().join(), 'hex')
  }

  /** Anchors with this subject, as `nameKey` gives it. */
  withSubject(key: string): readonly Certificate[] {
    return this.#bySubject.get(key) ?? none
  }

  /** Anchors with this subject key identifier. */
  withKeyId(keyId: Buffer): readonly Certificate[] {
    return this.#byKeyId.get(keyId.toString('hex')) ?? none
  }

  /** True if exactly this certificate is trusted. */
  has(certificate: Certificate): boolean {
    return this.#byFingerprint.has(certificate.fingerprint)
  }
}

/** Finds, among thousands of anchor sets, the few that could end a chain, without looking at the others. */
export class AnchorIndex<Owner> {
  readonly #bySubject = new Map<string, Owner[]>()
  readonly #byFingerprint = new Map<string, Owner[]>()
  readonly #order = new Map<Owner, number>()

  /** Adds an owner of anchors; owners are found in the order they were added. */
  add(owner: Owner, anchors: AnchorSet): void {
    if (!this.#order.has(owner)) this.#order.set(owner, this.#order.size)
    const subjects = new Set(anchors.certificates.map((each) => nameKey(each.subject)))
    for (const subject of subjects) append(this.#bySubject, subject, owner)
    for (const each of anchors.certificates) append(this.#byFingerprint, each.fingerprint, owner)
  }

  /** Owners that trust a possible issuer of one of these certificates, or one of them itself. */
  ownersFor(chain: readonly Certificate[]): readonly Owner[] {
    const lists = new Set<readonly Owner[]>()
    for (const certificate of chain) {
      const byIssuer = this.#bySubject.get(nameKey(certificate.issuer))
      const byItself = this.#byFingerprint.get(certificate.fingerprint)
      if (byIssuer !== undefined) lists.add(byIssuer)
      if (byItself !== undefined) lists.add(byItself)
    }
    const [first = [], ...others] = lists
    // One list is the common case, and may have ten thousand entries: it is handed out as it is.
    if (others.length === 0) return first
    const orderOf = (owner: Owner): number => this.#order.get(owner) ?? 0
    return [...new Set([...lists].flat())].sort((a, b) => orderOf(a) - orderOf(b))
  }
}

function append<Owner>(lists: Map<string, Owner[]>, key: string, owner: Owner): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [owner])
  else if (list.at(-1) !== owner) list.push(owner)
}
