import { hash } from 'node:crypto'
import type { Certificate } from '../certificates/certificate.ts'
import { nameKey } from '../certificates/distinguished-names.ts'

const none: readonly Certificate[] = []

/** Certificates somebody decided to trust, prepared for many judgements. */
export class AnchorSet {
  readonly certificates: readonly Certificate[]
  /** Equal for equal sets of certificates: part of the key under which judged paths are remembered. */
  readonly id: string
  readonly #bySubject: ReadonlyMap<string, readonly Certificate[]>
  readonly #byFingerprint: ReadonlyMap<string, Certificate>

  constructor(certificates: readonly Certificate[]) {
    this.#byFingerprint = new Map(certificates.map((each) => [each.fingerprint, each]))
    this.certificates = [...this.#byFingerprint.values()]
    this.#bySubject = Map.groupBy(this.certificates, (each) => nameKey(each.subject))
    this.id = hash('sha256', [...this.#byFingerprint.keys()].sort().join(), 'hex')
  }

  /** Anchors with this subject, as `nameKey` gives it. */
  withSubject(key: string): readonly Certificate[] {
    return this.#bySubject.get(key) ?? none
  }

  /** True if exactly this certificate is trusted. */
  has(certificate: Certificate): boolean {
    return this.#byFingerprint.has(certificate.fingerprint)
  }
}
