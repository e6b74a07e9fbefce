import { hkdfSync } from 'node:crypto'
import { failure } from '../kernel/failure.ts'
import { type Secret, secret } from '../kernel/secret.ts'
import { KeyedHashes } from './keyed-hashes.ts'
import {
  addTerm,
  copyForSaving,
  foreignRing,
  keyName,
  keyOfTerm,
  newRing,
  type Ring,
  type RingDeps,
  type TermUsage,
  unwrapRing,
  usageOf,
  wipeRing,
  wrapRing,
} from './ring.ts'
import {
  asBuffer,
  damaged,
  fixedHeaderBytes,
  nonceBytes,
  openBytes,
  type Place,
  readHeader,
  type Sealed,
  sealBytes,
} from './sealed.ts'
import { type ChunkKeys, openChunks, openWhole, sealChunks, sealWhole } from './sealed-stream.ts'

export { rewrapRing as rewrapKeyring } from './ring.ts'
export { asSealed, type Place, type Sealed } from './sealed.ts'

/** Where a keyring is in its life. */
export type SealState = 'uninitialised' | 'sealed' | 'unsealed'

/** Stores wrapped bytes before they take effect; it refuses (throws) if somebody else stored newer ones. */
export type Persist = (wrapped: Buffer) => Promise<void>

type Opened = { ring: Ring; rootKey: Buffer }

const valueFormat = 1
const chunkFormat = 2

/** Half of what NIST SP 800-38D §8.3 allows for one key with random nonces. */
export const sealsPerTerm = 2 ** 31

/**
 * Seals and opens bytes. Uninitialised, then sealed, then unsealed; `lock()` wipes the keys and seals again.
 * It stores nothing: wrapped bytes are handed in and out.
 */
export class Keyring {
  readonly #deps: RingDeps
  #opened: Opened | undefined
  #initialised = false
  #changing = false
  readonly #hashes = new KeyedHashes()
  #untilSealed = new AbortController()

  constructor(deps: RingDeps) {
    this.#deps = deps
  }

  /** Makes the first keys of a store, as an unsealed keyring. They last when what `serialize()` gives is stored. */
  static create(deps: RingDeps, rootKey: Secret<Uint8Array>): Keyring {
    const keyring = new Keyring(deps)
    keyring.#adopt(newRing(deps), rootKey.reveal())
    return keyring
  }

  /** Opens wrapped bytes into a new, unsealed keyring. */
  static open(deps: RingDeps, wrapped: Uint8Array, rootKey: Secret<Uint8Array>): Keyring {
    const keyring = new Keyring(deps)
    keyring.unlock(wrapped, rootKey)
    return keyring
  }

  get state(): SealState {
    if (this.#opened) return 'unsealed'
    return this.#initialised ? 'sealed' : 'uninitialised'
  }

  /** Names this keyring for ever, so that the data of another one is recognised. */
  get id(): string {
    return this.#open().ring.id
  }

  /** The number of the data key that seals now. */
  get term(): number {
    return this.#open().ring.active.term
  }

  /** The name of the data key that seals now. */
  get sealingKey(): string {
    return keyName(this.#open().ring.active)
  }

  /** True if the data key of this name is here. Those before it are here too, since keys are only ever added. */
  hasKey(name: string): boolean {
    return [...this.#open().ring.keys.values()].some((key) => keyName(key) === name)
  }

  /** True when the sealing key has been used so often that it should be rotated. */
  get rotationDue(): boolean {
    const { seals, unsaved } = this.#open().ring.active
    return seals + unsaved >= sealsPerTerm
  }

  /** True when keys were used since their usage was stored. */
  get hasUnsavedUsage(): boolean {
    return [...this.#open().ring.keys.values()].some(({ unsaved }) => unsaved > 0)
  }

  /** Usage of every data key, oldest first. */
  usage(): TermUsage[] {
    return usageOf(this.#open().ring)
  }

  /** Notes that the store has a keyring: from now on it is sealed instead of uninitialised. */
  markInitialised(): void {
    this.#initialised = true
  }

  /** Opens wrapped bytes with a root key. A wrong key or damaged bytes change nothing. */
  unlock(wrapped: Uint8Array, rootKey: Secret<Uint8Array>): void {
    const ring = unwrapRing(wrapped, rootKey.reveal())
    if (this.#opened && this.#opened.ring.id !== ring.id) this.lock()
    this.#adopt(ring, rootKey.reveal())
  }

  /** Takes over a keyring that another process stored, under the same root key or a new one. */
  reload(wrapped: Uint8Array, newRootKey?: Secret<Uint8Array>): void {
    const { ring: mine, rootKey: known } = this.#open()
    const rootKey = newRootKey?.reveal() ?? known
    const ring = unwrapRing(wrapped, rootKey)
    if (ring.id !== mine.id) {
      wipeRing(ring)
      throw foreignRing()
    }
    for (const key of ring.keys.values()) key.unsaved = mine.keys.get(key.term)?.unsaved ?? 0
    this.#adopt(ring, rootKey)
  }

  /** Wipes every key. */
  lock(): void {
    if (this.#opened) {
      wipeRing(this.#opened.ring)
      this.#opened.rootKey.fill(0)
    }
    this.#hashes.forget()
    this.#opened = undefined
    this.#untilSealed.abort(new Error('node sealed'))
    this.#untilSealed = new AbortController()
  }

  /** Aborted when the keys are wiped, for long work that must not outlive them. */
  get untilSealed(): AbortSignal {
    return this.#untilSealed.signal
  }

  /** The keyring, encrypted under its root key. */
  serialize(): Buffer {
    const { ring, rootKey } = this.#open()
    return wrapRing(ring, rootKey, this.#deps.ids)
  }

  /** A copy of the root key. Whoever asks for it wipes it, as `lendRootKey` does. */
  rootKey(): Secret<Buffer> {
    return secret(Buffer.from(this.#open().rootKey))
  }

  /** Adds a data key and seals with it once it is stored: a crash in between loses nothing. */
  rotate(persist: Persist): Promise<void> {
    return this.#change(persist, (next) => addTerm(this.#deps, next))
  }

  /** Replaces the root key: once the keys are stored under the new one, the old one opens them no more. */
  renewRootKey(rootKey: Secret<Uint8Array>, persist: Persist): Promise<void> {
    return this.#change(persist, () => undefined, rootKey.reveal())
  }

  /** Stores how often the keys were used. */
  saveUsage(persist: Persist): Promise<void> {
    return this.#change(persist, () => undefined)
  }

  /** Encrypts a value for one place. */
  seal(plain: Uint8Array | string, place: Place): Sealed {
    return this.#seal(valueFormat, typeof plain === 'string' ? Buffer.from(plain) : plain, place)
  }

  /** Decrypts a value of this place; anything else fails and reveals nothing. */
  open(sealed: Uint8Array, place: Place): Buffer {
    return this.#unseal(valueFormat, fixedHeaderBytes, asBuffer(sealed), place)
  }

  /** Decrypts a value of this place as UTF-8. */
  openText(sealed: Uint8Array, place: Place): string {
    return this.open(sealed, place).toString('utf8')
  }

  /** Encrypts a stream as chunks of at most 256 KiB that cannot be reordered, dropped or mixed with another stream. */
  sealStream(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, place: Place): AsyncGenerator<Sealed> {
    return sealChunks(this.#chunkKeys(place), source)
  }

  /** Encrypts bytes that are at hand as the chunks of a stream. */
  sealWhole(bytes: Uint8Array, place: Place): Sealed[] {
    return sealWhole(this.#chunkKeys(place), bytes)
  }

  /** Decrypts the chunks of a stream in order; a missing end is a failure. */
  openStream(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, place: Place): AsyncGenerator<Buffer> {
    return openChunks(this.#chunkKeys(place), chunks)
  }

  /** Decrypts a stream whose chunks are all at hand. */
  openWhole(chunks: readonly Uint8Array[], place: Place): Buffer {
    return openWhole(this.#chunkKeys(place), chunks)
  }

  /** HMAC-SHA256 under a key of its own per purpose, as base64url. Rotation does not change it. */
  keyedHash(purpose: string, text: string): string {
    return this.#hashes.hash(this.#open().ring.hashKey, `hash:${purpose}`, text)
  }

  /** Key material for a purpose. Rotation does not change it. */
  derive(purpose: string, length: number): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#open().ring.hashKey, '', `holdfast derive:${purpose}`, length))
  }

  #open(): Opened {
    if (!this.#opened) throw failure('sealed', 'seal.sealed', 'Holdfast is sealed')
    return this.#opened
  }

  #seal(format: number, plain: Uint8Array, place: Place, extra?: Buffer): Sealed {
    const { active } = this.#open().ring
    active.unsaved += 1
    const header = { format, term: active.term, extra }
    return sealBytes(active.key, this.#deps.ids.bytes(nonceBytes), header, plain, place)
  }

  #chunkKeys(place: Place): ChunkKeys {
    return {
      newStreamId: (length) => this.#deps.ids.bytes(length),
      seal: (plain, extra) => this.#seal(chunkFormat, plain, place, extra),
      open: (sealed, headerBytes) => this.#unseal(chunkFormat, headerBytes, sealed, place),
      damaged: () => damaged(place),
    }
  }

  #unseal(format: number, headerBytes: number, sealed: Buffer, place: Place): Buffer {
    const { ring } = this.#open()
    const header = readHeader(sealed, place)
    if (header.format !== format) throw damaged(place)
    return openBytes(keyOfTerm(ring, header.term).key, headerBytes, sealed, place)
  }

  async #change(persist: Persist, alter: (next: Ring) => void, newRootKey?: Uint8Array): Promise<void> {
    const { ring, rootKey } = this.#open()
    if (this.#changing) throw failure('conflict', 'keyring.changing', 'The keyring is being changed; try again.')
    this.#changing = true
    const counted = new Map([...ring.keys.values()].map(({ term, unsaved }) => [term, unsaved]))
    const next = copyForSaving(ring)
    const key = Buffer.from(newRootKey ?? rootKey)
    try {
      alter(next)
      await persist(wrapRing(next, key, this.#deps.ids))
      this.#adoptChange(next, key, counted)
    } catch (thrown) {
      wipeRing(next)
      throw thrown
    } finally {
      key.fill(0)
      this.#changing = false
    }
  }

  /** Uses of keys since `counted` stay unsaved. Throws if locked meanwhile (the next unlock finds the change) or replaced. */
  #adoptChange(next: Ring, rootKey: Buffer, counted: ReadonlyMap<number, number>): void {
    const now = this.#open().ring
    if (now.id !== next.id) throw foreignRing()
    for (const key of next.keys.values()) {
      key.unsaved = (now.keys.get(key.term)?.unsaved ?? 0) - (counted.get(key.term) ?? 0)
    }
    this.#adopt(next, rootKey)
  }

  #adopt(ring: Ring, rootKey: Uint8Array): void {
    const before = this.#opened
    this.#opened = { ring, rootKey: Buffer.from(rootKey) }
    this.#initialised = true
    if (!before) return
    wipeRing(before.ring)
    before.rootKey.fill(0)
  }
}
