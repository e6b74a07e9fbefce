import { systemClock } from '../kernel/clock.ts'
import { isStorageFull } from './database-errors.ts'
import type { Runner } from './engine.ts'

/** Writes that a store refused because its disk is full. */
export type Fullness = {
  /** How many there were since the start. */
  readonly refusals: number
  /** True for a minute after the last of them. */
  readonly isFull: boolean
}

const lastsMs = 60_000

type Noted = { refusals: number; at: number }

/** Kept beside the engines: only a write that has failed pays for it. */
const noted = new WeakMap<Runner, Noted>()

/** Notes what a write on an engine has thrown, if it was refused for lack of space. */
export function noteFullness(engine: Runner, thrown: unknown): void {
  if (!isStorageFull(thrown)) return
  noted.set(engine, { refusals: fullnessOf(engine).refusals + 1, at: systemClock.monotonic() })
}

/** How full the disk of an engine has shown itself to be. */
export function fullnessOf(engine: Runner): Fullness {
  const { refusals, at } = noted.get(engine) ?? { refusals: 0, at: Number.NEGATIVE_INFINITY }
  return { refusals, isFull: systemClock.monotonic() - at < lastsMs }
}
