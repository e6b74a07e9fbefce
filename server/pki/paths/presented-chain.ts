import { createHash } from 'node:crypto'
import { textOf } from '../../kernel/failure.ts'
import { type Certificate, readCertificate } from '../certificates/certificate.ts'
import { unreadable } from '../der.ts'
import { defaultLimits } from './budget.ts'

/** What a client sent: its certificate, and others in any order that may help to find a path. */
export type PresentedChain = {
  readonly leaf: Certificate
  readonly intermediates: readonly Certificate[]
  /** Certificates besides the leaf that could not be read; they are passed over. */
  readonly unreadable: readonly { readonly index: number; readonly reason: string }[]
  /** SHA-256 over all certificates in the order they were sent. */
  readonly digest: string
}

/** Reads what a client sent. An unreadable leaf throws a failure of kind `malformed`. */
export function readChain(
  leafDer: Buffer,
  othersDer: readonly Buffer[],
  read: (der: Buffer) => Certificate = readCertificate,
): PresentedChain {
  if (othersDer.length > defaultLimits.intermediates)
    throw unreadable('too-many-certificates', `More than ${defaultLimits.intermediates} certificates were sent.`)
  const leaf = read(leafDer)
  const intermediates: Certificate[] = []
  const broken: { index: number; reason: string }[] = []
  const digest = createHash('sha256').update(leaf.fingerprint)
  for (const [index, der] of othersDer.entries()) {
    try {
      const certificate = read(der)
      intermediates.push(certificate)
      digest.update(certificate.fingerprint)
    } catch (error) {
      broken.push({ index, reason: textOf(error) })
    }
  }
  return { leaf, intermediates, unreadable: broken, digest: digest.digest('hex') }
}
