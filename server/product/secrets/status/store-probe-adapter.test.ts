import { expect, test } from 'vitest'
import type { Awaitable } from '../../../kernel/awaitable.ts'
import { saturated } from '../../../storage/database-errors.ts'
import { requireStore } from './store-probe-adapter.ts'

const never = new Promise<void>(() => undefined)
const storeThat = (refresh: () => Awaitable<void>, away = false, beside = async () => false) => ({
  store: {
    isAway: () => away,
    broken: () => undefined,
    load: () => ({ used: 10, idle: 0, waiting: 3, limit: 10 }),
    answersBesidePool: beside,
    versions: { refresh },
  },
})
const soon = { away: 5, silent: 40 }

test('probe: a store that answers at once or a little later passes', async () => {
  await expect(requireStore(storeThat(() => undefined))).resolves.toBeUndefined()
  const late = Promise.withResolvers<void>()
  const asked = requireStore(
    storeThat(() => late.promise),
    { away: 5, silent: 60_000 },
  )
  setTimeout(late.resolve, 30)
  await expect(asked).resolves.toBeUndefined()
})

test('probe: a store that is unreachable or silent for too long fails with storage.unreachable', async () => {
  const unreachable = { kind: 'unavailable', code: 'storage.unreachable' }
  await expect(
    requireStore(
      storeThat(() => never, true),
      { away: 5, silent: 60_000 },
    ),
  ).rejects.toMatchObject(unreachable)
  await expect(
    requireStore(
      storeThat(() => never),
      soon,
    ),
  ).rejects.toMatchObject(unreachable)
})

test('probe: an error of the store is passed on', async () => {
  await expect(
    requireStore(
      storeThat(() => Promise.reject(new Error('closed'))),
      soon,
    ),
  ).rejects.toThrow('closed')
})

test('probe: after one has waited in vain, others do not wait as long until the store answers', async () => {
  const answers: PromiseWithResolvers<void>[] = []
  const probed = storeThat(() => {
    const answer = Promise.withResolvers<void>()
    answers.push(answer)
    return answer.promise
  })
  const times = { away: 20, silent: 400 }
  const waited = async () => {
    const before = performance.now()
    await expect(requireStore(probed, times)).rejects.toMatchObject({ code: 'storage.unreachable' })
    return performance.now() - before
  }
  expect(await waited()).toBeGreaterThan(350)
  expect(await waited()).toBeLessThan(300)
  answers[0]?.reject(new Error('given up'))
  expect(await waited()).toBeLessThan(300)
  answers[1]?.resolve()
  await answers[1]?.promise
  expect(await waited()).toBeGreaterThan(350)
})

test('probe: a store whose connections are all in use passes if it answers beside them', async () => {
  const waiting = storeThat(
    () => never,
    false,
    async () => true,
  )
  await expect(requireStore(waiting)).resolves.toBeUndefined()
  const refused = async () => Promise.reject(saturated(undefined))
  await expect(requireStore(storeThat(refused, false, async () => true))).resolves.toBeUndefined()
  await expect(requireStore(storeThat(refused))).rejects.toMatchObject({ code: 'storage.saturated' })
})

test('probe: a frozen store whose connections are all in use fails, since it does not answer beside them either', async () => {
  const frozen = storeThat(
    () => never,
    false,
    () => new Promise(() => undefined),
  )
  await expect(requireStore(frozen, { away: 50, silent: 400 })).rejects.toMatchObject({ code: 'storage.unreachable' })
})
