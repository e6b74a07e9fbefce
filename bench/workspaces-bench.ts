import { startPostgres } from '../test/support/postgres-server.ts'
import { startBareCopy } from './harness/bare-copy.ts'
import type { Bench } from './harness/bench.ts'
import { type ChildServer, startChildServer } from './harness/child-server.ts'
import { type Contender, compareRates, type Pace } from './harness/compare-rates.ts'
import { bearerHeaders } from './harness/platform-client.ts'
import { renderRates } from './harness/table.ts'
import { benchRootToken } from './servers/holdfast.ts'
import { connections, readContender, workspacesPath } from './workspaces/load.ts'
import { compareLocks, lockerCount } from './workspaces/locks.ts'
import { createMember } from './workspaces/members.ts'
import { postgresLocks, type RawLocks, sqliteLocks } from './workspaces/raw-locks.ts'
import { postgresStatements, type Statements, sqliteStatements } from './workspaces/statements.ts'

const sizes = { small: 100, middle: 10_000, large: 100_000 } as const
const manyTeams = 200
const twoTagsQuery =
  'filter[tagged][0][key]=environment&filter[tagged][0][value]=e1&filter[tagged][1][key]=owner&filter[tagged][1][value]=o5'

/** Workspaces in organizations of 100, 10,000 and 100,000. */
export const bench: Bench = {
  about: 'workspaces in organizations of 100, 10,000 and 100,000: show, lists, filters, locks, on both engines',
  async *run(pace) {
    yield* onSqlite(pace)
    yield* onPostgres(pace)
  },
}

const program = new URL('./servers/workspaces.ts', import.meta.url)

async function* onSqlite(pace: Pace): AsyncIterable<string> {
  const server = await startChildServer(program, { organizations: sizes })
  const url = String(server.facts.url)
  const raw = { statements: sqliteStatements(url), locks: sqliteLocks(url, lockerCount) }
  try {
    yield* measure('SQLite', pace, server, raw)
  } finally {
    await closeAll(raw)
    await server.stop()
  }
}

async function* onPostgres(pace: Pace): AsyncIterable<string> {
  const postgres = await startPostgres({ shared_buffers: '256MB', max_wal_size: '2GB', fsync: 'on' })
  const server = await startChildServer(program, { organizations: sizes, storage: postgres.url })
  const raw = { statements: postgresStatements(postgres.url), locks: await postgresLocks(postgres.url, lockerCount) }
  try {
    yield* measure('PostgreSQL', pace, server, raw)
  } finally {
    await closeAll(raw)
    await server.stop()
    await postgres.stop()
  }
}

/** The baselines: SQL without a server around it. */
type RawBaselines = { readonly statements: Statements; readonly locks: RawLocks }

async function closeAll({ statements, locks }: RawBaselines): Promise<void> {
  await statements.close()
  await locks.close()
}

async function* measure(engine: string, pace: Pace, server: ChildServer, raw: RawBaselines): AsyncIterable<string> {
  yield `${engine}: one workspace, ${connections} kept connections.\n\n${await compareShow(pace, server)}`
  yield `${engine}: the same for a member of ${manyTeams} teams; 1 / 1.3 is the target.\n\n${await compareTeamCounts(pace, server)}`
  yield `${engine}: pages of 20.\n\n${await compareLists(pace, server)}`
  yield `${engine}: filters in ${sizes.large}, against the statement of the page alone.\n\n${await compareFilters(pace, server, raw.statements)}`
  yield `${engine}: ${lockerCount} callers.\n\n${await compareLocks(pace, server, raw.locks)}`
}

const templateOf = (server: ChildServer): string => (server.facts.templates as Record<string, string>).large ?? ''

async function compareShow(pace: Pace, server: ChildServer): Promise<string> {
  const path = workspacesPath('large', '/template')
  const bare = await startBareCopy(server, path, bearerHeaders(benchRootToken))
  try {
    const contenders = [
      readContender('bare node:http, same bytes', bare, path),
      readContender('by name', server, path, { target: 0.5 }),
      readContender('by id', server, `/api/v2/workspaces/${templateOf(server)}`, { target: 0.5 }),
    ]
    // On a busy machine code is compiled late; code that is compared with compiled C++ has to be compiled itself.
    for (const each of contenders) await each.run(4 * pace.warmupMs)
    return renderRates(await compareRates(contenders, pace))
  } finally {
    await bare.stop()
  }
}

async function compareTeamCounts(pace: Pace, server: ChildServer): Promise<string> {
  const within = { organization: 'large', workspaceId: templateOf(server) }
  const path = `/api/v2/workspaces/${within.workspaceId}`
  const few = await createMember(server, { ...within, teams: 1 })
  const many = await createMember(server, { ...within, teams: manyTeams })
  const contenders = [
    readContender('one team', server, path, { token: few }),
    readContender(`${manyTeams} teams`, server, path, { token: many, target: 0.77 }),
  ]
  return renderRates(await compareRates(contenders, pace))
}

async function compareLists(pace: Pace, server: ChildServer): Promise<string> {
  const half = { target: 0.5 }
  const contenders = [
    readContender('first page of 100', server, workspacesPath('small')),
    readContender('first page of 10,000', server, workspacesPath('middle'), half),
    readContender('first page of 100,000', server, workspacesPath('large'), half),
    readContender('page 2,500 of 100,000', server, workspacesPath('large', '?page[number]=2500'), half),
    readContender('first page of 100,000 by name', server, workspacesPath('large', '?sort=name'), half),
    readContender(
      'first page of 100,000, newest change',
      server,
      workspacesPath('large', '?sort=-latest-change-at'),
      half,
    ),
  ]
  return renderRates(await compareRates(contenders, pace))
}

async function compareFilters(pace: Pace, server: ChildServer, statements: Statements): Promise<string> {
  const organization = `(select id from organizations where name = 'large')`
  const statement = (name: string, where: string): Contender => {
    const query = statements.query(
      `select * from workspaces where organization_id = ${organization} and ${where} order by created_at, id limit 20`,
    )
    const run = async (ms: number): Promise<number> => {
      let count = 0
      for (const until = performance.now() + ms; performance.now() < until; count++) await query()
      return count
    }
    return { name, run }
  }
  const bound = (key: string, value: string): string =>
    `select workspace_id from tag_bindings where organization_id = ${organization} and key = '${key}' and value = '${value}'`
  const tagged = `id in (${bound('environment', 'e1')} intersect ${bound('owner', 'o5')})`
  const pairs = [
    ['two tag filters', tagged, twoTagsQuery],
    ['substring', `name_key like '%prod-99%'`, 'search[name]=prod-99'],
    ['substring without a match', `name_key like '%zzz%'`, 'search[name]=zzz'],
  ] as const
  const tables: string[] = []
  for (const [name, where, query] of pairs) {
    const own = readContender(name, server, workspacesPath('large', `?${query}`), { target: 0.5 })
    tables.push(renderRates(await compareRates([statement(`${name}, statement`, where), own], pace)))
  }
  return tables.join('\n\n')
}
