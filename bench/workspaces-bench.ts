import { DatabaseSync } from 'node:sqlite'
import { startBareCopy } from './harness/bare-copy.ts'
import type { Bench } from './harness/bench.ts'
import { type ChildServer, startChildServer } from './harness/child-server.ts'
import { type Contender, compareRates, type Pace } from './harness/compare-rates.ts'
import { openClient, requestBytes } from './harness/raw-load.ts'
import { renderRates } from './harness/table.ts'
import { benchRootToken } from './servers/holdfast.ts'

const connections = 32
const sizes = { small: 100, middle: 10_000, large: 100_000 } as const
const headers = { authorization: `Bearer ${benchRootToken}` }
const listOf = (name: string, query = ''): string => `/api/v2/organizations/${name}/workspaces${query}`
const twoTags =
  'filter[tagged][0][key]=environment&filter[tagged][0][value]=e1&filter[tagged][1][key]=owner&filter[tagged][1][value]=o5'

/** Workspaces in organizations of 100, 10,000 and 100,000. */
export const bench: Bench = {
  about: 'reads and lists of workspaces in organizations of 100, 10,000 and 100,000',
  run: async (pace) => {
    const server = await startChildServer(new URL('./servers/workspaces.ts', import.meta.url), { organizations: sizes })
    try {
      return [
        `One workspace, ${connections} kept connections.\n\n${await show(pace, server)}`,
        `Pages of 20.\n\n${await lists(pace, server)}`,
        `Filters in ${sizes.large}, against the prepared statement of the page alone.\n\n${await filters(pace, server)}`,
      ]
    } finally {
      await server.stop()
    }
  },
}

/** Connects anew for each turn: the server closes connections that are idle while others have theirs. */
function contender(name: string, server: ChildServer, path: string, target?: number): Contender {
  const requests = [requestBytes('GET', path.replaceAll('[', '%5B').replaceAll(']', '%5D'), headers)]
  const run = async (ms: number): Promise<number> => {
    const client = await openClient({ port: server.facts.port, requests, connections })
    const count = await client.run(ms)
    client.close()
    return count
  }
  return { name, target, run, cpu: server.cpu }
}

async function show(pace: Pace, server: ChildServer): Promise<string> {
  const path = listOf('large', '/template')
  const bare = await startBareCopy(server, path, headers)
  try {
    const contenders = [
      contender('bare node:http, the same bytes', bare, path),
      contender('by name', server, path, 0.5),
      contender('by id', server, `/api/v2/workspaces/${(server.facts.templates as Record<string, string>).large}`, 0.5),
    ]
    return renderRates(await compareRates(contenders, pace))
  } finally {
    await bare.stop()
  }
}

async function lists(pace: Pace, server: ChildServer): Promise<string> {
  const contenders = [
    contender('first page of 100', server, listOf('small')),
    contender('first page of 10,000', server, listOf('middle'), 0.5),
    contender('first page of 100,000', server, listOf('large'), 0.5),
    contender('page 2,500 of 100,000', server, listOf('large', '?page[number]=2500'), 0.5),
    contender('first page of 100,000 by name', server, listOf('large', '?sort=name'), 0.5),
    contender('first page of 100,000, newest change', server, listOf('large', '?sort=-latest-change-at'), 0.5),
  ]
  return renderRates(await compareRates(contenders, pace))
}

async function filters(pace: Pace, server: ChildServer): Promise<string> {
  const database = new DatabaseSync(String(server.facts.url).replace(/^sqlite:/, ''), { readOnly: true })
  const organization = `(select id from organizations where name = 'large')`
  const statement = (name: string, where: string): Contender => {
    const prepared = database.prepare(
      `select * from workspaces where organization_id = ${organization} and ${where} order by created_at, id limit 20`,
    )
    const run = async (ms: number): Promise<number> => {
      let count = 0
      for (const until = performance.now() + ms; performance.now() < until; count++) prepared.all()
      return count
    }
    return { name, run }
  }
  const bound = (key: string, value: string): string =>
    `select workspace_id from tag_bindings where organization_id = ${organization} and key = '${key}' and value = '${value}'`
  const tagged = `id in (${bound('environment', 'e1')} intersect ${bound('owner', 'o5')})`
  const pairs = [
    [
      statement('two tag filters, statement', tagged),
      contender('two tag filters', server, listOf('large', `?${twoTags}`), 0.5),
    ],
    [
      statement('substring, statement', `name_key like '%prod-99%'`),
      contender('substring', server, listOf('large', '?search[name]=prod-99'), 0.5),
    ],
    [
      statement('substring nobody has, statement', `name_key like '%zzz%'`),
      contender('substring nobody has', server, listOf('large', '?search[name]=zzz'), 0.5),
    ],
  ] as const
  const tables: string[] = []
  for (const pair of pairs) tables.push(renderRates(await compareRates(pair, pace)))
  database.close()
  return tables.join('\n\n')
}
