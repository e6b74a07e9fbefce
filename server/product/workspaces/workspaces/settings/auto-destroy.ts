import { type Instant, later } from '../../../../kernel/clock.ts'
import type { Fault } from '../../../../kernel/failure.ts'
import type { Workspace, WorkspaceSettings } from '../workspace.ts'
import { faultAt, type RequestedSettings } from './requested-settings.ts'

/** The auto-destroy settings as a workspace stores them. */
export type OwnAutoDestroy = Pick<
  WorkspaceSettings,
  'autoDestroyAt' | 'autoDestroyStatus' | 'autoDestroyActivityDuration' | 'inheritsProjectAutoDestroy'
>

type Requested = Pick<RequestedSettings, 'autoDestroyAt' | 'autoDestroyActivityDuration' | 'inheritsProjectAutoDestroy'>

const hour = 3_600_000

/** The milliseconds of a valid duration. */
export const activityMilliseconds = (text: string): number =>
  Number(text.slice(0, -1)) * (text.endsWith('d') ? 24 * hour : hour)

/** The faults of auto-destroy settings in one request that exclude each other. */
export function autoDestroyFaults(requested: Requested): Fault[] {
  const faults: Fault[] = []
  const own = requested.autoDestroyAt != null || requested.autoDestroyActivityDuration != null
  if (requested.autoDestroyAt != null && requested.autoDestroyActivityDuration != null) {
    faults.push(faultAt('auto-destroy-at', 'Auto destroy at cannot be combined with auto-destroy-activity-duration'))
  }
  if (requested.inheritsProjectAutoDestroy === true && own) {
    const detail = 'Inherits project auto destroy cannot be combined with settings of its own'
    faults.push(faultAt('inherits-project-auto-destroy', detail))
  }
  return faults
}

/** What the settings depend on besides the request. */
type AutoDestroyContext = {
  readonly before: OwnAutoDestroy
  /** The duration of the project the workspace will be in, and whether it is in another one now. */
  readonly projectDuration: string | null
  readonly moved: boolean
  readonly now: Instant
  /** When the state last changed; null while there is none. */
  readonly lastActivityAt: Instant | null
}

/** When the state of a workspace last changed; null while there is none. */
export const lastActivityOf = (
  workspace: Pick<Workspace, 'currentStateVersionId' | 'latestChangeAt'> | undefined,
): Instant | null => (workspace?.currentStateVersionId ? workspace.latestChangeAt : null)

const noAutoDestroy = { autoDestroyAt: null, autoDestroyStatus: null, autoDestroyActivityDuration: null } as const

/** When a workspace is to be destroyed, and what that is derived from. */
type Schedule = Omit<OwnAutoDestroy, 'inheritsProjectAutoDestroy'>

/** The settings after a request. A schedule of its own ends the inheritance. */
export function settleAutoDestroy(requested: Requested, context: AutoDestroyContext): OwnAutoDestroy {
  const { before } = context
  const { inheritsProjectAutoDestroy: inherits } = requested
  if (inherits === true) return { ...inheritedSchedule(context), inheritsProjectAutoDestroy: true }
  const own = ownSchedule(requested, context)
  if (own) return { ...own, inheritsProjectAutoDestroy: false }
  const hadOwn = before.inheritsProjectAutoDestroy === false
  if (inherits === false && !hadOwn) return { ...noAutoDestroy, inheritsProjectAutoDestroy: false }
  const beginsToFollow = inherits === null && hadOwn
  const followsAnother = context.moved && !hadOwn
  const kept = beginsToFollow || followsAnother ? { ...before, ...inheritedSchedule(context) } : before
  return inherits === null ? { ...kept, inheritsProjectAutoDestroy: null } : kept
}

/** The schedule that a request sets for the workspace itself; undefined if it sets none. */
function ownSchedule(requested: Requested, context: AutoDestroyContext): Schedule | undefined {
  const { autoDestroyAt: at, autoDestroyActivityDuration: duration } = requested
  if (at != null)
    return { ...noAutoDestroy, autoDestroyAt: at, autoDestroyStatus: at > context.now ? 'scheduled' : 'skipped' }
  if (duration != null) return scheduleAfter(duration, context)
  // Time and duration are one setting: null for either of them is none at all.
  return at === null || duration === null ? noAutoDestroy : undefined
}

/** What a time to be destroyed is counted from. */
type ScheduleContext = Pick<AutoDestroyContext, 'projectDuration' | 'now' | 'lastActivityAt'>

/** The schedule a project's duration gives; the duration itself stays with the project. */
export function inheritedSchedule(context: ScheduleContext): Schedule {
  if (context.projectDuration === null) return noAutoDestroy
  return { ...scheduleAfter(context.projectDuration, context), autoDestroyActivityDuration: null }
}

/**
 * Counted from the last activity; a time that would be past already is counted from now, so that nobody is surprised.
 */
function scheduleAfter(duration: string, { now, lastActivityAt }: ScheduleContext): Schedule {
  const wait = activityMilliseconds(duration)
  const counted = later(lastActivityAt ?? now, wait)
  const autoDestroyAt = counted > now ? counted : later(now, wait)
  return { autoDestroyAt, autoDestroyStatus: 'scheduled', autoDestroyActivityDuration: duration }
}
