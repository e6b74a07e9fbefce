import { Failure, failure, textOf } from '../../../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import { type Crl, loadCrl } from '../../../../../pki/index.ts'
import { VersionedCache } from '../../../../../storage/versions.ts'
import { type CrlPlace, forgedSigner, type KnownCrl, MountCrls, type StoredCrl } from './crl.ts'
import { findCrl, getCrlBytes, loadCrls, mountsWithCrls } from './crl-store.ts'

type MemoryDeps = Pick<Deps, 'db' | 'store' | 'log'>

/** A longer list is read in the background, while an older one of the same name stays in force. */
const backgroundThreshold = 1024 * 1024

/** The bytes of a list were deleted after it was looked up. */
class BytesDeleted extends Error {}

const damagedCode = 'crl.damaged'

/** True for what is thrown about bytes that are not a list: they never change, so they are not read again. */
const isDamaged = (thrown: unknown): boolean => thrown instanceof Failure && thrown.code === damagedCode

const maxAttempts = 5

/** Replacing a list deletes its bytes. If that happens while they are being read, what is there by now is read instead. */
async function againIfDeleted<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof BytesDeleted) || attempt >= maxAttempts) throw error
    }
  }
}

/**
 * The lists of a server in memory. They are loaded again in every process when the version of the stored lists changes.
 */
class CrlMemory {
  readonly #deps: MemoryDeps
  readonly #mounts: VersionedCache<string, MountCrls>
  /** By mount: what was in force before the last change, so that only what changed is read again. */
  readonly #before = new Map<string, MountCrls>()
  /** Lists by the name of their bytes, as long as they are in use: one just written is not read a second time. */
  readonly #read = new Map<string, WeakRef<Crl>>()
  /** Lists that are being read, and bytes that turned out not to be a list. */
  readonly #reading = new Map<string, Promise<Crl>>()

  constructor(deps: MemoryDeps) {
    this.#deps = deps
    this.#mounts = new VersionedCache(deps.store.versions, 'crls', { max: 10_000 })
  }

  async of(mountId: string): Promise<MountCrls> {
    const known = this.#mounts.get(mountId)
    if (known && !known.isOutdated) return known
    if (known) this.#mounts.delete(mountId)
    return await this.#mounts.getOrLoad(mountId, () => this.#load(mountId))
  }

  /** Remembers a list that was read in order to be stored. */
  adopt(blobId: string, crl: Crl): void {
    this.#read.set(blobId, new WeakRef(crl))
  }

  /** Reads a stored list; callers that ask at the same moment share one reading. */
  read(mountId: string, stored: StoredCrl): Promise<Crl> {
    const known = this.#read.get(stored.blobId)?.deref()
    if (known !== undefined) return Promise.resolve(known)
    const running = this.#reading.get(stored.blobId)
    if (running !== undefined) return running
    const reading = this.#readBytes(mountId, stored)
    this.#reading.set(stored.blobId, reading)
    const forget = () => this.#reading.delete(stored.blobId)
    reading.then(forget, (error) => isDamaged(error) || forget())
    return reading
  }

  async #readBytes(mountId: string, stored: StoredCrl): Promise<Crl> {
    const der = await getCrlBytes(this.#deps.db, { mountId, name: stored.name }, stored.blobId)
    if (der === undefined) throw new BytesDeleted(`The bytes of the revocation list '${stored.name}' are missing.`)
    const { crl } = await loadCrl(der).catch((cause) => {
      const text = `The stored revocation list '${stored.name}' cannot be read; write it again.`
      throw failure('internal', damagedCode, text, { cause })
    })
    freeMemory(der)
    this.adopt(stored.blobId, crl)
    return crl
  }

  async #load(mountId: string): Promise<MountCrls> {
    const lists = await againIfDeleted(() => this.#loadOnce(mountId))
    this.#before.set(mountId, lists)
    this.#forgetCollected()
    return lists
  }

  async #loadOnce(mountId: string): Promise<MountCrls> {
    const before = this.#before.get(mountId)
    const now = new MountCrls()
    for (const stored of await loadCrls(this.#deps.db, mountId)) {
      if (stored.signerKey === forgedSigner) continue
      const older = before?.get(stored.name)
      const isRead = this.#read.get(stored.blobId)?.deref() !== undefined
      if (older !== undefined && !isRead && stored.size > backgroundThreshold) {
        now.put(older)
        void this.#putLater(mountId, stored, now)
      } else {
        now.put({ name: stored.name, crl: await this.read(mountId, stored), signerKey: stored.signerKey })
      }
    }
    return now
  }

  /** Forgets the lists of a mount that is gone. */
  forget(mountId: string): void {
    this.#before.delete(mountId)
    this.#mounts.delete(mountId)
  }

  /**
   * Puts a list in force when it has been read. If that fails, the older one stays in force, and the log says so; it is
   * tried again when the lists are next asked for, unless its bytes are not a list at all.
   */
  async #putLater(mountId: string, stored: StoredCrl, lists: MountCrls): Promise<void> {
    try {
      const crl = await this.read(mountId, stored)
      lists.put({ name: stored.name, crl, signerKey: stored.signerKey })
    } catch (error) {
      this.#deps.log.error({ crl: stored.name, error: textOf(error) }, 'revocation list could not be read')
      if (!isDamaged(error)) lists.isOutdated = true
    }
  }

  #forgetCollected(): void {
    for (const [blobId, crl] of this.#read) if (crl.deref() === undefined) this.#read.delete(blobId)
  }
}

/**
 * Frees the memory of a list's bytes at once: until the garbage collector ran, a long list would take twice the memory.
 */
function freeMemory(der: Buffer): void {
  const { buffer } = der
  if (buffer instanceof ArrayBuffer && buffer.byteLength === der.length) buffer.transfer(0)
}

const crlMemoryOf = perApp((deps: MemoryDeps) => new CrlMemory(deps))

/** The lists in force at a mount; logins wait for them, so that none is missed after a start. */
export const crlsOf = (deps: MemoryDeps, mountId: string): Promise<MountCrls> => crlMemoryOf(deps).of(mountId)

/** The same after a write, which must not fail late: undefined if one of the lists can no longer be read at all. */
export async function crlsUnlessLost(deps: MemoryDeps, mountId: string): Promise<MountCrls | undefined> {
  try {
    return await crlsOf(deps, mountId)
  } catch (thrown) {
    return undefinedIfLost(thrown)
  }
}

/** Remembers a list that was read in order to be stored. */
export const adoptCrl = (deps: MemoryDeps, blobId: string, crl: Crl): void => crlMemoryOf(deps).adopt(blobId, crl)

/** A stored list by its name, read; undefined when there is none. */
export const readNamedCrl = (deps: MemoryDeps, place: CrlPlace): Promise<KnownCrl | undefined> =>
  againIfDeleted(async () => {
    const stored = await findCrl(deps.db, place)
    return stored && { stored, crl: await crlMemoryOf(deps).read(place.mountId, stored) }
  })

/** For what is caught: a stored list that can no longer be read at all counts as absent. */
export function undefinedIfLost(thrown: unknown): undefined {
  if (!(thrown instanceof BytesDeleted || isDamaged(thrown))) throw thrown
}

/** Forgets the lists of a mount that is gone. */
export const forgetCrls = (deps: MemoryDeps, mountId: string): void => crlMemoryOf(deps).forget(mountId)

/** Starts to read all lists, so that the first login finds them ready. */
export async function warmCrls(deps: MemoryDeps): Promise<void> {
  for (const mountId of await mountsWithCrls(deps.db)) {
    void (async () => await crlsOf(deps, mountId))().catch((error) =>
      deps.log.error({ error: textOf(error) }, 'revocation lists could not be read'),
    )
  }
}
