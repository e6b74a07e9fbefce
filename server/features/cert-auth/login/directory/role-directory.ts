import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { textOf } from '../../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import { type Certificate, isSameName, type Name, type PresentedChain } from '../../../../pki/index.ts'
import { VersionedCache } from '../../../../storage/versions.ts'
import { nameKeyOf } from '../../roles/role.ts'
import { digestOf, findRole, subjectKeyOf, toRole } from '../../roles/role-store.ts'
import { RoleSelector } from '../matching/role-selector.ts'
import { type KnownRole, type KnownTrust, prepareTrust } from './known-role.ts'
import { type ListedRole, listedRoles, type RoleKey, roleNamesAt } from './role-directory-store.ts'

type DirectoryDeps = Pick<Deps, 'db' | 'store' | 'log'>

/** Roles that could accept a chain, by where they were found. */
export type RoleGroup = RoleSelector<KnownRole>

/** Rows read and prepared in one go; between two lots others get a turn. */
const lot = 100

/** Names of CAs that no role trusts; strangers choose them, so they are kept apart and cannot push anything out. */
const rememberedMisses = 1_000

/**
 * The roles of one mount as logins look for them: by name, or by what a chain says about its issuers. Everything kept is
 * dropped when any role changes, here or in another process; what is missing at the same moment is loaded once.
 */
export class RoleDirectory {
  readonly cacheSize: number
  readonly #deps: DirectoryDeps
  readonly #mountId: string
  readonly #byName: VersionedCache<string, KnownRole>
  readonly #byKey: VersionedCache<string, RoleGroup>
  readonly #misses: VersionedCache<string, true>

  constructor(deps: DirectoryDeps, mountId: string, cacheSize: number) {
    const { versions } = deps.store
    this.cacheSize = cacheSize
    this.#deps = deps
    this.#mountId = mountId
    this.#byName = new VersionedCache(versions, 'roles', { max: Math.max(1, cacheSize) })
    this.#byKey = new VersionedCache(versions, 'roles', { max: Math.max(1, cacheSize) })
    this.#misses = new VersionedCache(versions, 'roles', { max: rememberedMisses })
  }

  /** The role of this name. Unknown names are not remembered, since anybody can make them up. */
  async named(name: string): Promise<KnownRole | undefined> {
    const key = nameKeyOf(name)
    const known = this.#byName.get(key)
    if (known !== undefined) return known
    const asOf = this.#byName.version()
    const role = await findRole(this.#deps.db, this.#mountId, name)
    const found = role && { role, trust: trusts(this.#deps).of(role.certificate) }
    if (found && this.cacheSize > 0) this.#byName.set(key, found, asOf)
    return found
  }

  /** The roles that trust exactly the client's certificate. */
  pinning(chain: PresentedChain): Promise<RoleGroup> {
    return this.#at({ by: 'fingerprint', fingerprint: chain.leaf.fingerprint })
  }

  /**
   * The roles that trust a CA which some certificate of the chain names as its issuer. First those whose key identifier
   * fits; the others are a last resort, for the identifier is a hint and no rule (RFC 4158 §3.5.12).
   */
  async issuing(chain: PresentedChain, fits: boolean): Promise<RoleGroup[]> {
    const keys = new Map<string, RoleKey>()
    for (const each of [chain.leaf, ...chain.intermediates]) {
      const key = {
        by: 'subject',
        subjectKey: subjectKeyOf(each.issuer),
        keyId: each.authorityKeyId?.toString('hex') ?? '',
      } as const
      keys.set(`${key.subjectKey}${key.keyId}`, { ...key, fits })
    }
    const groups: RoleGroup[] = []
    for (const key of keys.values()) groups.push(await this.#at(key))
    return groups.filter((group) => group.items.length > 0)
  }

  /** The certificates of CAs of this name that roles trust. */
  async trustedAs(name: Name): Promise<readonly Certificate[]> {
    const { items } = await this.#at({ by: 'subject', subjectKey: subjectKeyOf(name), keyId: '', fits: true })
    const certificates = items
      .flatMap(({ trust }) => trust.certificates)
      .filter((each) => isSameName(each.subject, name))
    return [...new Map(certificates.map((each) => [each.fingerprint, each])).values()]
  }

  async #at(place: RoleKey): Promise<RoleGroup> {
    const key = cacheKeyOf(place)
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    if (this.#misses.get(key)) return emptyGroup
    const asOf = this.#misses.version()
    const group = await this.#byKey.getOrLoad(key, () => this.#load(place))
    if (group.items.length === 0 || this.cacheSize < 0) this.#byKey.delete(key)
    if (group.items.length === 0 && this.cacheSize > 0) this.#misses.set(key, true, asOf)
    return group
  }

  async #load(place: RoleKey): Promise<RoleGroup> {
    const { db, log } = this.#deps
    const names = await roleNamesAt(db, this.#mountId, place)
    const found: KnownRole[] = []
    for (let at = 0; at < names.length; at += lot) {
      if (at > 0) await nextTurn()
      for (const listed of await listedRoles(db, this.#mountId, names.slice(at, at + lot))) {
        try {
          const known = await this.#prepare(listed)
          if (known !== undefined) found.push(known)
        } catch (error) {
          log.error({ role: listed.name, error: textOf(error) }, 'stored certificate role cannot be used')
        }
      }
    }
    return new RoleSelector(found)
  }

  /** A group may hold thousands of roles, and no login needs the text of their certificates: it is not kept. */
  async #prepare(listed: ListedRole): Promise<KnownRole | undefined> {
    const shared = trusts(this.#deps)
    const trust = shared.known(listed.certificate_digest)
    if (trust !== undefined) return { role: toRole({ ...listed, certificate: '' }), trust }
    // The role may have changed since it was listed: its settings are read again, together with its certificates.
    const role = await findRole(this.#deps.db, this.#mountId, listed.name_key)
    return role && { role: { ...role, certificate: '' }, trust: shared.of(role.certificate) }
  }
}

const cacheKeyOf = (place: RoleKey): string =>
  place.by === 'fingerprint' ? place.fingerprint : `${place.subjectKey} ${place.keyId} ${place.fits}`

const emptyGroup: RoleGroup = new RoleSelector([])

/** What was read from PEM texts: roles that trust the same CAs share it. Equal keys mean equal texts, so nothing grows old. */
class SharedTrusts {
  readonly #trusts = new LRUCache<string, KnownTrust>({ max: 2_000 })

  known(digest: string): KnownTrust | undefined {
    return this.#trusts.get(digest)
  }

  of(pem: string): KnownTrust {
    const key = digestOf(pem)
    const trust = this.#trusts.get(key) ?? prepareTrust(pem)
    this.#trusts.set(key, trust)
    return trust
  }
}

const trusts = perApp(() => new SharedTrusts())
const directories = perApp(() => new Map<string, RoleDirectory>())

/** The directory of a mount, with the cache size it is configured for. */
export function directoryOf(deps: DirectoryDeps, mountId: string, cacheSize: number): RoleDirectory {
  const known = directories(deps).get(mountId)
  if (known?.cacheSize === cacheSize) return known
  const made = new RoleDirectory(deps, mountId, cacheSize)
  directories(deps).set(mountId, made)
  return made
}

/** Forgets a mount that is gone. */
export const forgetDirectory = (deps: Pick<Deps, 'store'>, mountId: string): void =>
  void directories(deps).delete(mountId)
