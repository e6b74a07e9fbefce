import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

test('a closed standard output (as by head) is not an error', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--help'])
  child.stdout.destroy()
  const ended = once(child, 'close')
  expect(await text(child.stderr)).toBe('')
  expect((await ended)[0]).toBe(0)
})

test.skipIf(!existsSync('/dev/full'))('a full disk behind standard output is reported in one line', () => {
  const disk = openSync('/dev/full', 'w')
  const program = join(import.meta.dirname, 'main.ts')
  const ended = spawnSync(process.execPath, [program, '--help'], { stdio: ['ignore', disk, 'pipe'], encoding: 'utf8' })
  closeSync(disk)
  const stderr = 'holdfast: The output cannot be written: the disk is full (ENOSPC).\n'
  expect(ended).toMatchObject({ stderr, status: 1 })
})
