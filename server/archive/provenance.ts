import { Keyring, rewrapKeyring } from '../crypto/keyring.ts'
import { lendRootKey } from '../crypto/root-keys/handed-over.ts'
import { recoverRootKey } from '../crypto/root-keys/recovery-key.ts'
import { Failure, failure } from '../kernel/failure.ts'
import { type Secret, secret } from '../kernel/secret.ts'
import { verifySealedSums } from './format/proof.ts'
import { otherKeys } from './refusals.ts'
import type { SealRow } from './seal-store.ts'
import type { CheckedArchive } from './threads/tasks.ts'
import type { ArchiveDeps, ArchiveKey, Provenance } from './types.ts'

type KeyDeps = Pick<ArchiveDeps, 'keyring' | 'ids' | 'clock'>

/** Whose keys made the archive, as far as the keys in memory can tell. */
export function provenanceOf(deps: KeyDeps, archive: CheckedArchive): Provenance {
  const { keyring } = deps
  if (keyring.state !== 'unsealed') return 'sealed'
  if (verifySealedSums(keyring, Buffer.from(archive.sealed), archive.sums) && hasNewestKey(deps, archive))
    return 'own-keys'
  return lendRootKey(keyring, (rootKey) => isSealedUnder(deps, archive, rootKey)) ? 'own-root-key' : 'other-keys'
}

/** True if this root key opens the keyring inside the archive, and that keyring sealed the archive. */
function isSealedUnder(deps: KeyDeps, { seal, sealed, sums }: CheckedArchive, rootKey: Secret<Buffer>): boolean {
  const keyring = seal && openKeyring(deps, seal, rootKey)
  if (!keyring) return false
  try {
    return verifySealedSums(keyring, Buffer.from(sealed), sums)
  } finally {
    keyring.lock()
  }
}

/** The keyring inside an archive; undefined when the key is a wrong one, or the keyring damaged. */
function openKeyring(deps: KeyDeps, seal: SealRow, rootKey: Secret<Buffer>): Keyring | undefined {
  try {
    return Keyring.open(deps, seal.wrapped, rootKey)
  } catch (thrown) {
    if (thrown instanceof Failure) return undefined
    throw thrown
  }
}

/** The keys a store has after a restore: its own (undefined), or those of the archive, and whether they open here. */
export type KeysAfterRestore = {
  readonly seal: SealRow | undefined
  readonly opens: boolean
  /** True if these keys open, and yet did not seal the checksums: it may have been changed by anybody. */
  readonly isForged?: boolean
}

const ownKeysStay: KeysAfterRestore = { seal: undefined, opens: true }

/**
 * Decides which keys the store has after a restore. Its own stay when they open all that is in the archive: they are newer.
 * Others are wrapped again under our root key when they can be opened, and taken over as they are when not; the server is
 * sealed then until somebody brings what opens them.
 */
export function chooseKeysAfterRestore(
  deps: KeyDeps,
  archive: CheckedArchive,
  options: { provenance: Provenance; force: boolean; key: ArchiveKey | undefined; live: SealRow },
): KeysAfterRestore {
  const { provenance, force, key, live } = options
  const { seal } = archive
  const isProved = provenance === 'own-root-key'
  const opened = seal && lendRootKey(deps.keyring, (rootKey) => keysForRootKey(deps, rootKey, seal, live))
  if (provenance === 'own-keys') return opened ?? ownKeysStay
  if (!isProved && !force) throw otherKeys()
  if (!seal)
    throw failure('invalid', 'archive.no-keys', 'This snapshot contains no keys, so its secrets cannot be decrypted.')
  // By force, an archive that our root key opens is restored without proof of its origin, unless a key was sent: that
  // one is tried below.
  if (opened && (isProved || !key)) return { ...opened, isForged: !isProved }
  if (!key) return { seal, opens: false }
  const rootKey = rootKeyFrom(key, seal)
  try {
    if (!isSealedUnder(deps, archive, rootKey)) throw wrongKey()
    return { seal: rewrapForThisServer(deps, seal, live, rootKey), opens: true }
  } finally {
    rootKey.reveal().fill(0)
  }
}

/** The keys of an archive that our root key opens: ours if they are among them, else its own; undefined when it does not. */
function keysForRootKey(
  deps: KeyDeps,
  rootKey: Secret<Buffer>,
  seal: SealRow,
  live: SealRow,
): KeysAfterRestore | undefined {
  const keyring = openKeyring(deps, seal, rootKey)
  if (!keyring) return undefined
  const isKnown = deps.keyring.hasKey(keyring.sealingKey)
  keyring.lock()
  return isKnown ? ownKeysStay : { seal: rewrapForThisServer(deps, seal, live, rootKey), opens: true }
}

/** True if our keys open what the newest key of the archive has sealed. Archives of earlier versions do not name it. */
const hasNewestKey = ({ keyring }: KeyDeps, { meta }: CheckedArchive): boolean =>
  meta.holdfast.sealing_key === undefined || keyring.hasKey(meta.holdfast.sealing_key)

/** A copy, which is to be wiped. */
function rootKeyFrom({ kind, key }: ArchiveKey, seal: SealRow): Secret<Buffer> {
  if (kind === 'root') return secret(Buffer.from(key.reveal()))
  if (!seal.recovery) {
    const text = 'This snapshot has no recovery key; give key shares after the restore.'
    throw failure('invalid', 'archive.no-recovery', text)
  }
  try {
    return recoverRootKey(seal.recovery, key)
  } catch (thrown) {
    throw thrown instanceof Failure && thrown.kind === 'invalid' ? wrongKey(thrown) : thrown
  }
}

const wrongKey = (cause?: unknown): Failure =>
  failure(
    'invalid',
    'archive.wrong-key',
    'The key does not belong to the server that this snapshot comes from, or the snapshot was forged.',
    { cause },
  )

/** The archive's keys under our root key: shares and recovery key of this server stay what they are. */
function rewrapForThisServer(deps: KeyDeps, seal: SealRow, live: SealRow, from: Secret<Buffer>): SealRow {
  const { type, shares, threshold, recovery } = live
  const wrapped = lendRootKey(deps.keyring, (to) => rewrapKeyring(deps, seal.wrapped, { from, to }))
  return { ...seal, wrapped, type, shares, threshold, recovery }
}
