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

test('a command loads no other nouns, and nothing large that it does not need', () => {
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    const { runCommandLine } = await import('./program.ts')
    const io = { out() {}, err() {}, environment: { HOLDFAST_ADDR: 'http://127.0.0.1:9' }, directory: '', home: '' }
    const code = await runCommandLine(io, ['workspace', 'list', '--organization', 'acme'])
    process.stdout.write(JSON.stringify({ code, loaded }))`
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = spawnSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' })
  const { code, loaded } = JSON.parse(stdout) as { code: number; loaded: string[] }
  expect(code).toBe(1)
  const nouns = loaded.filter((url) => /\/cli\/nouns\/(?!.*(?:verb|lookup|fields|noun\.))/.test(url))
  expect(nouns.map((url) => url.replace(/.*\//, ''))).toEqual(['workspace.ts'])
  expect(loaded.filter((url) => /\/node_modules\/(?!commander\/)|\/cli\/import\//.test(url))).toEqual([])
})
