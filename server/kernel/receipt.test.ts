import { expect, test } from 'vitest'
import { Receipt } from './receipt.ts'

function heardFrom(receipt: Receipt): unknown[] {
  const heard: unknown[] = []
  receipt.onOutcome(
    () => heard.push('taken'),
    (problem) => heard.push(problem),
  )
  return heard
}

test('receipt: a listener is called synchronously, whether it comes before or after the outcome', () => {
  const [early, late, refused] = [new Receipt(), new Receipt(), new Receipt()]
  const heardEarly = heardFrom(early)
  expect(heardEarly).toEqual([])
  early.accept()
  late.accept()
  refused.refuse(undefined)
  expect([heardEarly, heardFrom(late), heardFrom(refused)]).toEqual([['taken'], ['taken'], [undefined]])
})

test('receipt: orElse turns a refusal into success or into another error', () => {
  const judge = (problem: unknown): void => {
    if (problem !== 'small') throw `judged ${problem}`
  }
  const [taken, small, large] = [new Receipt(), new Receipt(), new Receipt()]
  const heard = [taken, small, large].map((receipt) => heardFrom(receipt.orElse(judge)))
  taken.accept()
  small.refuse('small')
  large.refuse('large')
  expect(heard).toEqual([['taken'], ['taken'], ['judged large']])
})

test('receipt: converts to and from promises', async () => {
  await Receipt.of(Promise.resolve()).promise()
  await expect(Receipt.of(Promise.reject(new Error('no'))).promise()).rejects.toThrow('no')
})
