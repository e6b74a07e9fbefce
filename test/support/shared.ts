import { afterEach, beforeAll, onTestFinished } from 'vitest'
import type { Awaitable } from '../../server/kernel/awaitable.ts'
import { type TestApp, type TestAppOptions, testApp } from './test-app.ts'

/**
 * Makes something once for all tests of a block: `const ann = shared(() => person(app, 'ann'))`. What is shared is made
 * before the first test, in the order of the text, so that one may be made of another, and ends after the last test.
 */
export function shared<Made extends object>(make: () => Promise<Made>, end?: (made: Made) => Promise<void>): Made {
  const target = {} as Made
  let isMade = false
  beforeAll(async () => {
    const made = await make()
    Object.assign(target, made)
    isMade = true
    return end && (() => end(made))
  })
  return new Proxy(target, {
    get: (_, name) => {
      if (!isMade) throw new Error(`'${String(name)}' of something shared was read outside of tests and hooks`)
      return Reflect.get(target, name)
    },
  })
}

type Closable = { close(): Promise<void> }

/** Shares something that is closed after the last test of the block. */
export const sharedUntilClosed = <Made extends Closable>(make: () => Promise<Made>): Made =>
  shared(make, (made) => made.close())

/** Closes something when the running test has finished. */
export async function closedAfterTest<Made extends Closable>(making: Promise<Made>): Promise<Made> {
  const made = await making
  onTestFinished(() => made.close())
  return made
}

/** A list whose entries are closed after each test of the block, the last one first. */
export function closedAfterEach(): { close(): Awaitable<void> }[] {
  const open: { close(): Awaitable<void> }[] = []
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close()
  })
  return open
}

/** A server for all tests of a block, closed after the last one. */
export const sharedApp = (options?: TestAppOptions): TestApp => sharedUntilClosed(() => testApp(options))

/** A server for the running test alone, closed when the test has finished. */
export const ownApp = (options?: TestAppOptions): Promise<TestApp> => closedAfterTest(testApp(options))
