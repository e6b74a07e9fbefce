import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { textOf } from '../../../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import { type Certificate, isSameName, type Name, type PresentedChain } from '../../../../../pki/index.ts'
import { rowChunksOf } from '../../../../../storage/row-chunks.ts'
import { VersionedCache } from '../../../../../storage/versions.ts'
import { nameKeyOf } from '../roles/role.ts'
import {
  digestOf,
  findRole,
  findRolesByKey,
  keyIdText,
  type ListedRole,
  listedRoles,
  loadKeyIds,
  type RoleKey,
  subjectKeyOf,
  toRole,
} from '../roles/role-store.ts'
import { type KnownRole, type KnownTrust, prepareTrust } from '../roles/role-trust.ts'
import { RoleSelector } from './matching/role-selector.ts'

type DirectoryDeps = Pick<Deps, 'db' | 'store' | 'log'>

/** Roles that could accept a chain, found by the same key. */
export type RoleGroup = RoleSelector<KnownRole>

/** Roles found by one key, by the key identifier of the CA they trust. */
type RoleGroups = ReadonlyMap<string, RoleGroup>

/** Statements that are on their way together, where a database is remote; between their rows others get a turn. */
const statementsAtOnce = 4

/**
 * How many names of CAs that no role trusts are remembered. Strangers choose them, so they are kept apart and cannot
 * evict anything else.
 */
const maxMisses = 1_000

/**
 * The roles of one mount as logins look for them: by name, or by the issuers that a chain names. Everything remembered
 * is dropped when any role changes, here or in another process; concurrent requests for something missing load it once.
 */
export class RoleDirectory {
  readonly cacheSize: number
  readonly #deps: DirectoryDeps
  readonly #mountId: string
  readonly #byName: VersionedCache<string, KnownRole>
  readonly #byKey: VersionedCache<string, RoleGroups>
  readonly #keyIds: VersionedCache<string, ReadonlySet<string>>
  readonly #misses: VersionedCache<string, true>

  constructor(deps: DirectoryDeps, mountId: string, cacheSize: number) {
    const { versions } = deps.store
    this.cacheSize = cacheSize
    this.#deps = deps
    this.#mountId = mountId
    this.#byName = new VersionedCache(versions, 'roles', { max: Math.max(1, cacheSize) })
    this.#byKey = new VersionedCache(versions, 'roles', { max: Math.max(1, cacheSize) })
    this.#keyIds = new VersionedCache(versions, 'roles', { max: Math.max(1, cacheSize) })
    this.#misses = new VersionedCache(versions, 'roles', { max: maxMisses })
  }

  /** The role of this name. Unknown names are not remembered, since anybody can make them up. */
  async findByName(name: string): Promise<KnownRole | undefined> {
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
  async findPinning(chain: PresentedChain): Promise<RoleGroup> {
    const groups = await this.#at({ by: 'fingerprint', fingerprint: chain.leaf.fingerprint })
    return groups.get('') ?? emptyGroup
  }

  /**
   * The roles that trust a CA which some certificate of the chain names as its issuer: those whose key identifier fits,
   * or the others, which are a last resort, for the identifier is a hint and no rule (RFC 4158 §3.5.12). Roles are
   * looked up and remembered by key identifiers that roles have, not by those of the chain: strangers choose these,
   * without limit.
   */
  async findIssuing(chain: PresentedChain, wanted: 'fitting' | 'other'): Promise<RoleGroup[]> {
    const groups: RoleGroup[] = []
    for (const [subjectKey, named] of issuersOf(chain)) {
      const isFitting = (keyId: string): boolean => keyId === '' || named.has('') || named.has(keyId)
      const keyIds = [...(await this.#keyIdsOf(subjectKey))].filter(
        (keyId) => isFitting(keyId) === (wanted === 'fitting'),
      )
      // Roles with the named identifiers are loaded one by one, since there may be hundreds of others under the same CA
      // name.
      const isNamed = wanted === 'fitting' && !named.has('')
      const all = isNamed || keyIds.length === 0 ? noGroups : await this.#at({ by: 'subject', subjectKey })
      for (const keyId of keyIds) {
        const found = isNamed ? await this.#at({ by: 'subject', subjectKey, keyId }) : all
        groups.push(found.get(keyId) ?? emptyGroup)
      }
    }
    return groups.filter((group) => group.items.length > 0)
  }

  /** The certificates of CAs of this name that roles trust. */
  async findTrustedCas(name: Name): Promise<readonly Certificate[]> {
    const groups = await this.#at({ by: 'subject', subjectKey: subjectKeyOf(name) })
    const certificates = [...groups.values()]
      .flatMap(({ items }) => items.flatMap(({ trust }) => trust.certificates))
      .filter((each) => isSameName(each.subject, name))
    return [...new Map(certificates.map((each) => [each.fingerprint, each])).values()]
  }

  #keyIdsOf(subjectKey: string): Promise<ReadonlySet<string>> {
    return this.#recallOrLoad(
      this.#keyIds,
      subjectKey,
      () => loadKeyIds(this.#deps.db, this.#mountId, subjectKey),
      noKeyIds,
    )
  }

  #at(place: RoleKey): Promise<RoleGroups> {
    return this.#recallOrLoad(this.#byKey, cacheKeyOf(place), () => this.#load(place), noGroups)
  }

  /** What is remembered under a key, or loads it; a result that is empty is remembered separately. */
  async #recallOrLoad<Found extends { readonly size: number }>(
    cache: VersionedCache<string, Found>,
    key: string,
    load: () => Promise<Found>,
    nothing: Found,
  ): Promise<Found> {
    const known = cache.get(key)
    if (known !== undefined) return known
    if (this.#misses.get(key)) return nothing
    const asOf = this.#misses.version()
    const found = await cache.getOrLoad(key, load)
    if (found.size === 0 || this.cacheSize < 0) cache.delete(key)
    if (found.size === 0 && this.cacheSize > 0) this.#misses.set(key, true, asOf)
    return found
  }

  async #load(place: RoleKey): Promise<RoleGroups> {
    const placed = await findRolesByKey(this.#deps.db, this.#mountId, place)
    const roles = await this.#loadRoles([...new Set(placed.map((row) => row.name_key))])
    const byKeyId = Map.groupBy(placed, (row) => row.key_id)
    const selectorOf = (rows: typeof placed): RoleGroup =>
      new RoleSelector([...new Set(rows.map((row) => row.name_key))].flatMap((name) => roles.get(name) ?? []))
    return new Map([...byKeyId].map(([keyId, rows]) => [keyId, selectorOf(rows)]))
  }

  async #loadRoles(names: readonly string[]): Promise<ReadonlyMap<string, KnownRole>> {
    const { db, log } = this.#deps
    const found = new Map<string, KnownRole>()
    const read = (chunk: readonly string[]) => listedRoles(db, this.#mountId, chunk)
    const chunks = [...rowChunksOf(names)]
    for (let at = 0; at < chunks.length; at += statementsAtOnce) {
      for (const rows of await Promise.all(chunks.slice(at, at + statementsAtOnce).map(read))) {
        for (const listed of rows) {
          try {
            const known = await this.#prepare(listed)
            if (known !== undefined) found.set(listed.name_key, known)
          } catch (error) {
            log.error({ role: listed.name, error: textOf(error) }, 'stored certificate role cannot be used')
          }
        }
        await nextTurn()
      }
    }
    return found
  }

  /**
   * Prepares a role without the text of its certificates: a group may hold thousands of roles, and no login needs the
   * text.
   */
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
  place.by === 'fingerprint' ? place.fingerprint : `${place.subjectKey} ${place.keyId ?? '*'}`

/** The issuers a chain names, each with the key identifiers it is named with; empty text where there is none. */
function issuersOf({ leaf, intermediates }: PresentedChain): ReadonlyMap<string, ReadonlySet<string>> {
  const named = new Map<string, Set<string>>()
  for (const { issuer, authorityKeyId } of [leaf, ...intermediates]) {
    const key = subjectKeyOf(issuer)
    const keyIds = named.get(key) ?? new Set()
    named.set(key, keyIds.add(keyIdText(authorityKeyId)))
  }
  return named
}

const emptyGroup: RoleGroup = new RoleSelector([])
const noGroups: RoleGroups = new Map()
const noKeyIds: ReadonlySet<string> = new Set()

/**
 * Certificates read from PEM texts, shared by roles that trust the same CAs. Keys are digests of the texts, so nothing
 * gets outdated.
 */
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
