import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from './app.ts'
import { loadConfig } from './config/index.ts'
import { silentLog } from './kernel/log.ts'

async function serverIn(directory: string) {
  const args = ['--data-dir', directory, '--listen', 'off', '--http-listen', '127.0.0.1:0', '--root-token', 'root']
  const loaded = loadConfig({ mode: 'dev', args, environment: {} })
  if (!loaded.ok) throw new Error('The configuration is wrong.')
  const server = await startServer(loaded.config, silentLog)
  onTestFinished(() => server.close())
  return server
}

test.each([
  ['done', async () => undefined],
  ['tried in vain', () => Promise.reject(new Error('no room'))],
])('start: a request that comes before the announcement is answered when that is %s', async (_name, outcome) => {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-app-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const server = await serverIn(directory)
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
