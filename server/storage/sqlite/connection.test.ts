import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/folders.ts'
import { SqliteConnection } from './connection.ts'

/** Connections to the same new file, each asked for by a call. */
function testFile(): () => SqliteConnection {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return () => {
    const connection = new SqliteConnection(join(folder, 'rows.db'), { readOnly: false, durable: false })
    onTestFinished(() => connection.close())
    return connection
  }
}

test('rows are objects keyed by the column names of the statement', () => {
  const connection = testFile()()
  connection.run('create table t (id integer primary key, "odd ""name" text, bytes blob)')
  const inserted = connection.run(`insert into t values (?, ?, ?)`, [1, 'one', Buffer.from('x')])
  expect(inserted).toEqual({ rows: [], numAffectedRows: 1n })
  connection.run(`insert into t values (2, null, null)`)
  expect(connection.run('select *, id * 2 as doubled from t order by id')).toEqual({
    rows: [
      { id: 1, 'odd "name': 'one', bytes: new Uint8Array([120]), doubled: 2 },
      { id: 2, 'odd "name': null, bytes: null, doubled: 4 },
    ],
    numAffectedRows: 2n,
  })
  expect(connection.run('select * from t where id = ?', [3])).toEqual({ rows: [], numAffectedRows: 0n })
  expect(connection.run('update t set bytes = null where id < ? returning id', [2]).rows).toEqual([{ id: 1 }])
})

test('a column added after a statement was prepared does not shift the others', () => {
  const open = testFile()
  const connection = open()
  connection.run('create table a (id integer, x integer)')
  connection.run('create table b (id integer, y integer)')
  connection.run('insert into a values (1, 2)')
  connection.run('insert into b values (1, 3)')
  const rows = () => connection.run('select a.*, b.y from a join b on a.id = b.id').rows
  expect(rows()).toEqual([{ id: 1, x: 2, y: 3 }])
  open().run('alter table a add column z integer default 9')
  expect(rows()).toEqual([{ id: 1, x: 2, z: 9, y: 3 }])
  expect(rows()).toEqual([{ id: 1, x: 2, z: 9, y: 3 }])
})

test('a deleted row does not stay in the file', () => {
  const connection = testFile()()
  connection.run('create table t (id integer primary key, bytes blob)')
  connection.run('insert into t values (?, ?)', [1, Buffer.from('a secret'.repeat(20))])
  const [{ file } = { file: '' }] = connection.run<{ file: string }>('pragma database_list').rows
  const isInFile = () => {
    connection.run('pragma wal_checkpoint(truncate)')
    return readFileSync(file).includes('a secret')
  }
  expect(isInFile()).toBe(true)
  connection.run('delete from t')
  expect(isInFile()).toBe(false)
})

test.runIf(process.platform === 'linux')('a connection that cannot be opened leaves no file open', () => {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'locked.db')
  const other = new DatabaseSync(file)
  other.exec('begin exclusive; create table t (x)')
  expect(() => new SqliteConnection(file, { readOnly: false, durable: true })).toThrow('database is locked')
  other.close()
  expect(timesOpen(file)).toBe(0)
})

/** How often this process has the file open. */
function timesOpen(file: string): number {
  const targetOf = (descriptor: string): string => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`)
    } catch {
      return ''
    }
  }
  return readdirSync('/proc/self/fd').filter((descriptor) => targetOf(descriptor) === file).length
}
