import { availableParallelism } from 'node:os'
import { formatSeconds, parseDuration } from '../kernel/duration.ts'
import { bad, good, type Kind, quote, scalarKind, wholeNumber } from './kinds.ts'

/** A number of processes; `auto` is one per core. */
export const workerCount: Kind<number> = {
  name: 'whole number or auto',
  show: String,
  read: (raw) => {
    if (raw === 'auto') return good(availableParallelism())
    const number = wholeNumber(1, 256).read(raw)
    return number.ok ? number : bad(number.text, number.fix.replace(/\.$/, ', or auto.'))
  },
}

/** A time to wait, from none at all up to a bound, kept in milliseconds. A number without a unit counts seconds. */
export const delayUpTo = (mostSeconds: number): Kind<number> =>
  scalarKind(
    'duration',
    (value) => {
      const duration = parseDuration(/^\d+$/.test(value) ? `${value}s` : value)
      const range = `from 0s to ${formatSeconds(mostSeconds)}`
      return duration !== undefined && duration <= mostSeconds * 1_000
        ? good(Math.round(duration))
        : bad(`${quote(value)} is not a duration ${range}`, `Write a time ${range}: 10s.`)
    },
    (value) => (value % 1000 === 0 ? formatSeconds(value / 1000) : `${value}ms`),
  )

/** A semantic version with optional build metadata. */
export const releaseVersion: Kind<string> = scalarKind(
  'version',
  (value) =>
    /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/.test(value)
      ? good(value)
      : bad(`${quote(value)} is not a version`, 'Write it as 1.21.0 or 1.21.0+ent.'),
  (value) => value,
)
