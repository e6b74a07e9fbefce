import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Deps } from '../../../kit/deps.ts'
import type { Configuration, StorageType } from '../configurations/configuration.ts'
import { invalidConfiguration } from '../configurations/configuration-change.ts'
import type { Content, Destination } from '../destinations/destination-adapter.ts'
import { openDestination } from '../destinations/open-destination-adapter.ts'
import { errorText } from '../schedule/failure-reason.ts'

/** What a credential must be allowed to do. */
type Right = 'write' | 'list' | 'read' | 'delete'

/** Whether a right is granted, what the service calls it, and its answer if not. */
type RightReport = { readonly allowed: boolean; readonly right: string; readonly error: string }

/** The rights of a configuration's credential. */
export type CheckReport = { readonly ok: boolean; readonly rights: Readonly<Record<Right, RightReport>> }

/** What each kind of service calls the rights. */
const rightNames: Readonly<Record<StorageType, Readonly<Record<Right, string>>>> = {
  local: {
    write: 'write the directory',
    list: 'read the directory',
    read: 'read files',
    delete: 'write the directory',
  },
  'cloudA-store': { write: 's3:PutObject', list: 's3:ListBucket', read: 's3:GetObject', delete: 's3:DeleteObject' },
  'cloudB-store': {
    write: 'storage.objects.create',
    list: 'storage.objects.list',
    read: 'storage.objects.get',
    delete: 'storage.objects.delete',
  },
  'cloudC-store': {
    write: 'blobs/write',
    list: 'blobs/read',
    read: 'blobs/read',
    delete: 'blobs/delete',
  },
}

const probeBytes = Buffer.from('.')
const checkTimeout = 30_000

/** Refuses a configuration whose destination lacks a right that snapshots need; each missing one is named. */
export async function requireRights(deps: Deps, configuration: Configuration): Promise<void> {
  const { ok, rights } = await checkDestination(deps, configuration)
  if (ok) return
  const tried = Object.values(rights).filter(({ allowed, error }) => !allowed && error !== untriedText)
  const byError = Map.groupBy(tried, ({ error }) => error)
  throw invalidConfiguration(
    [...byError].map(([error, missing]) => `check failed: ${missing.map(nameOf).join(', ')}: ${error}`),
  )
}

const nameOf = ({ right }: RightReport): string => right
const untriedText = 'not tried, since nothing could be written'

/** Writes one byte to the destination, finds, reads and removes it, and reports each step. */
export async function checkDestination(deps: Deps, configuration: Configuration): Promise<CheckReport> {
  const destination = await openDestination(deps, configuration)
  const name = `${configuration.filePrefix}-check-${deps.ids.hex(16)}.tmp`
  const signal = AbortSignal.timeout(checkTimeout)
  try {
    const write = await tryRight(configuration, 'write', () => put(destination, name, signal))
    const list = await tryRight(configuration, 'list', () => findProbe(destination, name, write.allowed, signal))
    const needsProbe = async (right: Right, body: () => Promise<void>): Promise<RightReport> =>
      write.allowed ? tryRight(configuration, right, body) : untriedReport(configuration, right)
    const read = await needsProbe('read', () => readProbe(destination, name, signal))
    const remove = await needsProbe('delete', () => destination.delete(name, signal))
    const rights = { write, list, read, delete: remove }
    return { ok: Object.values(rights).every(({ allowed }) => allowed), rights }
  } finally {
    destination.close()
  }
}

async function tryRight(configuration: Configuration, right: Right, body: () => Promise<void>): Promise<RightReport> {
  const name = rightNames[configuration.type][right]
  try {
    await body()
    return { allowed: true, right: name, error: '' }
  } catch (thrown) {
    return { allowed: false, right: name, error: errorText(thrown, configuration) }
  }
}

const untriedReport = ({ type }: Configuration, right: Right): RightReport => ({
  allowed: false,
  right: rightNames[type][right],
  error: untriedText,
})

async function put(destination: Destination, name: string, signal: AbortSignal): Promise<void> {
  const sha256 = createHash('sha256').update(probeBytes).digest('hex')
  const read = () => Readable.from([probeBytes], { objectMode: false })
  const content: Content = { summary: { size: probeBytes.length, sha256 }, open: read, lend: read }
  await destination.put(name, content, { signal, confirm: async () => undefined })
}

async function findProbe(destination: Destination, name: string, isThere: boolean, signal: AbortSignal): Promise<void> {
  let found = false
  for await (const object of destination.list(name, signal)) found ||= object.name === name
  if (isThere && !found) throw new Error('the test object is not listed')
}

async function readProbe(destination: Destination, name: string, signal: AbortSignal): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of await destination.get(name, signal)) pieces.push(piece as Buffer)
  if (!Buffer.concat(pieces).equals(probeBytes)) throw new Error('the test object came back with other content')
}
