import { expect, test } from 'vitest'
import { previewMerge } from './merging.ts'

const alias = (id: string, mount: string) =>
  ({ id, name: `name ${id}`, mount_accessor: `accessor of ${mount}`, mount_path: mount }) as never

const entity = (name: string, policies: string[], ...aliases: never[]) => ({
  ...{ id: name, name, policies, disabled: false, aliases },
})

test('previewMerge: aliases move, two at one mount are a conflict, and policies are those of the target', () => {
  const into = entity('web', ['a', 'b'], alias('1', 'auth/cert/'))
  const from = entity('old', ['b', 'c'], alias('2', 'auth/cert/'), alias('3', 'auth/edge/'))
  const { moved, conflicts, lost, gained, disabled } = previewMerge(into, from)
  expect(moved.map(({ id }) => id)).toEqual(['3'])
  expect(conflicts.map(({ mount, aliases }) => [mount, aliases.map(({ id, of }) => [id, of])])).toEqual([
    [
      'auth/cert/',
      [
        ['1', 'web'],
        ['2', 'old'],
      ],
    ],
  ])
  expect([lost, gained, disabled]).toEqual([['c'], ['a'], []])
})

test('previewMerge: tokens of a disabled entity stay refused', () => {
  expect(previewMerge(entity('web', []), { ...entity('old', []), disabled: true }).disabled).toEqual(['old'])
})
