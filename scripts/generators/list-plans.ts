import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, KyselyPlugin } from 'kysely'
import { instant, systemClock } from '../../server/kernel/clock.ts'
import { silentLog } from '../../server/kernel/log.ts'
import { countListed, listIds, listWorkspaces } from '../../server/product/workspaces/workspaces/listing/list-store.ts'
import {
  everyWorkspace,
  type ListOrder,
  type WorkspaceFilter,
} from '../../server/product/workspaces/workspaces/listing/workspace-list.ts'
import { migrate } from '../../server/storage/migrate.ts'
import { type Db, openStore } from '../../server/storage/open.ts'
import type { Generated } from './generator.ts'

const afterRow = { name: 'm', latestChangeAt: 1, createdAt: 1, id: 'ws-1' }
const byName: ListOrder = { by: 'name', descending: false }
const byChange: ListOrder = { by: 'latest-change', descending: true }
const byCreation: ListOrder = { by: 'created', descending: false }
const someVisible = { kind: 'some', projectIds: ['prj-1'], workspaceIds: ['ws-1'] } as const

type Sample = {
  readonly title: string
  readonly filter?: Partial<WorkspaceFilter>
  readonly order?: ListOrder
  readonly visible?: typeof someVisible
  readonly after?: typeof afterRow
  readonly inheritable?: readonly { readonly key: string; readonly value: string }[]
}

/** Lists as clients ask for them. The plain page in order of creation is in `sqlite.sql`: it is a hot query. */
const samples: readonly Sample[] = [
  { title: 'sorted by name, a page further on', order: byName, after: afterRow },
  { title: 'sorted by the latest change', order: byChange },
  { title: 'of one project', filter: { projectId: 'prj-1' } },
  { title: 'for those who see some workspaces only', visible: someVisible },
  { title: 'part of a name', filter: { nameContains: 'net' } },
  {
    title: 'two tag bindings',
    filter: {
      tagged: [
        { key: 'a', value: '1' },
        { key: 'b', value: '2' },
      ],
    },
  },
  {
    title: 'a tag binding that projects have, too',
    filter: { tagged: [{ key: 'a', value: '1' }] },
    inheritable: [{ key: 'a', value: '1' }],
  },
  {
    title: 'a value of tag bindings that projects have, too',
    filter: { tagged: [{ key: undefined, value: '1' }] },
    inheritable: [{ key: 'a', value: '1' }],
  },
  { title: 'a flat tag', filter: { tags: ['net'] } },
  { title: 'without a flat tag', filter: { excludeTags: ['net'] } },
  { title: 'locked', filter: { locked: true } },
  { title: 'not locked', filter: { locked: false } },
  { title: 'a tool version', filter: { toolVersion: '1.9.4' } },
  { title: 'changed since a time', filter: { updatedSince: instant(1) } },
]

type Capture = { readonly db: Db; readonly queries: CompiledQuery[] }

/**
 * A database handle that records what it runs; parts of queries are built like queries, but only those with a result
 * ran.
 */
function createCapture(db: Db): Capture {
  const built = new Map<string, CompiledQuery>()
  const queries: CompiledQuery[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      built.set(queryId.queryId, db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result, queryId }) => {
      const ran = built.get(queryId.queryId)
      if (ran) queries.push(ran)
      return result
    },
  }
  return { db: db.withPlugin(plugin), queries }
}

async function queriesOf(db: Db, sample: Sample): Promise<CompiledQuery[]> {
  const captured = createCapture(db)
  const organizationId = 'org-1'
  const scope = { organizationId, visible: sample.visible ?? ({ kind: 'all' } as const), teamIds: ['team-1'] }
  const filter = { ...everyWorkspace, ...sample.filter }
  const wish = {
    scope,
    filter,
    tagged: { organizationId, inheritable: sample.inheritable ?? [] },
    now: instant(1),
    order: sample.order ?? byCreation,
  }
  const start = { offset: 0, shifted: false, ...(sample.after ? { after: sample.after } : {}) }
  await listWorkspaces(captured.db, { ...wish, start, limit: 21 })
  const plain = sample.filter === undefined && sample.visible === undefined
  if (!plain && wish.order.by === 'created') await listIds(captured.db, wish, 5_000)
  if (!plain && filter.projectId === undefined) await countListed(captured.db, wish)
  return captured.queries
}

type Step = { readonly id: number; readonly parent: number; readonly detail: string }

function planOf(database: DatabaseSync, query: CompiledQuery): string {
  const steps = database.prepare(`explain query plan ${query.sql}`).all(...(query.parameters as string[])) as Step[]
  const depths = new Map<number, number>([[0, -1]])
  const lines = steps.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1
    depths.set(id, depth)
    return `${'  '.repeat(depth)}${detail}`
  })
  return `\`\`\`sql\n${query.sql}\n\`\`\`\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`
}

const head = `# Queries of the list of workspaces

Made from the code by \`npm run gen\`: the statements that SQLite runs for a page, for the ids of a filtered list and for
its total, each with its plan. A changed query or plan shows up here, so that a reviewer sees it. Totals of lists without
a filter are read from counters; those of filtered lists are counted again whenever workspaces have changed.
`

/** The queries of the list of workspaces with their plans. */
export async function generateListPlans(): Promise<Generated> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-plans-'))
  const file = join(folder, 'plans.db')
  const store = await openStore({ url: `sqlite:${file}`, log: silentLog, clock: systemClock, durability: 'off' })
  try {
    await migrate(store)
    const database = new DatabaseSync(file, { readOnly: true })
    const parts: string[] = [head]
    for (const sample of samples) {
      const plans = (await queriesOf(store.db, sample)).map((query) => planOf(database, query))
      parts.push(`## ${sample.title}\n\n${plans.join('\n')}`)
    }
    database.close()
    return { 'docs/sql/workspace-lists.md': parts.join('\n') }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
