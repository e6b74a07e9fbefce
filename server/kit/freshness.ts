import type { Clock } from '../kernel/clock.ts'

/** For this many milliseconds, what a process knows about changes made by others counts as current. */
const currentMs = 100

/** True if others may have made changes since then that matter, because something slow was waited for. */
export const isOutdated = (clock: Clock, since: number): boolean => clock.monotonic() - since > currentMs
