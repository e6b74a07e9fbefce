import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { failure } from '../kernel/failure.ts'
import type { Ids } from '../kernel/ids.ts'
import { limitConcurrency } from '../kernel/limit-concurrency.ts'
import type { Secret } from '../kernel/secret.ts'

/** Cost of scrypt (RFC 7914): 2^costBits rounds of memory, block size, parallel lanes. */
type PasswordCost = { costBits: number; blockSize: number; lanes: number }

/** 32 MiB and three lanes, one of the settings OWASP recommends; more memory would let a few logins starve the server. */
const currentCost: PasswordCost = { costBits: 15, blockSize: 8, lanes: 3 }

/** Longer input is refused before it costs anything. */
export const maxPasswordBytes = 1024

const saltBytes = 16
const hashBytes = 32
const storedPattern = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/

/** scrypt runs on the thread pool that file and name look-ups share; two at once leave room for them. */
const limitToTwo = limitConcurrency(2)

/** Hashes passwords, and recognises them. */
export type Passwords = {
  /** Hashes a password as `scrypt$15$8$3$salt$hash`. */
  hash(password: Secret<string>): Promise<string>
  /**
   * True if the password is the one that was hashed, at whatever cost. Without a hash (no such person, no password yet)
   * it works just as long and returns false, so that time does not reveal who exists.
   */
  matches(password: Secret<string>, hashed: string | undefined): Promise<boolean>
}

/** Passwords that are hashed at this cost from now on. */
export const createPasswords = (ids: Pick<Ids, 'bytes'>, cost: PasswordCost = currentCost): Passwords => ({
  hash: async (password) => {
    const salt = ids.bytes(saltBytes)
    const hash = await stretch(normalise(password), salt, cost)
    const numbers = [cost.costBits, cost.blockSize, cost.lanes].join('$')
    return `scrypt$${numbers}$${salt.toString('base64url')}$${hash.toString('base64url')}`
  },
  matches: async (password, hashed) => {
    const text = normalise(password)
    if (hashed === undefined) {
      await stretch(text, Buffer.alloc(saltBytes), cost)
      return false
    }
    const { cost: costThen, salt, hash } = parse(hashed)
    return timingSafeEqual(await stretch(text, salt, costThen), hash)
  },
})

function parse(hashed: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const [, costBits, blockSize, lanes, salt, hash] = storedPattern.exec(hashed) ?? []
  const cost = { costBits: Number(costBits), blockSize: Number(blockSize), lanes: Number(lanes) }
  if (!salt || !hash || cost.costBits > 20 || cost.blockSize > 32 || cost.lanes > 16) {
    throw failure('internal', 'password.damaged-hash', 'A stored password hash is damaged.')
  }
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') }
}

/** One spelling of equal characters, as RFC 8265 §4.2 and NIST SP 800-63B §5.1.1.2 want it. */
function normalise(password: Secret<string>): Buffer {
  const bytes = Buffer.from(password.reveal().normalize('NFKC'))
  if (bytes.length <= maxPasswordBytes) return bytes
  throw failure('invalid', 'password.too-long', `A password has at most ${maxPasswordBytes} bytes.`)
}

function stretch(text: Buffer, salt: Buffer, { costBits, blockSize, lanes }: PasswordCost): Promise<Buffer> {
  const rounds = 2 ** costBits
  const options: ScryptOptions = { N: rounds, r: blockSize, p: lanes, maxmem: 256 * blockSize * (rounds + lanes) }
  return limitToTwo(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(text, salt, hashBytes, options, (problem, hash) => (problem ? reject(problem) : resolve(hash)))
      }),
  )
}
