import { spawnSync } from 'node:child_process'
import { constants, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import { systemCode } from '../kernel/system-errors.ts'
import { LineOutput } from './line-output.ts'

let folder: string
beforeEach(() => {
  folder = ownFolder()
})

/** Never closed: an output lives as long as its process and keeps retrying, even during other tests. */
const open = (file: string, flags: string | number): number => openSync(file, flags)

const lostLine = (lines: number): string => `${lines} lost\n`

test('lines arrive in order, in the background and by flush()', async () => {
  const file = join(folder, 'log')
  const lines = new LineOutput(open(file, 'w'), lostLine)
  lines.write('a\n')
  lines.write('b\n')
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe('a\nb\n'), 5_000)
  lines.write('c\n')
  lines.flush()
  expect(readFileSync(file, 'utf8')).toBe('a\nb\nc\n')
})

test.skipIf(!existsSync('/dev/full'))('a full disk blocks neither write() nor flush()', () => {
  const lines = new LineOutput(open('/dev/full', 'w'), lostLine)
  expect(() => {
    for (let count = 0; count < 100; count += 1) lines.write(`${'x'.repeat(999)}\n`)
    lines.flush()
  }).not.toThrow()
})

test.skipIf(process.platform === 'win32')(
  'lines that cannot be written are buffered up to a limit, and the number lost is written',
  async () => {
    const pipe = join(folder, 'pipe')
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    const fd = open(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    const lines = new LineOutput(fd, lostLine)
    const written = 10_000
    for (let count = 0; count < written; count += 1) lines.write(`${String(count).padStart(999, '.')}\n`)
    let read = ''
    const takeAll = (): void => {
      read += available(fd)
      expect(read.slice(-20)).toMatch(/\d+ lost\n$/)
    }
    await vi.waitFor(takeAll, { timeout: 20_000, interval: 5 })
    const whole = read.split('\n').filter((line) => /^\.+\d+$/.test(line) && line.length === 999)
    const lost = Number(/(\d+) lost\n$/.exec(read)?.[1])
    expect(whole.length + lost).toBe(written)
    expect(lines.lostInAll).toBe(lost)
    expect(whole.map((line) => Number(line.replaceAll('.', '')))).toEqual(whole.map((_, index) => index))
    expect(read.length).toBeLessThan(9_000_000)
  },
)

/** What lies in a pipe now. */
function available(fd: number): string {
  const bytes = Buffer.alloc(1 << 20)
  try {
    return bytes.toString('utf8', 0, readSync(fd, bytes))
  } catch (thrown) {
    if (systemCode(thrown) !== 'EAGAIN') throw thrown
    return ''
  }
}
