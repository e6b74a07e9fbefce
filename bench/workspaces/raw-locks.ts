import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { defaultConnections } from '../../server/storage/postgres/primary.ts'
import { sharedCommits } from '../harness/shared-commits.ts'

/** The writes of a lock and of its release, as durable transactions without a server around them. */
export type RawLocks = {
  /** Writes the lock of one of the rows, and records it in the change log. */
  write(row: number, action: 'lock' | 'unlock'): Promise<void>
  close(): Promise<void>
}

type Placeholder = (place: number) => string

const update = (mark: Placeholder): string =>
  `update workspaces set locked_by_kind = ${mark(1)}, locked_by_id = ${mark(2)}, locked_by_name = ${mark(3)},
   locked_reason = ${mark(4)}, locked_at = ${mark(5)}, lock_generation = lock_generation + 1, revision = revision + 1
   where id = ${mark(6)}`

const insert = (mark: Placeholder): string =>
  `insert into change_log (id, position, organization_id, workspace_id, subject_type, subject_id, subject_name, action,
   actor_kind, actor_id, actor_name, token_id, request_id, created_at, before, after)
   values (${Array.from({ length: 16 }, (_, index) => mark(index + 1)).join(', ')})`

const someWorkspaces = (rows: number): string => `select id, organization_id from workspaces order by id limit ${rows}`

type Row = { id: string; organization_id: string }

const locked = JSON.stringify({ locked: true, 'locked-reason': '', 'locked-by': 'user:root' })
const unlocked = JSON.stringify({ locked: false })

function valuesOf(action: 'lock' | 'unlock', { id, organization_id }: Row, position: number) {
  const holder =
    action === 'lock' ? ['user', 'user-1111111111111111', 'root', '', Date.now()] : [null, null, null, '', null]
  const subject = ['workspaces', id, 'a-workspace-of-usual-length']
  const actor = ['user', 'user-1111111111111111', 'root', 'at-1111111111111111', randomUUID()]
  const states = action === 'lock' ? [unlocked, locked] : [locked, unlocked]
  const change = [`chg-${randomUUID()}`, position, organization_id, id, ...subject, action, ...actor, Date.now()]
  return { update: [...holder, id], insert: [...change, ...states] }
}

/** On a copy of a SQLite file: transactions of one turn of the event loop share their commit. */
export function sqliteLocks(url: string, count: number): RawLocks {
  const file = url.replace(/^sqlite:/, '')
  const original = new DatabaseSync(file)
  original.exec(`vacuum into '${file}.rival'`)
  original.close()
  const database = new DatabaseSync(`${file}.rival`)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  const rows = database.prepare(someWorkspaces(count)).all() as Row[]
  const [change, tell] = [database.prepare(update(() => '?')), database.prepare(insert(() => '?'))]
  let position = Date.now() * 1000
  const share = sharedCommits(database)
  return {
    write: (row, action) =>
      share(() => {
        const values = valuesOf(action, rows[row] as Row, ++position)
        change.run(...values.update)
        tell.run(...values.insert)
      }),
    close: async () => database.close(),
  }
}

/** On PostgreSQL, with named statements over as many connections as a server has; PostgreSQL groups their commits. */
export async function postgresLocks(url: string, count: number): Promise<RawLocks> {
  const pool = new pg.Pool({ connectionString: url, max: defaultConnections })
  const rows = (await pool.query<Row>(someWorkspaces(count))).rows
  const [change, tell] = [update((place) => `$${place}`), insert((place) => `$${place}`)]
  let position = Date.now() * 1000
  return {
    write: async (row, action) => {
      const values = valuesOf(action, rows[row] as Row, ++position)
      const client = await pool.connect()
      await client.query('begin')
      await client.query({ name: 'bench-lock', text: change, values: values.update })
      await client.query({ name: 'bench-tell', text: tell, values: values.insert })
      await client.query('commit')
      client.release()
    },
    close: () => pool.end(),
  }
}
