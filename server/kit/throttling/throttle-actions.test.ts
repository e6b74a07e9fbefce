import { expect, test } from 'vitest'
import { eachEngine } from '../../../test/support/databases.ts'
import { sharedApp } from '../../../test/support/shared.ts'
import type { JobRun } from '../job.ts'
import { attemptSweep, forgetAttempt, takeAttempt } from './throttle-actions.ts'
import { countersFor, passwordCounter } from './throttle-rules.ts'
import { loadFailures } from './throttle-store.ts'

/** The sweep does not use its run. */
const unusedRun = {} as JobRun

eachEngine((engine) => {
  const app = sharedApp({ engine })

  const failuresOf = async (key: string) => (await loadFailures(app.deps.db, [key]))[0]?.failures

  test('throttling: a success forgets the failures of its name but only one of its address', async () => {
    const [here, there] = [countersFor('ann', '192.0.2.1'), countersFor('bob', '192.0.2.2')]
    for (const counters of [here, there, there, there]) await takeAttempt(app.deps, counters)
    await forgetAttempt(app.deps, await takeAttempt(app.deps, here))
    expect(await failuresOf('address:192.0.2.1')).toBe(1)
    expect(await failuresOf('name:ann')).toBeUndefined()
    expect([await failuresOf('address:192.0.2.2'), await failuresOf('name:bob')]).toEqual([3, 3])
  })

  test('throttling: failures before the success of another name at the same address still count', async () => {
    const [fay, gus] = [countersFor('fay', '192.0.2.9'), countersFor('gus', '192.0.2.9')]
    for (const counters of [fay, fay]) await takeAttempt(app.deps, counters)
    app.clock.advance('14m')
    await forgetAttempt(app.deps, await takeAttempt(app.deps, gus))
    await takeAttempt(app.deps, fay)
    expect([await failuresOf('address:192.0.2.9'), await failuresOf('name:fay')]).toEqual([3, 3])
  })

  test('throttling: the right password of a person forgets the wrong ones before it', async () => {
    const attempt = () => takeAttempt(app.deps, [passwordCounter('user-1')])
    for (const _wrong of [1, 2, 3]) await attempt()
    await forgetAttempt(app.deps, await attempt())
    expect(await failuresOf('password:user-1')).toBeUndefined()
  })

  test('throttling: successes from an address do not keep its failures from being forgotten', async () => {
    const [ann, bob] = [countersFor('ann', '192.0.2.6'), countersFor('bob', '192.0.2.6')]
    await takeAttempt(app.deps, ann)
    for (let minute = 0; minute < 20; minute++) {
      app.clock.advance('1m')
      await forgetAttempt(app.deps, await takeAttempt(app.deps, bob))
    }
    await takeAttempt(app.deps, ann)
    expect(await failuresOf('address:192.0.2.6')).toBe(1)
  })

  test('throttling: after the free attempts each wait doubles, and attempts during one are not counted', async () => {
    const counters = countersFor('dan', '192.0.2.7')
    const attempt = () => takeAttempt(app.deps, counters)
    for (let free = 0; free < 5; free++) await attempt()
    for (const seconds of [1, 2, 4]) {
      for (const _again of [1, 2]) {
        await expect(attempt()).rejects.toMatchObject({ extras: { retryAfter: seconds } })
      }
      app.clock.advance(`${seconds}s`)
      await attempt()
    }
    expect(await failuresOf('name:dan')).toBe(8)
    const elsewhere = countersFor('dan', '192.0.2.8')
    expect((await takeAttempt(app.deps, elsewhere)).counters).toBe(elsewhere)
  })

  test('throttling: the sweep removes expired counters and keeps the others', async () => {
    await takeAttempt(app.deps, countersFor(undefined, '192.0.2.4'))
    app.clock.advance('16m')
    await takeAttempt(app.deps, countersFor(undefined, '192.0.2.5'))
    await attemptSweep.run(app.deps, unusedRun)
    expect(await failuresOf('address:192.0.2.4')).toBeUndefined()
    expect(await failuresOf('address:192.0.2.5')).toBe(1)
  })

  test('throttling: forgetting an attempt twice does not make the counter negative', async () => {
    const attempt = await takeAttempt(app.deps, countersFor('cat', '192.0.2.3'))
    await forgetAttempt(app.deps, attempt)
    await forgetAttempt(app.deps, attempt)
    expect(await failuresOf('address:192.0.2.3')).toBe(0)
  })
})
