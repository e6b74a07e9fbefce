import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { eachEngine, emptyDatabase } from '../test/support/databases.ts'
import { recordingLog } from '../test/support/recording-log.ts'
import { loadConfig } from './config/index.ts'
import { instant, systemClock } from './kernel/clock.ts'
import { type Log, silentLog } from './kernel/log.ts'
import { type StartOptions, startServer } from './start.ts'

async function serverWith(flags: readonly string[] = [], log: Log = silentLog, options: StartOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-start-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const place = ['--data-dir', directory, '--listen', 'off', '--http-listen', '127.0.0.1:0', '--root-token', 'root']
  const loaded = loadConfig({ mode: 'dev', args: [...place, ...flags], environment: {} })
  if (!loaded.ok) throw new Error('The configuration is wrong.')
  const server = await startServer(loaded.config, log, options)
  onTestFinished(() => server.close())
  return server
}

eachEngine((engine) => {
  test.each([
    ['an hour behind the database', -3_600_000, engine === 'postgres'],
    ['an hour ahead of it', 3_600_000, engine === 'postgres'],
    ['right', 0, false],
  ])(
    'start with a clock %s: a difference to the clock of a PostgreSQL server is logged',
    async (_name, shift, isTold) => {
      const { options, remove } = await emptyDatabase(engine)
      onTestFinished(remove)
      const schema = options.schema ? `?options=-c%20search_path%3D${options.schema}` : ''
      const { log, text } = recordingLog()
      const clock = { ...systemClock, now: () => instant(systemClock.now() + shift) }
      await serverWith(['--storage', options.url + schema], log, { clock })
      const told = text().match(/"seconds":(-?\d+),"message":"the clock of this node differs/)
      expect(told !== null).toBe(isTold)
      if (told) expect(Math.abs(Number(told[1]) * 1_000 - shift)).toBeLessThan(30_000)
    },
  )
})

test.each([
  ['done', async () => undefined],
  ['tried in vain', () => Promise.reject(new Error('no room'))],
])('start: a request during the announcement waits until that is %s', async (_name, outcome) => {
  const server = await serverWith()
  const order: string[] = []
  let answered: Promise<unknown> = Promise.resolve()
  const announcing = server.listen(async ({ http }) => {
    answered = fetch(`${http}/healthz`).then(({ status }) => order.push(`answered with ${status}`))
    await Promise.race([answered, setTimeout(100)])
    order.push('announced')
    await outcome()
  })
  await announcing.catch((error) => order.push(error.message))
  await answered
  expect(order.filter((each) => each !== 'no room')).toEqual(['announced', 'answered with 200'])
})
