import { expect, test } from 'vitest'
import { justBefore, linesOf, pairsOf } from './searches.ts'

test('justBefore: everything that begins so stands behind it, and what stands before does not', () => {
  for (const begins of ['a', 'team/', 'prod-1']) {
    const before = justBefore(begins) as string
    for (const name of [begins, `${begins}0`, `${begins}~`]) expect(name > before, name).toBe(true)
    expect(begins.slice(0, -1) > before).toBe(false)
  }
  expect(justBefore('')).toBeUndefined()
})

test('pairsOf: lines become an object and lines again; a value may hold the sign', () => {
  expect(pairsOf('team = finance\n\nquery=a=b\nflag')).toEqual({ team: 'finance', query: 'a=b', flag: '' })
  expect(linesOf({ team: 'finance', flag: '' })).toBe('team=finance\nflag=')
  expect(linesOf(null)).toBe('')
})
