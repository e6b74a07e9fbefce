import { chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Runner, type RunnerFacts } from '../../runner/runner.ts'
import { type RunnerSettings, runnerDefaults } from '../../runner/settings.ts'
import { ownFolder } from './folders.ts'

/** What a test wants of its runner. */
export type OwnRunnerOptions = Partial<RunnerSettings> & {
  readonly url: string
  readonly token: string
  readonly folder?: string
}

/** A runner that works for one test and ends with it. */
export async function ownRunner({ url, token, folder = ownFolder(), ...settings }: OwnRunnerOptions) {
  chmodSync(folder, 0o711)
  const { promise, resolve, reject } = Promise.withResolvers<RunnerFacts>()
  const notes: string[] = []
  const runner = new Runner(
    {
      ...runnerDefaults,
      address: new URL(url),
      ca: undefined,
      name: 'own',
      dataFolder: join(folder, 'runner'),
      path: ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
      maxJobs: undefined,
      tools: 'path',
      layer: 'process',
      passedOn: {},
      drainMs: 1,
      ...settings,
    },
    '0.1.0',
    async () => token,
    { ready: resolve, note: (text) => void notes.push(text) },
  )
  const ended = runner.run()
  ended.catch(reject)
  onTestFinished(async () => {
    runner.stop(true)
    await ended.catch(() => undefined)
  })
  return { runner, facts: await promise, ended, notes, folder }
}
