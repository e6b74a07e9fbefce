import type { Io } from '../io.ts'

/** Draws the progress of a transfer. */
type Progress = {
  add(bytes: number): void
  done(): void
}

const width = 24
const kibibyte = 1024
const mebibyte = 1024 * kibibyte

const amount = (bytes: number): string =>
  bytes < mebibyte ? `${(bytes / kibibyte).toFixed(1)} KiB` : `${(bytes / mebibyte).toFixed(1)} MiB`

/** One line of progress: a bar if the total is known, else the amount so far. */
export function renderProgress(label: string, current: number, total?: number): string {
  if (!total) return `${label} ${amount(current)}`
  const share = Math.min(1, current / total)
  const bar = '='.repeat(Math.round(share * width)).padEnd(width)
  return `${label} [${bar}] ${String(Math.floor(share * 100)).padStart(3)}% of ${amount(total)}`
}

/** Follows a transfer. Without a terminal nothing is drawn: a log full of bars helps nobody. */
export function startProgress(io: Pick<Io, 'err' | 'isTerminal'>, label: string, total?: number): Progress {
  let current = 0
  let drawn = ''
  const draw = (): void => {
    const line = renderProgress(label, current, total)
    if (line !== drawn && io.isTerminal) io.err(`\r${line}`)
    drawn = line
  }
  return {
    add: (bytes) => {
      current += bytes
      draw()
    },
    done: () => {
      if (io.isTerminal) io.err('\n')
    },
  }
}
