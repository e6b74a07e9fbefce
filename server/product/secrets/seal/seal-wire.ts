import { toIso } from '../../../kernel/clock.ts'
import type { Deps } from '../../../kit/deps.ts'
import { model, Type } from '../../../kit/endpoint.ts'
import type { SealRow } from './seal-row.ts'
import type { UnsealProgress } from './unseal-progress.ts'

/** The answer of the first initialisation. */
export const InitAnswer = model('Initialization', {
  keys: Type.Array(Type.String(), { description: 'Key shares in hex.' }),
  keys_base64: Type.Array(Type.String(), { description: 'The same shares in base64.' }),
  root_token: Type.String({ description: 'The first root token.' }),
})

/** What everybody may know about the seal. */
export const SealStatus = model('SealStatus', {
  type: Type.String({ description: '`shamir` or `auto`.' }),
  initialized: Type.Boolean({ description: 'Whether the store is initialised.' }),
  sealed: Type.Boolean({ description: 'Whether this node is sealed.' }),
  t: Type.Integer({ description: 'Number of shares required.' }),
  n: Type.Integer({ description: 'Number of shares created.' }),
  progress: Type.Integer({ description: 'Number of shares submitted so far.' }),
  nonce: Type.String({ description: 'Identifies the unseal attempt in progress.' }),
  version: Type.String({ description: 'Version by which clients enable features.' }),
  holdfast_version: Type.String({ description: 'Version of this server.' }),
  storage_type: Type.String({ description: 'Type of the store.' }),
  cluster_name: Type.Optional(Type.String({ description: 'Name of the cluster; only while it is unsealed.' })),
  cluster_id: Type.Optional(Type.String({ description: 'Its identifier.' })),
})

/** The data key in use. */
export const KeyStatus = model('EncryptionKeyStatus', {
  term: Type.Integer({ description: 'Number of the key.' }),
  install_time: Type.String({ description: 'When it was created.' }),
  encryptions: Type.Integer({ description: 'Values sealed with it.' }),
})

/** The seal status of this node. */
export function sealStatusOf(deps: Deps, row: SealRow | undefined, progress: UnsealProgress): object {
  const sealed = deps.keyring.state !== 'unsealed'
  const cluster = sealed || !row ? {} : { cluster_name: row.cluster_name, cluster_id: row.cluster_id }
  return {
    type: row?.type ?? deps.settings.seal.type,
    initialized: row !== undefined,
    sealed,
    t: row?.threshold ?? 0,
    n: row?.shares ?? 0,
    progress: progress.count,
    nonce: progress.nonce,
    version: deps.settings.compatVersion,
    holdfast_version: deps.settings.version,
    build_date: '',
    migration: false,
    recovery_seal: row?.type === 'auto',
    storage_type: 'raft',
    ...cluster,
  }
}

/** Facts about the newest data key. */
export function keyStatusOf(deps: Deps): Record<string, unknown> {
  const newest = deps.keyring.usage().at(-1)
  return {
    term: newest?.term ?? 0,
    install_time: newest ? toIso(newest.installedAt) : '',
    encryptions: newest?.seals ?? 0,
  }
}
