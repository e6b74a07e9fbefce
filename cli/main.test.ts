import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

test('a reader that goes early, as head does, is no fault', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), '--help'])
  child.stdout.destroy()
  const ended = once(child, 'close')
  expect(await text(child.stderr)).toBe('')
  expect((await ended)[0]).toBe(0)
})
