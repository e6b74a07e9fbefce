import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { clientConfig } from './connection.ts'
import type { PostgresHost } from './database-address.ts'
import { factsTimeout, requireFitServer, type ServerFacts, serverFacts } from './fitness.ts'
import { troubleOf } from './trouble.ts'

/** A server that accepts writes. */
export type WritableServer = {
  readonly host: PostgresHost
  /** Goes up by one with every promotion; 0 if the server does not tell. */
  readonly timeline: number
  /** When the server was started: two addresses may lead to the same one. */
  readonly started: string
}

/** Which server is used, and which others accept writes as well. */
type PrimaryChoice = { readonly chosen: WritableServer; readonly rivals: readonly WritableServer[] }

/** Milliseconds the others have to answer once one server accepts writes; a fail-over takes that much longer at most. */
const grace = 250

/** Fails only on a standby, or where a service has no such functions. */
const historySql = `select ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint as timeline,
  extract(epoch from pg_postmaster_start_time())::text as started`

/**
 * Asks all servers at once. After a fail-over the old primary may be back, and accept writes that nobody else sees: of
 * several the one that was promoted last is the primary. Where none can be used, throws the reasons together.
 */
export async function choosePrimary(
  hosts: readonly PostgresHost[],
  ask: (host: PostgresHost) => Promise<WritableServer>,
): Promise<PrimaryChoice> {
  const found: WritableServer[] = []
  const answers = hosts.map(async (host) => {
    const server = await ask(host)
    found.push(server)
    return server
  })
  const first = await Promise.any(answers)
  if (hosts.length > 1) await Promise.race([Promise.allSettled(answers), sleep(grace, undefined, { ref: false })])
  const [chosen = first, ...others] = found.toSorted(
    (a, b) => b.timeline - a.timeline || hosts.indexOf(a.host) - hosts.indexOf(b.host),
  )
  return { chosen, rivals: others.filter(({ started }) => started === '' || started !== chosen.started) }
}

/** Asks a server whether it accepts writes, and since which promotion. */
export async function askServer(
  host: PostgresHost,
  { isAlone, note }: { isAlone: boolean; note: (error: unknown) => void },
): Promise<WritableServer> {
  const client = new pg.Client({ ...clientConfig(host.url, {}), query_timeout: factsTimeout })
  client.on('error', note)
  try {
    await client.connect()
    const { rows } = await client.query<ServerFacts>(serverFacts)
    requireFitServer(rows[0])
    return { host, ...(isAlone ? unknownHistory : await historyOf(client)) }
  } finally {
    client.end().catch(note)
  }
}

type History = Pick<WritableServer, 'timeline' | 'started'>

const unknownHistory: History = { timeline: 0, started: '' }

async function historyOf(client: pg.Client): Promise<History> {
  try {
    const { rows } = await client.query<History>(historySql)
    return rows[0] ?? unknownHistory
  } catch (thrown) {
    if (troubleOf(thrown) === 'refused') return unknownHistory
    throw thrown
  }
}
