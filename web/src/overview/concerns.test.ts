import { expect, test } from 'vitest'
import { type Concern, groupsOf, kindOf } from './concerns.ts'

const concern = (kind: string, failed = false): Concern => ({
  kind,
  failed,
  scope: 'server',
  name: 'x',
  text: '',
  at: null,
})

test('what failed stands before what is at risk, and empty parts are left out', () => {
  const [held, failed] = [concern('lock-held'), concern('snapshot-failed', true)]
  expect(groupsOf([held, failed])).toEqual([
    ['Failed', [failed]],
    ['At risk', [held]],
  ])
  expect(groupsOf([held]).map(([title]) => title)).toEqual(['At risk'])
  expect(groupsOf([])).toEqual([])
})

test('each concern leads to the place where it is mended', () => {
  expect(kindOf(concern('lock-held')).link(concern('lock-held'), 'acme')).toMatchObject({
    to: '/$organization/workspaces/$name',
    params: { organization: 'acme', name: 'x' },
  })
  expect(kindOf(concern('snapshot-failed')).link(concern('snapshot-failed'), 'acme')).toEqual({
    to: '/server/snapshots',
    search: { schedule: 'x' },
  })
  expect(kindOf(concern('something-new')).word).toBe('Needs attention')
})
