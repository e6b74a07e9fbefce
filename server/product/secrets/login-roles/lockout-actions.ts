import { permissionDenied } from '../../../kit/access.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Mount } from '../../../kit/mount.ts'
import type { Presentation } from '../../../kit/mount-kind.ts'
import {
  countersFor,
  defaultPairLimits,
  forgetAttempt,
  forgetBeginning,
  forgetFailures,
  loadBlocked,
  mountKeys,
  nameInKey,
  type PairLimits,
  takeAttempt,
} from '../../../kit/throttling/index.ts'
import { mountTable } from '../mounts/index.ts'

function pairLimitsOf({ config: { userLockout = {} } }: Mount): PairLimits {
  const { threshold, duration, counterReset } = userLockout
  return {
    free: threshold ?? defaultPairLimits.free,
    longest: duration === undefined ? defaultPairLimits.longest : duration * 1_000,
    lifetime: counterReset === undefined ? defaultPairLimits.lifetime : counterReset * 1_000,
  }
}

/** Clients of this family wait as long as they are told, so that only short waits are told. */
const longestToldWait = 5

const blocked = (seconds: number) =>
  permissionDenied({
    cause: new Error(`Too many logins with wrong credentials; ${seconds} seconds are left to wait.`),
    ...(seconds <= longestToldWait ? { retryAfter: seconds } : {}),
  })

/**
 * Logs in under a name whose credentials may be guessed: after several failures from one place, that place waits before
 * anything is checked.
 */
export async function underLockout<T>(
  deps: Deps,
  { mount, request }: Presentation,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (mount.config.userLockout?.disable) return await work()
  const counters = countersFor(name, request.remoteAddress, mount.accessor, pairLimitsOf(mount))
  const attempt = await takeAttempt(deps, counters, blocked)
  const done = await work()
  await forgetAttempt(deps, attempt)
  return done
}

/** The names that wait at mounts of methods that count failures, by accessor; each once. */
export async function lockedNames(deps: Deps, accessor: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const now = deps.clock.now()
  const { all } = await mountTable(deps)
  const counting = all.filter(({ type }) => deps.mountKinds.get(type)?.countsFailures)
  const found = new Map<string, readonly string[]>()
  for (const mount of counting.filter((each) => accessor === '' || each.accessor === accessor)) {
    const names = new Set<string>()
    for (const prefix of mountKeys(mount.accessor))
      for (const { key } of await loadBlocked(deps.db, prefix, now)) names.add(nameInKey(key))
    if (names.size > 0) found.set(mount.accessor, [...names].sort())
  }
  return found
}

/** Ends the waits of a name at a mount, everywhere. */
export async function unlockName(deps: Pick<Deps, 'db'>, accessor: string, name: string): Promise<void> {
  const [pairs = '', whole = ''] = mountKeys(accessor, name)
  await forgetBeginning(deps.db, pairs)
  await forgetFailures(deps.db, [whole])
}
