import { expect, test } from 'vitest'
import { ResponderHealth } from './ocsp-actions.ts'

const server = 'http://ocsp.example.com'

function health() {
  const known = new ResponderHealth()
  let now = 0
  return {
    ask: (isAnswered: boolean, took: number) => {
      known.note(server, isAnswered, { began: now, now: now + took })
      now += took
    },
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    mayAsk: (which = server) => known.mayAsk(which, now),
  }
}

test('responder: after three slow failures in a row it is skipped for ten seconds, then tried once', () => {
  const { ask, pass, mayAsk } = health()
  for (let failure = 0; failure < 3; failure++) {
    expect(mayAsk()).toBe(true)
    ask(false, 15_000)
  }
  expect(mayAsk()).toBe(false)
  expect(mayAsk('http://other.example.com')).toBe(true)
  pass(9_999)
  expect(mayAsk()).toBe(false)
  pass(1)
  expect(mayAsk()).toBe(true)
  ask(false, 15_000)
  expect(mayAsk()).toBe(false)
  pass(10_000)
  ask(true, 100)
  expect(mayAsk()).toBe(true)
  ask(false, 15_000)
  expect(mayAsk()).toBe(true)
})

test.each([
  ['failures at once', false, 10],
  ['slow answers', true, 9_000],
])('responder: %s never cause it to be skipped', (_what, isAnswered, took) => {
  const { ask, mayAsk } = health()
  for (let turn = 0; turn < 20; turn++) ask(isAnswered, took)
  expect(mayAsk()).toBe(true)
})

test('responder: an answer between slow failures resets their count', () => {
  const { ask, mayAsk } = health()
  for (let turn = 0; turn < 10; turn++) {
    ask(false, 5_000)
    ask(false, 5_000)
    ask(true, 5)
  }
  expect(mayAsk()).toBe(true)
})
