import { textOf } from '../../kernel/failure.ts'
import { encoded, readElement, unreadable } from '../der.ts'
import { type PemBlock, pemBlocks } from '../pem.ts'
import { type Certificate, readCertificate } from './certificate.ts'

/** A block that could not be used, counted from 0 over all blocks of the text. */
export type SkippedBlock = { readonly index: number; readonly label: string; readonly reason: string }

const certificateLabels = new Set(['CERTIFICATE', 'TRUSTED CERTIFICATE'])

/** The roots of all browsers together are some hundred; more than this only costs time. */
const mostBlocks = 1_000

/** Reads every certificate of a PEM bundle; keys and other blocks are passed over, broken certificates are reported. */
export function readPemCertificates(text: string): { certificates: Certificate[]; skipped: SkippedBlock[] } {
  const certificates: Certificate[] = []
  const skipped: SkippedBlock[] = []
  let index = 0
  for (const block of pemBlocks(text)) {
    if (index === mostBlocks) {
      skipped.push({ index, label: block.label, reason: `Only ${mostBlocks} blocks are read; the rest is ignored.` })
      break
    }
    try {
      if (certificateLabels.has(block.label)) certificates.push(readBlock(block))
    } catch (error) {
      skipped.push({ index, label: block.label, reason: textOf(error) })
    }
    index++
  }
  return { certificates, skipped }
}

/** In a `TRUSTED CERTIFICATE` block, settings of the tool that wrote it follow the certificate; they are ignored. */
function readBlock(block: PemBlock): Certificate {
  if (block.der.length === 0) throw unreadable('pem', 'The PEM block is empty, has headers, or is not base64.')
  if (block.label === 'CERTIFICATE') return readCertificate(block.der)
  return readCertificate(encoded(readElement(block.der, 0, block.der.length)))
}
