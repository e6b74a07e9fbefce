import { hash } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { PeerCertificate } from './client-connection.ts'

/** A certificate chain as the client sent it: DER, in the order of the wire. */
export type SentChain = { leaf: Buffer; intermediates: readonly Buffer[] }

/**
 * Reads what the client sent. To be called exactly once per connection, before anything else asks for the peer
 * certificate: the first call hands over the intermediates, later ones find the leaf alone.
 */
export function takeSentChain(socket: TLSSocket): SentChain | undefined {
  const leaf = socket.getPeerX509Certificate()
  if (leaf === undefined) return undefined
  const intermediates: Buffer[] = []
  // The links follow the order of the wire, not who issued whom, so unrelated and doubled certificates are kept as well.
  for (let next = leaf.issuerCertificate; next !== undefined; next = next.issuerCertificate)
    intermediates.push(next.raw)
  return { leaf: leaf.raw, intermediates }
}

/**
 * True for a chain far beyond what people use. While its connection is open it is in memory as OpenSSL has read it, at up
 * to twenty times the bytes that were sent, and whoever can connect can send one.
 */
export const isLarge = ({ leaf, intermediates }: SentChain): boolean =>
  intermediates.length > 16 || leaf.length + sizeOf(intermediates) > 16 * 1024

/** How much is remembered before all of it is dropped. */
export type ChainMemory = { maxLeaves: number; maxBytes: number }

/** How many certificates are handed out as the same object again, so that what others derived from it is found again. */
const mostRecent = 1_000

type Generation = { chains: Map<string, readonly Buffer[]>; bytes: number }

/**
 * The intermediates of resumable sessions. A resumed session brings back the client's leaf but not what was sent beside it
 * (OpenSSL stores the leaf only), and a verdict must not depend on whether a session was resumed. Therefore:
 *
 * - Tickets are encrypted under keys of this process alone. Another node cannot read them, makes a full handshake and sees
 *   the whole chain.
 * - Whatever a ticket of the present keys may resume is in this memory. When it has to forget something (it is full, or the
 *   same leaf came with other intermediates) the keys change at the same time, so that older tickets are worth nothing.
 *
 * The former memory is kept for handshakes that were under way while the keys changed. Intermediates are only material
 * for finding a path and every login verifies it anew, so nothing here is trusted.
 */
export class ClientChains {
  readonly #rotateTicketKeys: () => void
  readonly #memory: ChainMemory
  #now: Generation = emptyGeneration()
  #before: Generation = emptyGeneration()
  readonly #recent = new Map<string, PeerCertificate>()
  #recentBytes = 0

  constructor(rotateTicketKeys: () => void, memory: ChainMemory = { maxLeaves: 10_000, maxBytes: 8 * 1024 * 1024 }) {
    this.#rotateTicketKeys = rotateTicketKeys
    this.#memory = memory
  }

  /** The certificate of a new connection; 'forgotten' if it resumes a session that this process does not know. */
  certificateOf(chain: SentChain, resumed: boolean): PeerCertificate | 'forgotten' {
    const key = hash('sha256', chain.leaf, 'base64')
    if (!resumed) {
      const certificate = this.#recall(key, chain)
      this.#remember(key, certificate.intermediates)
      return certificate
    }
    const current = this.#now.chains.get(key)
    const intermediates = current ?? this.#before.chains.get(key)
    if (intermediates === undefined) {
      this.#forget()
      return 'forgotten'
    }
    // The client has just been given a ticket under the present keys.
    if (current === undefined) this.#remember(key, intermediates)
    return { leaf: chain.leaf, intermediates, resumed }
  }

  /** A client that comes again brings the same object, so that whoever has read it need not do so again. */
  #recall(key: string, { leaf, intermediates }: SentChain): PeerCertificate {
    const known = this.#recent.get(key)
    if (known !== undefined && isSame(known.intermediates, intermediates)) return known
    const size = leaf.length + sizeOf(intermediates)
    if (this.#recent.size >= mostRecent || this.#recentBytes + size > this.#memory.maxBytes) {
      this.#recent.clear()
      this.#recentBytes = 0
    }
    const certificate = { leaf, intermediates, resumed: false }
    this.#recent.set(key, certificate)
    this.#recentBytes += size
    return certificate
  }

  #remember(key: string, intermediates: readonly Buffer[]): void {
    const known = this.#now.chains.get(key)
    if (known !== undefined && isSame(known, intermediates)) return
    const size = sizeOf(intermediates)
    const isFull = this.#now.chains.size >= this.#memory.maxLeaves || this.#now.bytes + size > this.#memory.maxBytes
    if (known !== undefined || isFull) this.#forget()
    this.#now.chains.set(key, intermediates)
    this.#now.bytes += size
  }

  #forget(): void {
    this.#before = this.#now
    this.#now = emptyGeneration()
    this.#rotateTicketKeys()
  }
}

const emptyGeneration = (): Generation => ({ chains: new Map(), bytes: 0 })

const sizeOf = (certificates: readonly Buffer[]): number => certificates.reduce((sum, each) => sum + each.length, 0)

const isSame = (a: readonly Buffer[], b: readonly Buffer[]): boolean =>
  a.length === b.length && a.every((each, index) => b[index]?.equals(each) === true)
