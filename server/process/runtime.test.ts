import { spawnSync } from 'node:child_process'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { releaseStartMemory, v8Flags } from './runtime.ts'

/** How many full garbage collections ran during the work. */
async function collectionsDuring(work: () => Promise<void>): Promise<number> {
  let count = 0
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as (PerformanceEntry & { detail: { flags: number } })[]) {
      if (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE) count += 1
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  await work()
  // Entries are delivered a turn later.
  await turn()
  await turn()
  observer.disconnect()
  return count
}

describe('memory that only the start needed', () => {
  it('is collected when the server is idle', async () => {
    expect(await collectionsDuring(() => releaseStartMemory(200))).toBeGreaterThan(0)
  })

  it('is not collected while the server is busy', async () => {
    const busy = async (): Promise<void> => {
      let isOver = false
      const over = releaseStartMemory(20).finally(() => {
        isOver = true
      })
      while (!isOver) await turn()
      await over
    }
    expect(await collectionsDuring(busy)).toBe(0)
  })
})

it.each(v8Flags)('V8 accepts the flag %s', (flag) => {
  const { status, stderr } = spawnSync(process.execPath, [flag, '-e', '0'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
