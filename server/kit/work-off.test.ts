import { expect, test } from 'vitest'
import { silentLog } from '../kernel/log.ts'
import { workOff } from './work-off.ts'

const items = (count: number) => new Set(Array.from({ length: count }, (_, index) => `i${index}`))

/** A store of due items that are gone once they were handled. */
function due(all: Set<string>) {
  return async (limit: number) => [...all].slice(0, limit)
}

test('work: all items are handled, however many fail before them, and each is tried once', async () => {
  const all = items(1_000)
  const tried: string[] = []
  const handled = await workOff(
    { log: silentLog },
    {
      find: due(all),
      handle: async (id) => {
        tried.push(id)
        if (tried.length <= 250) throw new Error('broken')
        return all.delete(id)
      },
      problem: 'could not handle an item',
    },
  )
  expect([handled, tried.length, new Set(tried).size, all.size]).toEqual([750, 1_000, 1_000, 250])
})

test('work: a failing item is logged with its id; one that needs nothing is not', async () => {
  const logged: unknown[] = []
  const log = { ...silentLog, error: (...line: unknown[]) => void logged.push(line) }
  const handle = async (id: string) => {
    if (id === 'i0') throw new Error('broken')
    return false
  }
  expect(await workOff({ log }, { find: due(items(2)), handle, problem: 'could not handle an item' })).toBe(0)
  expect(logged).toEqual([[{ id: 'i0', error: new Error('broken') }, 'could not handle an item']])
})

test('work: it ends when nothing can be handled, and when the signal stops it', async () => {
  const all = items(5_000)
  let tried = 0
  const handle = async () => {
    tried++
    return false
  }
  expect(await workOff({ log: silentLog }, { find: due(all), handle, problem: '' })).toBe(0)
  expect(tried).toBeLessThan(1_500)
  const signal = AbortSignal.abort()
  expect(await workOff({ log: silentLog }, { find: due(all), handle: async () => true, problem: '', signal })).toBe(0)
})
