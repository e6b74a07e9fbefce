import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ownFolder } from '../../../test/support/folders.ts'

const module = (path: string): string => JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href)

/**
 * Stores rows in a process whose disk forgets everything that was not flushed. At each flush, the files as they were
 * when it began become what a power cut would leave. It prints the rows that were acknowledged and would be lost.
 */
const script = `
  import fs, { copyFileSync } from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  import { DatabaseSync } from 'node:sqlite'
  const [, folder] = process.argv
  const live = folder + '/live.db'
  let left
  let flushes = 0
  const keep = () => {
    const copy = folder + '/left-' + ++flushes + '.db'
    for (const end of ['', '-wal']) copyFileSync(live + end, copy + end)
    return copy
  }
  const flush = fs.fdatasync
  fs.fdatasync = (file, done) => {
    const copy = keep()
    flush(file, (problem) => {
      if (!problem) left = copy
      done(problem)
    })
  }
  syncBuiltinESMExports()
  const { openSqlite } = await import(${module('engine.ts')})
  const { systemClock } = await import(${module('../../kernel/clock.ts')})
  const { silentLog } = await import(${module('../../kernel/log.ts')})
  const engine = await openSqlite({ file: live, durable: true, clock: systemClock, log: silentLog })
  const run = (sql, parameters = []) => engine.execute({ sql, parameters, query: { kind: 'RawNode' } })
  await run('create table rows (id integer primary key)')
  const isLeft = (id) => {
    if (left === undefined) return false
    const database = new DatabaseSync(left)
    try {
      return database.prepare('select 1 from rows where id = ?').get(id) !== undefined
    } finally {
      database.close()
    }
  }
  const lost = []
  const write = async (id) => {
    await run('insert into rows values (?)', [id])
    if (!isLeft(id)) lost.push(id)
  }
  for (let id = 1; id <= 5; id++) await write(id)
  await Promise.all(Array.from({ length: 20 }, (_, index) => write(100 + index)))
  await engine.close()
  console.log(JSON.stringify({ lost, flushes }))
`

test('sqlite: what was acknowledged survives a disk that forgets every write that was not flushed', async () => {
  const args = ['--input-type=module', '-e', script, ownFolder()]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { lost, flushes } = JSON.parse(stdout)
  expect(lost).toEqual([])
  expect(flushes).toBeGreaterThan(5)
})
