import { expect, test } from 'vitest'
import { testClock } from '../../../../../test/support/clock.ts'
import { Keyring } from '../../../../crypto/keyring.ts'
import { instant } from '../../../../kernel/clock.ts'
import { randomIds } from '../../../../kernel/ids.ts'
import { secret } from '../../../../kernel/secret.ts'
import { newAccessor, newTokenText, timeMark, tokenId } from './token-text-actions.ts'

test('token texts: time marks sort in the order of their times', () => {
  const times = [0, 61, 62, 1_000, 1_763_208_000_000, 1_763_208_000_001, 1_795_000_000_000, 3_500_000_000_000]
  const marks = times.map((time) => timeMark(instant(time)))
  expect(marks.toSorted()).toEqual(marks)
  expect(new Set(marks).size).toBe(times.length)
  expect(marks.every((mark) => /^[0-9A-Za-z]{7}$/.test(mark))).toBe(true)
})

test('token texts: two made at the same moment share the time mark and nothing else', () => {
  const deps = { ids: randomIds, clock: testClock() }
  const [one, two] = [newTokenText(deps), newTokenText(deps)]
  expect(one).toMatch(/^hfs\.[0-9A-Za-z]{32}$/)
  expect(one.slice(0, 11)).toBe(two.slice(0, 11))
  expect(one.slice(11)).not.toBe(two.slice(11))
  expect(newAccessor(deps)).toMatch(/^[0-9A-Za-z]{24}$/)
})

test('token texts: only the id of a generated token begins with its time mark', async () => {
  const keyring = Keyring.create({ clock: testClock(), ids: randomIds }, secret(randomIds.bytes(32)))
  const text = newTokenText({ ids: randomIds, clock: testClock() })
  expect(tokenId({ keyring }, text)).toBe(text.slice(4, 11) + keyring.keyedHash('token', text))
  for (const other of ['chosen', `${text}x`, text.replace('hfs.', 'hfb.'), `hfs.${'é'.repeat(32)}`]) {
    expect(tokenId({ keyring }, other)).toBe(keyring.keyedHash('token', other))
  }
})
