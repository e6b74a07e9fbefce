import {
  constants,
  createPublicKey,
  createVerify,
  type KeyObject,
  type VerifyKeyObjectInput,
  verify,
} from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { canSign, keyProblem, type SignatureAlgorithm, type SignatureScheme } from './algorithms.ts'
import type { PublicKeyInfo } from './public-key.ts'

/** Something signed: the covered bytes, the algorithm and the signature over them. */
export type Signed = { readonly signed: Buffer; readonly algorithm: SignatureAlgorithm; readonly signature: Buffer }

const keys = new WeakMap<PublicKeyInfo, KeyObject | null>()

/** The key object behind a public key, made once; null when the key is not usable. */
function keyObject(info: PublicKeyInfo): KeyObject | null {
  const known = keys.get(info)
  if (known !== undefined) return known
  const made = keyProblem(info.key) === undefined ? importKey(info.der) : null
  keys.set(info, made)
  return made
}

function importKey(der: Buffer): KeyObject | null {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    // For example, a point that is not on its curve: nobody can have signed with such a key.
    return null
  }
}

/** The options `node:crypto` wants for a scheme. */
function verifyOptions(key: KeyObject, scheme: SignatureScheme): VerifyKeyObjectInput {
  if (scheme.kind !== 'rsa-pss') return { key }
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: scheme.saltLength }
}

const hashOf = (scheme: SignatureScheme): string | null => (scheme.kind === 'ed25519' ? null : scheme.hash)

/** The key and scheme for a check, unless one of them is refused or they do not fit. */
function usableKey(
  by: PublicKeyInfo,
  algorithm: SignatureAlgorithm,
): { key: KeyObject; scheme: SignatureScheme } | undefined {
  const { scheme } = algorithm
  const key = scheme !== undefined && canSign(by.key, scheme) ? keyObject(by) : null
  return scheme !== undefined && key !== null ? { key, scheme } : undefined
}

/** True if the holder of `by` signed this. Algorithms off the allow-list and unusable keys verify nothing. */
export function isSignedBy(item: Signed, by: PublicKeyInfo): boolean {
  const prepared = usableKey(by, item.algorithm)
  if (prepared === undefined) return false
  try {
    return verify(hashOf(prepared.scheme), item.signed, verifyOptions(prepared.key, prepared.scheme), item.signature)
  } catch {
    // Signatures of impossible length make some versions throw; they are wrong signatures all the same.
    return false
  }
}

const sliceBytes = 4 * 1024 * 1024

/** The same for something large: hashed piece by piece or on another thread, so that nothing else waits. */
export async function isLargeSignedBy(item: Signed, by: PublicKeyInfo): Promise<boolean> {
  const prepared = usableKey(by, item.algorithm)
  if (prepared === undefined || item.signed.length <= sliceBytes) return isSignedBy(item, by)
  const options = verifyOptions(prepared.key, prepared.scheme)
  const hash = hashOf(prepared.scheme)
  // Ed25519 hashes the message twice, so it cannot be given in pieces.
  if (hash === null) return verifyOnThreadPool(item, options)
  const verifier = createVerify(hash)
  for (let at = 0; at < item.signed.length; at += sliceBytes) {
    verifier.update(item.signed.subarray(at, at + sliceBytes))
    await nextTurn()
  }
  try {
    return verifier.verify(options, item.signature)
  } catch {
    // A signature of impossible length, as above.
    return false
  }
}

const verifyOnThreadPool = (item: Signed, options: VerifyKeyObjectInput): Promise<boolean> =>
  new Promise((resolve) => {
    verify(null, item.signed, options, item.signature, (error, isGood) => resolve(error === null && isGood))
  })
