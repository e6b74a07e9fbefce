import { failure } from '../../kernel/failure.ts'
import { keyBytes, shareBytes } from './shamir.ts'

const hexDigits = /^(?:[0-9a-fA-F]{2})+$/
const base64Digits = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Reads a share as people type it. Hex comes first, but only when it gives a share's length, since base64 of a share
 * may consist of hex digits alone.
 */
export function decodeShare(text: string): Buffer {
  const trimmed = text.trim()
  const isHex = hexDigits.test(trimmed)
  if (isHex && isShareLength(trimmed.length / 2)) return Buffer.from(trimmed, 'hex')
  const share = base64Digits.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined
  if (share && isShareLength(share.length)) return share
  if (share || isHex) {
    throw failure('invalid', 'share.wrong-length', `The key must have ${keyBytes} or ${shareBytes} bytes.`)
  }
  throw failure('invalid', 'share.not-decodable', 'The key must be hex or base64.')
}

const isShareLength = (length: number): boolean => length === keyBytes || length === shareBytes
