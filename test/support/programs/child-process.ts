import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** A Node process of a test, which communicates by lines. */
type TestProcess = {
  readonly child: ChildProcess
  readonly lines: string[]
  /** Waits for a line that the process has written, or will write. */
  line(wanted: string): Promise<void>
  /** Resolves to the exit code, or null after a signal. */
  readonly ended: Promise<number | null>
}

/** Starts a program of ours; it is stopped at the end of the test at the latest. */
export function startProcess(
  program: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): TestProcess {
  const env = { ...process.env, ...environment }
  const child = spawn(process.execPath, [program, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const line = async (wanted: string) => {
    while (!lines.includes(wanted)) {
      const first = await Promise.race([once(reader, 'line'), ended])
      if (!Array.isArray(first) && !lines.includes(wanted)) throw new Error(`The process ended without '${wanted}'.`)
    }
  }
  return { child, lines, line, ended }
}
