import { expect, test } from 'vitest'
import { fileName, rollbackTarget, standingOf, type Version } from './versions.ts'

const version = (serial: number, attributes: object = {}): Version =>
  ({
    type: 'state-versions',
    id: `sv-${serial}`,
    attributes: { serial, status: 'finalized', 'created-at': `2026-01-0${serial}T00:00:00.000Z`, ...attributes },
  }) as Version

const current = { id: 'sv-2', at: '2026-01-02T00:00:00.000Z' }

test.each([
  ['the current one', version(2), 'current'],
  ['an old one', version(1), undefined],
  ['an old one, written beside others under one lock', version(1, { intermediate: true }), undefined],
  ['a newer one, under a lock that is held', version(3, { intermediate: true }), 'current when unlocked'],
  ['an announced one', version(3, { status: 'pending' }), 'not uploaded yet'],
  [
    'one whose content was deleted',
    version(1, { status: 'backing_data_soft_deleted' }),
    'content deleted, can be restored',
  ],
  ['one whose content is gone', version(1, { status: 'backing_data_permanently_deleted' }), 'content deleted'],
])('standing: %s', (_name, shown, word) => {
  expect(standingOf(shown, current)?.word).toBe(word)
})

test.each([
  ['the older of two, beside the newest', version(1), version(2), 'sv-2', 1],
  ['the one that is looked at, if it is old', version(1), version(2), 'sv-3', 2],
  ['none, if the first is the newest', undefined, version(1), 'sv-1', undefined],
  ['none, if its content is gone', undefined, version(1, { status: 'pending' }), 'sv-3', undefined],
])('rollback: %s', (_name, before, shown, newest, serial) => {
  expect(rollbackTarget(before, shown, newest)?.attributes.serial).toBe(serial)
})

test('download: the name of the file tells workspace and serial', () => {
  expect(fileName('network', version(3))).toBe('network-3.tfstate')
})
