import { posix } from 'node:path'
import type { Instant } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import { placeProblem } from '../../../kernel/local-places.ts'
import { packagesProblem } from '../../../kernel/optional-packages.ts'
import type { Deps } from '../../../kit/deps.ts'
import { cancelJob, loadJob, scheduleJob } from '../../../kit/job-store.ts'
import { localPlaces, type PlaceSettings } from '../../../kit/local-places.ts'
import { untilWritten } from '../../../kit/until-written.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import {
  countBadInRow,
  deleteAttempts,
  deleteWaiting,
  endInterrupted,
  loadLatestAttempts,
  loadNewestGoodAttempts,
} from '../schedule/attempt-store.ts'
import { nextRegularRun, runAfterWrite, takeJobKind, verifyJobKind } from '../schedule/schedule.ts'
import { deleteStatus, loadStatus, updateStatus } from '../schedule/status-store.ts'
import type { Configuration, Placement, SentConfiguration } from './configuration.ts'
import {
  droppedWarnings,
  invalidConfiguration,
  mergeConfiguration,
  type ScheduleEffect,
  scheduleEffect,
  sharesFiles,
  spaceWarning,
} from './configuration-change.ts'
import {
  deleteConfiguration,
  loadConfiguration,
  loadPlacements,
  markPaused,
  markResumed,
  sealSecrets,
  swapConfiguration,
} from './configuration-store.ts'
import { destinationPackages, destinationWarnings } from './destination-settings.ts'

type ConfigurationDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'keyring' | 'settings'>

/** A written configuration, with warnings. */
type WrittenConfiguration = { readonly configuration: Configuration; readonly warnings: readonly string[] }

/** A configuration that an action is about; refuses when it does not exist. */
export async function requireConfiguration(deps: Pick<Deps, 'db' | 'keyring'>, name: string): Promise<Configuration> {
  const found = await loadConfiguration(deps.db, deps.keyring, name)
  if (!found) throw noConfiguration(name)
  return found.configuration
}

const noConfiguration = (name: string) =>
  failure('missing', 'snapshot.no-configuration', `there is no configuration '${name}'`)

/**
 * A configuration to be read. If it does not exist, the list of errors is empty, which clients of this family rely on.
 */
export async function readConfiguration(deps: Pick<Deps, 'db' | 'keyring'>, name: string): Promise<Configuration> {
  const found = await loadConfiguration(deps.db, deps.keyring, name)
  if (!found) throw failure('missing', 'snapshot.no-configuration', 'no such configuration', { withoutErrors: true })
  return found.configuration
}

/**
 * Creates a configuration or changes it, and reschedules its next run accordingly. `accept` sees it before it is
 * stored, and throws to reject it.
 */
export async function writeConfiguration(
  deps: ConfigurationDeps,
  name: string,
  sent: SentConfiguration,
  accept: (configuration: Configuration) => Promise<void> = async () => undefined,
): Promise<WrittenConfiguration> {
  return untilWritten(async () => {
    const known = await loadConfiguration(deps.db, deps.keyring, name)
    const { configuration, dropped } = mergeConfiguration(name, known?.configuration, sent, deps.clock.now())
    await refuseClosedPlace(deps, configuration)
    await accept(configuration)
    const effect = scheduleEffect(known?.configuration, configuration)
    const secrets = sealSecrets(deps.keyring, configuration)
    const now = await deps.store.databaseNow()
    const isStored = await inTransaction(deps.db, async (tx) => {
      if (!(await swapConfiguration(tx, configuration, secrets, known?.revision ?? 0))) return false
      await reschedule(tx, configuration, effect, now)
      return true
    })
    if (!isStored) return false
    const warnings = await warningsOf(deps, configuration, sent)
    return { configuration, warnings: [...droppedWarnings(configuration, dropped), ...warnings] }
  }, contended)
}

type PlaceDeps = Pick<Deps, 'settings'>

/** Why a new configuration could not write to the directory of this one; it need not exist yet. */
export async function placeProblemOf(
  { settings }: { readonly settings: PlaceSettings },
  { type, pathPrefix }: Pick<Placement, 'type' | 'pathPrefix'>,
): Promise<string | undefined> {
  return type === 'local' ? await placeProblem(posix.normalize(pathPrefix), localPlaces(settings)) : undefined
}

/** Why this server cannot reach a store of this type, if a package is missing. */
export const packagesProblemOf = ({ type }: Pick<Placement, 'type'>): string | undefined =>
  packagesProblem(`configurations of the type ${type}`, destinationPackages[type])

async function refuseClosedPlace(deps: PlaceDeps, configuration: Configuration): Promise<void> {
  const problem = await placeProblemOf(deps, configuration)
  if (problem) throw invalidConfiguration([`path_prefix: ${problem}`])
}

const contended = () =>
  failure('conflict', 'snapshot.contended', 'Other requests are changing the configuration; try again.')

/** The configuration that a body would create; nothing is stored. */
export async function previewConfiguration(
  deps: PlaceDeps & Pick<Deps, 'clock'>,
  sent: SentConfiguration,
): Promise<Configuration> {
  const { configuration } = mergeConfiguration('preview', undefined, { interval: 3600, ...sent }, deps.clock.now())
  await refuseClosedPlace(deps, configuration)
  return configuration
}

async function reschedule(tx: Tx, configuration: Configuration, effect: ScheduleEffect, now: Instant): Promise<void> {
  const { name, interval } = configuration
  if (effect === 'first-run') await forgetRuns(tx, name)
  const { anchor, consecutive_errors: failures } = await loadStatus(tx, name)
  const isRetry = failures > 0 || (await countBadInRow(tx, name)) > 0
  const retryAt = isRetry ? (await loadJob(tx, takeJobKind, name, now))?.nextRunAt : undefined
  const nextRunAt = runAfterWrite(effect, { interval, anchor, now, retryAt })
  // A configuration has a status from its first write on, so that metrics show it before its first run.
  await updateStatus(tx, name, effect === 'run-now' ? { consecutive_errors: 0 } : {})
  if (configuration.paused) return await noteForLater(tx, name, effect)
  if (nextRunAt === undefined) return
  if (effect === 'run-now') {
    await cancelRun(tx, name, now, 'configuration changed')
    await cancelJob(tx, verifyJobKind, name)
  }
  await scheduleJob(tx, { kind: takeJobKind, key: name, nextRunAt, every: interval * 1_000 })
}

/** What a write means for the schedule of a paused configuration: in a new place, the first run is due when it resumes. */
async function noteForLater(tx: Tx, name: string, effect: ScheduleEffect): Promise<void> {
  if (effect !== 'run-now') return
  await updateStatus(tx, name, { anchor: 0 })
  await cancelJob(tx, verifyJobKind, name)
}

/**
 * Cancels the run of a configuration: the process that works on it stops as soon as it notices, and its result is not
 * recorded.
 */
async function cancelRun(tx: Tx, name: string, now: Instant, why: string): Promise<void> {
  await cancelJob(tx, takeJobKind, name)
  await endInterrupted(tx, name, now, `cancelled: ${why}`)
}

async function warningsOf(
  deps: ConfigurationDeps,
  configuration: Configuration,
  sent: SentConfiguration,
): Promise<string[]> {
  // Settings that were sent empty are not stored, but may still cause a warning.
  const settings = { ...sent.settings, ...configuration.settings }
  const warnings = destinationWarnings({ ...configuration, settings })
  const lacking = packagesProblemOf(configuration)
  if (lacking) warnings.push(`Snapshots cannot be stored: ${lacking}.`)
  if (configuration.paused) warnings.push(stillPaused(configuration.name))
  warnings.push(...spaceWarning(configuration, await lastSize(deps, configuration)))
  if (configuration.type === 'local' && (await deps.store.nodes()) !== 1) {
    warnings.push(
      'Each node writes to its own disk, so a snapshot is on the node that took it. The status names that node.',
    )
  }
  for (const other of await loadPlacements(deps.db)) {
    if (other.name !== configuration.name && sharesFiles(other, configuration)) {
      warnings.push(`Configuration '${other.name}' stores under the same names; each removes snapshots of the other.`)
    }
  }
  return warnings
}

/** The size of the last snapshot, of another configuration if this one has none: all are of one store. 0 without any. */
async function lastSize({ db }: ConfigurationDeps, { name }: Configuration): Promise<number> {
  const { good } = await loadLatestAttempts(db, name)
  if (good) return good.size ?? 0
  const others = (await loadNewestGoodAttempts(db)).sort((a, b) => (b.ended_at ?? 0) - (a.ended_at ?? 0))
  return others[0]?.size ?? 0
}

const stillPaused = (name: string): string =>
  `The configuration is paused and stays so until it is resumed (snapshot-auto/resume/${name}).`

/** Removes a configuration and what is known about its runs. Snapshots that are stored stay. */
export async function removeConfiguration(deps: Pick<Deps, 'db'>, name: string): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    if (await deleteConfiguration(tx, name)) await forgetRuns(tx, name)
  })
}

/**
 * Cancels all jobs of a configuration and forgets its runs. A restore that deletes a configuration does not do this.
 */
async function forgetRuns(tx: Tx, name: string): Promise<void> {
  await cancelJob(tx, takeJobKind, name)
  await cancelJob(tx, verifyJobKind, name)
  await deleteStatus(tx, name)
  await deleteAttempts(tx, name)
}

/** Stops taking snapshots until somebody resumes; a running attempt is given up, a waiting one is cancelled. */
export async function pauseConfiguration(deps: Pick<Deps, 'db' | 'store'>, name: string): Promise<void> {
  const now = await deps.store.databaseNow()
  await inTransaction(deps.db, async (tx) => {
    if (!(await markPaused(tx, name))) throw noConfiguration(name)
    await cancelRun(tx, name, now, 'configuration paused')
    await deleteWaiting(tx, name)
  })
}

/** Takes snapshots again: at once if one is due, else at its time. */
export async function resumeConfiguration(deps: Pick<Deps, 'db' | 'store' | 'keyring'>, name: string): Promise<void> {
  await requireConfiguration(deps, name)
  const now = await deps.store.databaseNow()
  await inTransaction(deps.db, async (tx) => {
    const interval = await markResumed(tx, name)
    if (interval === undefined) return
    const { anchor } = await loadStatus(tx, name)
    const nextRunAt = nextRegularRun(interval, anchor, now)
    await scheduleJob(tx, { kind: takeJobKind, key: name, nextRunAt, every: interval * 1_000 })
  })
}
