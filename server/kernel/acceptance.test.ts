import { expect, test } from 'vitest'
import { Acceptance } from './acceptance.ts'

function heardFrom(acceptance: Acceptance): unknown[] {
  const heard: unknown[] = []
  acceptance.onOutcome(
    () => heard.push('taken'),
    (problem) => heard.push(problem),
  )
  return heard
}

test('acceptance: a listener is called synchronously, whether it comes before or after the outcome', () => {
  const [early, late, refused] = [new Acceptance(), new Acceptance(), new Acceptance()]
  const heardEarly = heardFrom(early)
  expect(heardEarly).toEqual([])
  early.accept()
  late.accept()
  refused.refuse(undefined)
  expect([heardEarly, heardFrom(late), heardFrom(refused)]).toEqual([['taken'], ['taken'], [undefined]])
})

test('acceptance: orElse turns a refusal into success or into another error', () => {
  const judge = (problem: unknown): void => {
    if (problem !== 'small') throw `judged ${problem}`
  }
  const [taken, small, large] = [new Acceptance(), new Acceptance(), new Acceptance()]
  const heard = [taken, small, large].map((acceptance) => heardFrom(acceptance.orElse(judge)))
  taken.accept()
  small.refuse('small')
  large.refuse('large')
  expect(heard).toEqual([['taken'], ['taken'], ['judged large']])
})

test('acceptance: converts to and from promises', async () => {
  await Acceptance.of(Promise.resolve()).promise()
  await expect(Acceptance.of(Promise.reject(new Error('no'))).promise()).rejects.toThrow('no')
})
