import { beforeAll, onTestFinished } from 'vitest'
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

/** A server for all tests of a block, closed after the last one. */
export const sharedApp = (options?: TestAppOptions): TestApp =>
  shared(
    () => testApp(options),
    (app) => app.close(),
  )

/** A server for the running test alone, closed when the test has finished. */
export async function ownApp(options?: TestAppOptions): Promise<TestApp> {
  const app = await testApp(options)
  onTestFinished(() => app.close())
  return app
}
