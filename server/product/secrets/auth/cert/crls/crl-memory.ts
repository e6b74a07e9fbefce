import { Failure, failure, textOf } from '../../../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import {
  type Certificate,
  type Crl,
  isSameName,
  loadCrl,
  nameKey,
  type Refusal,
  refusal,
  revokes,
  serialSets,
} from '../../../../../pki/index.ts'
import { VersionedCache } from '../../../../../storage/versions.ts'
import { forgedSigner, type StoredCrl } from './crl.ts'
import { coversCertificate, issuersIn } from './crl-rules.ts'
import { type CrlPlace, findCrl, getCrlBytes, loadCrls, mountsWithCrls } from './crl-store.ts'

type MemoryDeps = Pick<Deps, 'db' | 'store' | 'log'>

/** A list in force. */
type List = { readonly name: string; readonly crl: Crl; readonly signerKey: string }

/** The issuers whose certificates a list revokes, as `nameKey` gives them. */
const issuersOf = ({ crl }: List): string[] => [nameKey(crl.issuer), ...crl.revokedOfOthers.keys()]

/** A longer list is read in the background, while an older one of the same name stays in force. */
const backgroundThreshold = 1024 * 1024

/** The revocation lists of one mount, read and packed. */
export class MountCrls {
  readonly #lists = new Map<string, List>()
  readonly #byIssuer = new Map<string, List[]>()
  /** True if an older list is in force because the new one could not be read. */
  isOutdated = false
  /** Another object whenever other lists are in force. */
  edition: object = {}

  get isEmpty(): boolean {
    return this.#lists.size === 0
  }

  /** Puts a list in force, in place of the one of the same name. */
  put(list: List): void {
    const older = this.#lists.get(list.name)
    if (older) this.#remove(older)
    this.#lists.set(list.name, list)
    this.edition = {}
    for (const issuer of issuersOf(list)) {
      const lists = this.#byIssuer.get(issuer)
      if (lists) lists.push(list)
      else this.#byIssuer.set(issuer, [list])
    }
  }

  #remove(list: List): void {
    for (const issuer of issuersOf(list)) {
      const others = this.#byIssuer.get(issuer)?.filter((each) => each !== list) ?? []
      this.#byIssuer.set(issuer, others)
    }
  }

  get(name: string): List | undefined {
    return this.#lists.get(name)
  }

  /** Refuses a path if a certificate on it is revoked, the trusted one at its end included. */
  refusalOf(path: readonly Certificate[], match: 'issuer' | 'serial'): Refusal | undefined {
    if (this.isEmpty) return undefined
    for (const [index, certificate] of path.entries()) {
      const list = this.#revoking(certificate, () => issuersIn(path, index), match)
      if (list !== undefined)
        return refusal(
          'revoked',
          certificate,
          `It is on the revocation list '${list.name}'.`,
          'Issue a new certificate.',
        )
    }
    return undefined
  }

  #revoking(
    certificate: Certificate,
    issuers: () => readonly Certificate[],
    match: 'issuer' | 'serial',
  ): List | undefined {
    const lists = match === 'serial' ? this.#lists.values() : (this.#byIssuer.get(nameKey(certificate.issuer)) ?? [])
    for (const list of lists) {
      const isRevoked = match === 'serial' ? hasSerial(list, certificate) : revokesByIssuer(list, certificate, issuers)
      if (isRevoked) return list
    }
    return undefined
  }
}

const hasSerial = ({ crl }: List, { serial }: Certificate): boolean =>
  serialSets(crl).some((serials) => serials.has(serial))

function revokesByIssuer(
  { crl, signerKey }: List,
  certificate: Certificate,
  issuers: () => readonly Certificate[],
): boolean {
  if (!revokes(crl, certificate)) return false
  // Entries of an indirect list about certificates of another issuer count whatever that issuer's key.
  if (!isSameName(crl.issuer, certificate.issuer)) return true
  return coversCertificate({ ...crl, signerKey }, certificate, issuers())
}

const maxAttempts = 5

/** The bytes of a list were deleted after it was looked up. */
class BytesDeleted extends Error {}

const damagedCode = 'crl.damaged'

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
  readonly #reading = new Map<string, Promise<Crl>>()
  /** Why bytes are not a list, by their name: bytes never change, so they are not read again. */
  readonly #unreadable = new Map<string, Failure>()

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
    const unreadable = this.#unreadable.get(stored.blobId)
    if (unreadable !== undefined) return Promise.reject(unreadable)
    const running = this.#reading.get(stored.blobId)
    if (running !== undefined) return running
    const reading = this.#readBytes(mountId, stored).finally(() => this.#reading.delete(stored.blobId))
    this.#reading.set(stored.blobId, reading)
    return reading
  }

  async #readBytes(mountId: string, stored: StoredCrl): Promise<Crl> {
    const der = await getCrlBytes(this.#deps.db, { mountId, name: stored.name }, stored.blobId)
    if (der === undefined) throw new BytesDeleted(`The bytes of the revocation list '${stored.name}' are missing.`)
    const { crl } = await loadCrl(der).catch((cause) => {
      const text = `What is stored as the revocation list '${stored.name}' cannot be read; write the list again.`
      const unreadable = failure('internal', damagedCode, text, { cause })
      this.#unreadable.set(stored.blobId, unreadable)
      throw unreadable
    })
    freeMemory(der)
    this.adopt(stored.blobId, crl)
    return crl
  }

  /** Replacing a list deletes its bytes. If that happens while they are being read, the new list is read instead. */
  async #load(mountId: string): Promise<MountCrls> {
    for (let attempt = 1; ; attempt++) {
      try {
        const lists = await this.#loadOnce(mountId)
        this.#before.set(mountId, lists)
        this.#forgetCollected()
        return lists
      } catch (error) {
        if (!(error instanceof BytesDeleted) || attempt >= maxAttempts) throw error
      }
    }
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
      if (!this.#unreadable.has(stored.blobId)) lists.isOutdated = true
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

/** A list that was read, and what is stored about it. */
export type KnownCrl = { readonly stored: StoredCrl; readonly crl: Crl }

/** A stored list by its name, read; undefined when there is none. */
export async function readNamedCrl(deps: MemoryDeps, place: CrlPlace): Promise<KnownCrl | undefined> {
  for (let attempt = 1; ; attempt++) {
    const stored = await findCrl(deps.db, place)
    if (!stored) return undefined
    try {
      return { stored, crl: await crlMemoryOf(deps).read(place.mountId, stored) }
    } catch (error) {
      if (!(error instanceof BytesDeleted) || attempt >= maxAttempts) throw error
    }
  }
}

/** For what is caught: a stored list that can no longer be read at all counts as absent. */
export function undefinedIfLost(thrown: unknown): undefined {
  if (!(thrown instanceof BytesDeleted || (thrown instanceof Failure && thrown.code === damagedCode))) throw thrown
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
