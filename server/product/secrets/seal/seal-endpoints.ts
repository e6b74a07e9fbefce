import { toIso } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import { fields } from '../../../kit/bodies.ts'
import type { Deps } from '../../../kit/deps.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, model, open, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { bare, data, nothing, type Reply } from '../../../kit/reply.ts'
import { initialiseShamir } from './init-actions.ts'
import { readHolders, rotateKeys, toInitAnswer } from './key-change-actions.ts'
import type { SealRow } from './seal.ts'
import { resetUnseal, sealNow, submitShare } from './seal-actions.ts'
import { sealNode, type UnsealProgress } from './seal-node-actions.ts'
import { loadSeal } from './seal-store.ts'

/** The answer of the first initialisation. */
const InitAnswer = model('Initialization', {
  keys: Type.Array(Type.String(), { description: 'Key shares in hex.' }),
  keys_base64: Type.Array(Type.String(), { description: 'The same shares in base64.' }),
  root_token: Type.String({ description: 'The first root token.' }),
})

/** What everybody may know about the seal. */
const SealStatus = model('SealStatus', {
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
const KeyStatus = model('EncryptionKeyStatus', {
  term: Type.Integer({ description: 'Number of the key.' }),
  install_time: Type.String({ description: 'When it was created.' }),
  encryptions: Type.Integer({ description: 'Values sealed with it.' }),
})

/** The seal status of this node. */
function sealStatusOf(deps: Deps, row: SealRow | undefined, progress: UnsealProgress): object {
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
function keyStatusOf(deps: Deps): Record<string, unknown> {
  const newest = deps.keyring.usage().at(-1)
  return {
    term: newest?.term ?? 0,
    install_time: newest ? toIso(newest.installedAt) : '',
    encryptions: newest?.seals ?? 0,
  }
}

const status = { whileSealed: true, unaudited: true } as const
const whyOpen = 'It must answer while nobody can log in.'

/** Scripts that initialise a store a second time look for the words "already initialized", and go on. */
const alreadyInitialised = () => failure('invalid', 'seal.already-initialised', 'Holdfast is already initialized')

const initFields = Type.Object({
  secret_shares: field.whole('Number of key shares to create.'),
  secret_threshold: field.whole('Number of shares required to unseal.'),
  pgp_keys: field.list('Public PGP keys in base64, one for each share; each share is encrypted with its key.'),
  root_token_pgp_key: field.text('A public PGP key in base64 to encrypt the root token with.'),
  stored_shares: field.whole('Ignored.'),
  recovery_shares: field.whole('Only for an auto seal.'),
  recovery_threshold: field.whole('Only for an auto seal.'),
  recovery_pgp_keys: field.list('Only for an auto seal.'),
})

const unsealFields = Type.Object({
  key: field.text('One key share, in hex or base64.'),
  reset: field.flag('Discard the shares submitted so far.'),
  migrate: field.flag('Ignored: there is nothing to migrate.'),
})

/** Clients send every field they know, most of them empty; only those with a value count. */
const isGiven = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value))

function refuseFieldsOfOtherSeal(body: Record<string, unknown>, type: 'auto' | 'shamir'): void {
  const given = Object.keys(body).filter((name) => isGiven(body[name]))
  const odd = given.filter((name) => name.startsWith(type === 'shamir' ? 'recovery_' : 'secret_'))
  if (odd.length > 0) {
    throw failure('invalid', 'seal.odd-fields', `A ${type} seal does not accept: ${odd.sort().join(', ')}.`)
  }
}

async function currentStatus(deps: Deps): Promise<object> {
  const node = sealNode(deps)
  const row = node.row ?? (await loadSeal(deps.db))
  node.row ??= row
  return sealStatusOf(deps, node.row, node.progress)
}

async function rotate(deps: Deps): Promise<Reply> {
  await rotateKeys(deps)
  return nothing()
}

/** Initialising, sealing and unsealing. */
export const sealEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...status,
    id: 'seal.read-init',
    bareAnswer: true,
    route: 'GET /init',
    summary: 'Read whether the store is initialised.',
    access: open(whyOpen),
    returns: { 200: Type.Object({ initialized: Type.Boolean() }) },
    handle: async ({ deps }) => bare({ initialized: (await loadSeal(deps.db)) !== undefined }),
  }),
  endpoint({
    ...status,
    id: 'seal.init',
    bareAnswer: true,
    route: 'POST /init',
    summary: 'Initialise the store and show its key shares once.',
    access: open(whyOpen),
    body: fields(initFields),
    returns: { 200: InitAnswer },
    fails: ['invalid'],
    handle: async ({ deps, body }) => {
      if (await loadSeal(deps.db)) throw alreadyInitialised()
      refuseFieldsOfOtherSeal(body, deps.settings.seal.type)
      const shares = body.secret_shares ?? 0
      const holders = await readHolders(body, shares, deps.clock.now())
      const split = { shares, threshold: body.secret_threshold ?? 0 }
      const shown = await initialiseShamir(deps, split, (made) => toInitAnswer(made, holders))
      if (!shown) throw alreadyInitialised()
      return bare(shown)
    },
  }),
  endpoint({
    ...status,
    withoutStore: true,
    id: 'seal.status',
    bareAnswer: true,
    route: 'GET /seal-status',
    summary: 'Read the seal status of the server.',
    access: open(whyOpen),
    returns: { 200: SealStatus },
    handle: async ({ deps }) => bare(await currentStatus(deps)),
  }),
  endpoint({
    ...status,
    id: 'seal.unseal',
    bareAnswer: true,
    route: 'POST /unseal',
    summary: 'Submit one key share to unseal the server.',
    access: open(whyOpen),
    body: fields(unsealFields),
    returns: { 200: SealStatus },
    fails: ['invalid'],
    handle: async ({ deps, body }) => {
      if (body.reset) resetUnseal(deps)
      else if (!body.key) throw failure('invalid', 'seal.no-key', "Give a key share as 'key', or 'reset': true.")
      else await submitShare(deps, body.key)
      return bare(await currentStatus(deps))
    },
  }),
  endpoint({
    id: 'seal.seal',
    route: 'POST /seal',
    summary: 'Seal the server: it drops its keys until it is unsealed.',
    access: acl({ sudo: true }),
    returns: { 204: null },
    handle: ({ deps }) => {
      sealNow(deps)
      return nothing()
    },
  }),
  endpoint({
    id: 'seal.key-status',
    route: 'GET /key-status',
    summary: 'Read which data key is in use.',
    access: acl(),
    doubleRendered: true,
    returns: { 200: KeyStatus },
    handle: ({ deps }) => data(keyStatusOf(deps)),
  }),
  endpoint({
    id: 'seal.rotate',
    route: 'POST /rotate',
    summary: 'Rotate the data key.',
    access: acl({ sudo: true }),
    doubleRendered: true,
    returns: { 204: null },
    handle: ({ deps }) => rotate(deps),
  }),
  endpoint({
    id: 'seal.rotate-keyring',
    route: 'POST /rotate/keyring',
    summary: 'Rotate the data key (path used by newer clients).',
    access: acl({ sudo: true }),
    doubleRendered: true,
    returns: { 204: null },
    handle: ({ deps }) => rotate(deps),
  }),
])
