import { expect, test } from 'vitest'
import { surplusNames, type Verdict } from './snapshot-retention.ts'

const nameOf = (number: number): string => `p-${String(number).padStart(19, '0')}.snap`
const numberOf = (name: string): number => Number(name.slice('p-'.length, -'.snap'.length))

/** Snapshots by age, oldest first: + restores, - does not, ? not looked at. The newest is the one just written. */
const removedOf = (stored: string, retain: number, written = stored.length): number[] => {
  const names = [...stored].map((_mark, index) => nameOf(index + 1))
  const verdicts = new Map<string, Verdict>()
  for (const [index, mark] of [...stored].entries()) {
    if (mark !== '?') verdicts.set(nameOf(index + 1), mark === '+' ? 'restores' : 'does not restore')
  }
  return surplusNames('p', names, { retain, written: nameOf(written), verdicts }).map(numberOf)
}

test.each([
  ['nothing while there are no more than are kept', '++?', 3, []],
  ['the oldest, at once', '+++?', 3, [1]],
  ['the only older one, before the new one is verified', '+?', 1, [1]],
  ['all that are too many, oldest first', '+++++?', 2, [1, 2, 3, 4]],
  ['the last good one while another is not verified yet', '+-??', 2, [1, 2]],
  ['a good one while a newer good one is kept', '+-+-?', 3, [1, 2]],
  ['a bad one instead of the last good one', '+-?', 2, [2]],
  ['all bad ones before the last good one is removed', '+---?', 2, [2, 3, 4]],
  ['older good ones and a bad one instead of the newest good one', '++--?', 3, [1, 3]],
  ['the spared one when a newer one is verified', '+-+?', 2, [1, 2]],
  ['a bad one instead of the newest unverified one where none is known to be good', '??--?', 3, [1, 3]],
  ['bad ones where all are bad', '----?', 3, [1, 2]],
] as const)('retention: removes %s', (_name, stored, retain, expected) => {
  expect(removedOf(stored, retain)).toEqual(expected)
})

test('retention: never removes the one just written, whatever its number', () => {
  expect(removedOf('?++', 2, 1)).toEqual([])
  expect(removedOf('?+++', 2, 1)).toEqual([2])
  expect(removedOf('+?--', 2, 2)).toEqual([3])
})

test('retention: leaves names of others alone', () => {
  const names = [nameOf(1), nameOf(2), 'p-2-0000000000000000001.snap', 'p-1.snap', `${nameOf(1)}.bak`]
  expect(surplusNames('p', names, { retain: 1, written: nameOf(2), verdicts: new Map() })).toEqual([nameOf(1)])
})
