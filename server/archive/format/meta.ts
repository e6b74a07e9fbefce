import { type Instant, parseInstant, toIso } from '../../kernel/clock.ts'
import { foreignArchive, otherFormat, unreadable } from '../refusals.ts'
import { formatVersion } from './state-format.ts'

/** `meta.json`: the outer keys are those other tools of the family read, ours are under `holdfast`. */
export type Meta = {
  readonly Version: number
  readonly ID: string
  readonly Index: number
  readonly Term: number
  readonly Peers: null
  readonly Configuration: { readonly Servers: readonly { Suffrage: number; ID: string; Address: string }[] }
  readonly ConfigurationIndex: number
  /** Bytes of `state.bin`. */
  readonly Size: number
  readonly holdfast: HoldfastMeta
}

/** What only Holdfast reads. */
type HoldfastMeta = {
  readonly format: number
  readonly created: string
  readonly cluster_id: string
  readonly cluster_name: string
  /** The installation that took it; archives of earlier versions do not name it. */
  readonly installation_id?: string
  readonly api_version: string
  readonly version: string
  readonly keyring_id: string
  /** Name of the newest data key that sealed anything in it; archives of earlier versions do not name it. */
  readonly sealing_key?: string
  readonly seal_type: 'auto' | 'shamir'
  readonly seal_shares: number
  readonly seal_threshold: number
  readonly entries: number
}

/** What `meta.json` is made of. */
type MetaParts = { readonly takenAt: Instant; readonly node: string; readonly size: number } & Omit<
  HoldfastMeta,
  'format' | 'created'
>

/** Describes an archive. Its index is its time, so indexes grow from archive to archive. */
export function createMeta({ takenAt, node, size, ...ours }: MetaParts): Meta {
  return {
    Version: 1,
    ID: `1-${takenAt}-${takenAt}`,
    Index: takenAt,
    Term: 1,
    Peers: null,
    Configuration: { Servers: [{ Suffrage: 0, ID: node, Address: node }] },
    ConfigurationIndex: 1,
    Size: size,
    holdfast: { format: formatVersion, created: toIso(takenAt), ...ours },
  }
}

/** Reads `meta.json`; refuses archives of other programs and of newer versions. */
export function parseMeta(bytes: Buffer): Meta {
  const meta = parse(bytes)
  if (!isObject(meta.holdfast)) throw foreignArchive()
  if (meta.holdfast.format !== formatVersion) throw otherFormat(meta.holdfast.format, formatVersion)
  const { created, cluster_id: clusterId, seal_type: sealType } = meta.holdfast
  const { installation_id: installation } = meta.holdfast
  const isNamed = installation === undefined || typeof installation === 'string'
  const isFit =
    isNamed && Number.isSafeInteger(meta.Size) && Number.isSafeInteger(meta.Index) && typeof clusterId === 'string'
  if (isFit && parseInstant(String(created)) !== undefined && ['auto', 'shamir'].includes(sealType)) return meta
  throw unreadable('meta.json is incomplete')
}

function parse(bytes: Buffer): Meta {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (isObject(value)) return value as Meta
  } catch (thrown) {
    throw unreadable('meta.json is not JSON', thrown)
  }
  throw unreadable('meta.json is not an object')
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
