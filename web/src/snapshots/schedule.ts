import type { Schemas } from '../api/client.ts'
import type { Shape } from '../kit/Status.tsx'

/** How the snapshots of a schedule stand. */
export type Standing = Schemas['SnapshotStatus']

/** A schedule: what was set, and how it stands. */
export type Schedule = {
  readonly name: string
  readonly interval: number
  readonly retain: number
  readonly destination: Destination
  readonly settings: Readonly<Record<string, unknown>>
  readonly standing: Standing
}

/** Where snapshots can go. */
export type Service = 'local' | 's3' | 'gcs' | 'azure'

type Destination = { readonly service: Service; readonly place: string }

/** What people call the services. */
export const serviceNames: Readonly<Record<Service, string>> = { local: 'Local', s3: 'S3', gcs: 'GCS', azure: 'Azure' }

/** The first letters of the fields of each service, in both spellings. */
const prefixes: Readonly<Record<Exclude<Service, 'local'>, readonly [string, string]>> = {
  s3: ['cloudA', 'aws'],
  gcs: ['cloudB', 'google'],
  azure: ['cloudC', 'azure'],
}

/** Which service a configuration names, in either spelling. */
export function serviceOf(storageType: string): Service {
  const found = Object.entries(prefixes).find(([, starts]) => starts.some((start) => storageType.startsWith(start)))
  return (found?.[0] as Service | undefined) ?? 'local'
}

/** The value of a setting, whichever of its spellings the configuration uses. */
export const settingOf = (settings: Readonly<Record<string, unknown>>, names: readonly string[]): unknown =>
  names.map((name) => settings[name]).find((value) => value !== undefined)

/** Where the snapshots of a configuration go, in words. */
export function destinationOf(settings: Readonly<Record<string, unknown>>): Destination {
  const service = serviceOf(String(settings.storage_type))
  const path = String(settings.path_prefix ?? '')
  const text = (...names: string[]): string => String(settingOf(settings, names) ?? '')
  const bucket = text('cloudA_bucket', 'aws_s3_bucket', 'cloudB_bucket', 'google_gcs_bucket')
  const container = text('cloudC_container_name', 'azure_container_name')
  const account = text('cloudC_account_name', 'azure_account_name')
  const place = {
    local: path,
    s3: `s3://${bucket}/${path}`,
    gcs: `gs://${bucket}/${path}`,
    azure: [account, container, path].filter(Boolean).join('/'),
  }[service]
  return { service, place }
}

/** A status in words: what it looks like, what it is called, and since when. */
export type Word = {
  readonly shape: Shape
  readonly word: string
  readonly since?: string
  /** More about it, when one points at it. */
  readonly tip?: string
}

/** What became of the last snapshot. */
export function snapshotWord({ standing }: Pick<Schedule, 'standing'>): Word {
  const { state, last_snapshot_error: error, last_success_end: stored, snapshot_start: begun } = standing
  if (state === 'running') return { shape: 'working', word: 'Running', since: begun }
  if (state === 'paused') return { shape: 'paused', word: 'Paused', ...(stored && { since: stored }) }
  if (error) return { shape: 'failed', word: 'Failed', since: standing.last_snapshot_end, tip: error }
  if (!stored) return { shape: 'waiting', word: 'None yet' }
  if (standing.overdue)
    return { shape: 'risk', word: 'Overdue', since: stored, tip: 'The last one is older than it should be.' }
  return { shape: 'done', word: 'Stored', since: stored }
}

/** Whether the last snapshot was proved to restore. */
export function proofWord({ standing }: Pick<Schedule, 'standing'>): Word {
  const { verify, last_success_end: stored, last_verified_at: proved, last_verify_error: error } = standing
  if (!stored) return { shape: 'nothing', word: 'Nothing to prove' }
  if (standing.not_restorable) return { shape: 'disproved', word: 'Does not restore', since: stored, tip: error }
  if (error) return { shape: 'unproved', word: 'Could not be checked', since: stored, tip: error }
  if (verify === 'none') return { shape: 'unproved', word: 'Not proved', tip: 'This schedule proves nothing.' }
  if (!isNewestProved(standing)) return { shape: 'waiting', word: 'Not proved yet' }
  if (verify === 'checksum') return { shape: 'unproved', word: 'Checksum only', since: proved }
  return { shape: 'proved', word: 'Proved', since: proved }
}

const isNewestProved = ({ last_verified_at: proved, last_success_end: stored }: Standing): boolean =>
  proved !== '' && Date.parse(proved) >= Date.parse(stored)

/** How many seconds it took until the last snapshot was proved. */
export const proofSeconds = (standing: Standing): number | undefined =>
  standing.verify === 'restore' && standing.last_success_end !== '' && isNewestProved(standing)
    ? (Date.parse(standing.last_verified_at) - Date.parse(standing.last_success_end)) / 1000
    : undefined

/** In one sentence: is the last snapshot good, and of which schedule is it? */
export type Verdict = { readonly shape: Shape; readonly text: string; readonly schedule?: Schedule }

const endOf = ({ standing }: Schedule): number => Date.parse(standing.last_success_end)

/** Whether there is a snapshot to rely on. */
export function verdictOf(schedules: readonly Schedule[]): Verdict {
  const stored = schedules
    .filter(({ standing }) => standing.last_success_end !== '')
    .sort((a, b) => endOf(b) - endOf(a))
  const proved = stored.find((schedule) => proofWord(schedule).shape === 'proved')
  const recent = schedules.some(({ standing: { state, overdue } }) => state !== 'paused' && !overdue)
  if (proved && recent) return { shape: 'proved', text: 'The last snapshot is good', schedule: proved }
  if (proved) return { shape: 'risk', text: 'The last good snapshot is old', schedule: proved }
  const [newest] = stored
  if (!newest) return { shape: 'waiting', text: 'There is no snapshot yet' }
  if (newest.standing.not_restorable)
    return { shape: 'disproved', text: 'The last snapshot does not restore', schedule: newest }
  return { shape: 'unproved', text: 'The last snapshot is not proved', schedule: newest }
}
