import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { figuresBy, trace } from './trace.ts'

// Starts a server whose every module is parsed: four seconds, on a busy machine many times that.
test('trace: a warm show enters the pipeline, then asks the database for changes, then runs its handler', async () => {
  const steps = await trace('show')
  const find = (pattern: RegExp) => steps.findIndex(({ file, name }) => pattern.test(`${file}:${name}`))
  const pipeline = find(/^server\/http\/pipeline\.ts:handle$/)
  const store = find(/^server\/storage\/.*:refresh$/)
  const handler = find(/\/workspace-endpoints\.ts:handle$/)
  expect([pipeline, store, handler]).not.toContain(-1)
  expect(pipeline).toBeLessThan(store)
  expect(store).toBeLessThan(handler)
}, 120_000)

test('figures: what ran again counts as a call only, and the way back to a file as a return', () => {
  const step = (file: string, called: number) => ({ file, name: `f${called}`, function: called, depth: 1 })
  const steps = [step('server/a/x.ts', 1), step('server/a/x.ts', 2), step('server/b/y.ts', 3), step('server/a/x.ts', 1)]
  const x = { files: 1, functions: 2, calls: 3, hops: 2, returns: 1 }
  const y = { files: 1, functions: 1, calls: 1, hops: 1, returns: 0 }
  expect(figuresBy((file) => file, steps)).toEqual({ 'server/a/x.ts': x, 'server/b/y.ts': y })
  expect(figuresBy(() => 'all', steps)).toEqual({ all: { files: 2, functions: 3, calls: 4, hops: 3, returns: 1 } })
})

test('command: another request than those that can be traced is refused with their names', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'trace.ts'), 'unlock'])
  expect(status).toBe(2)
  expect(String(stderr)).toContain("'unlock' is no request that can be traced.\nUsage: npm run trace -- show|list|lock")
})
