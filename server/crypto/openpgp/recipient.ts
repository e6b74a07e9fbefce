import type { Instant } from '../../kernel/clock.ts'
import { notReadable, type Packet, readPackets, tags } from './packets.ts'
import { algorithms, keyHashInput, type PublicKey, readPublicKey } from './public-key.ts'
import { isSignedBy, readSignature, type Signature, signatureTypes } from './signature.ts'

/** A key or user name, the bytes that signatures on it cover, and those signatures. */
type Component = { readonly packet: Packet; readonly signedData: Buffer; readonly signatures: Signature[] }

const encryptFlags = 0x04 | 0x08

/**
 * The key of a person that messages to them are encrypted with: the newest subkey for that, or the main key if it is for
 * that. What the main key has not signed does not count: anybody could have added it.
 */
export function findRecipient(bytes: Buffer, now: Instant): PublicKey {
  const [main, ...others] = readComponents(bytes)
  const key = main && readPublicKey(main.packet.body)
  if (!key) throw notReadable('holds no key')
  const seconds = Math.floor(now / 1000)
  const ownSignatures = selfSignatures(key, main, others)
  if (ownSignatures.some(({ type }) => type === signatureTypes.keyRevoked)) throw notReadable('is revoked')
  const newest = newestOf(ownSignatures)
  if (newest && isExpired(key, newest, seconds)) throw notReadable('has expired')
  const subkeys = others
    .filter(({ packet }) => packet.tag === tags.subkey)
    .flatMap((each) => usableSubkey(key, each, seconds))
  const best = subkeys.sort((one, other) => other.createdAt - one.createdAt)[0]
  if (best) return best
  if (canEncrypt(key) && ((newest?.flags ?? 0) & encryptFlags) !== 0) return key
  const curves = 'Curve25519, P-256, P-384 or P-521'
  throw notReadable(`has no valid part for encryption: RSA, or ECDH on ${curves}, signed with SHA-1 or SHA-2`)
}

/** The key by whose fingerprint people know each other. */
export function mainKey(bytes: Buffer): PublicKey {
  const [main] = readComponents(bytes)
  if (!main) throw notReadable('holds no key')
  return readPublicKey(main.packet.body)
}

/** The main key comes first; each user name and subkey is followed by the signatures on it (RFC 9580 §10.1). */
function readComponents(bytes: Buffer): Component[] {
  const packets = readPackets(bytes)
  const first = packets[0]
  if (first?.tag !== tags.key) throw notReadable('is not a public key')
  const main = keyHashInput(first.body)
  const components: Component[] = []
  for (const packet of packets) {
    if (packet.tag === tags.key && packet !== first) throw notReadable('comes with a second one; give one key each')
    const signature = packet.tag === tags.signature ? readSignature(packet.body) : undefined
    if (signature) components.at(-1)?.signatures.push(signature)
    else if (packet.tag !== tags.signature)
      components.push({ packet, signedData: signedDataOf(main, packet), signatures: [] })
  }
  return components
}

/** What a signature on a component is made over (§5.2.4). */
function signedDataOf(main: Buffer, { tag, body }: Packet): Buffer {
  if (tag === tags.key) return main
  if (tag === tags.subkey) return Buffer.concat([main, keyHashInput(body)])
  const head = Buffer.of(0xb4, 0, 0, 0, 0)
  head.writeUInt32BE(body.length, 1)
  return Buffer.concat([main, head, body])
}

/** What the main key says about itself, directly and with its user names. */
function selfSignatures(key: PublicKey, main: Component, others: readonly Component[]): Signature[] {
  const { certifications, direct, keyRevoked } = signatureTypes
  const isCertification = (type: number): boolean => certifications.some((each) => each === type)
  const names = others.filter(({ packet }) => packet.tag === tags.user)
  return [
    ...signaturesBy(key, main, (type) => type === direct || type === keyRevoked),
    ...names.flatMap((name) => signaturesBy(key, name, isCertification)),
  ]
}

/** The signatures on a component that this key made, of the types that matter. */
const signaturesBy = (
  key: PublicKey,
  { signatures, signedData }: Component,
  isWanted: (type: number) => boolean,
): Signature[] => signatures.filter((signature) => isWanted(signature.type) && isSignedBy(key, signature, signedData))

function usableSubkey(main: PublicKey, component: Component, seconds: number): PublicKey[] {
  const subkey = readPublicKey(component.packet.body)
  const { subkey: bound, subkeyRevoked } = signatureTypes
  const valid = signaturesBy(main, component, (type) => type === bound || type === subkeyRevoked)
  const binding = newestOf(valid.filter(({ type }) => type === bound))
  if (!binding || valid.some(({ type }) => type === subkeyRevoked)) return []
  const isMeant = binding.flags === undefined || (binding.flags & encryptFlags) !== 0
  return isMeant && canEncrypt(subkey) && !isExpired(subkey, binding, seconds) ? [subkey] : []
}

const newestOf = (signatures: readonly Signature[]): Signature | undefined =>
  signatures.toSorted((one, other) => other.createdAt - one.createdAt)[0]

const isExpired = ({ createdAt }: PublicKey, { keyLifetime }: Signature, seconds: number): boolean =>
  keyLifetime > 0 && createdAt + keyLifetime <= seconds

function canEncrypt({ algorithm, key, derivation }: PublicKey): boolean {
  if (!key) return false
  if (algorithm === algorithms.ecdh) return derivation !== undefined
  return algorithm === algorithms.rsa || algorithm === algorithms.rsaEncryptOnly
}
