import { spawnSync } from 'node:child_process'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { returnStartMemory, v8Flags } from './runtime.ts'

/** How often all memory was looked at for what can be given back while this was done. */
async function collectionsDuring(work: () => Promise<void>): Promise<number> {
  let count = 0
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as (PerformanceEntry & { detail: { flags: number } })[]) {
      if (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE) count += 1
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  await work()
  // What was observed is told a turn later.
  await turn()
  await turn()
  observer.disconnect()
  return count
}

describe('memory that only the start needed', () => {
  it('is given back by a server nobody asks for anything', async () => {
    expect(await collectionsDuring(() => returnStartMemory(200))).toBeGreaterThan(0)
  })

  it('is kept by one that is at work', async () => {
    const busy = async (): Promise<void> => {
      let isOver = false
      const over = returnStartMemory(20).finally(() => {
        isOver = true
      })
      while (!isOver) await turn()
      await over
    }
    expect(await collectionsDuring(busy)).toBe(0)
  })
})

it.each(v8Flags)('V8 knows the flag %s', (flag) => {
  const { status, stderr } = spawnSync(process.execPath, [flag, '-e', '0'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
