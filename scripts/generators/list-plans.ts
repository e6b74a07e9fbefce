import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery } from 'kysely'
import { instant, systemClock } from '../../server/kernel/clock.ts'
import { silentLog } from '../../server/kernel/log.ts'
import { conditionsOf } from '../../server/product/workspaces/workspaces/listing/condition-store.ts'
import { countMeeting, listWorkspaces } from '../../server/product/workspaces/workspaces/listing/list-store.ts'
import {
  everyWorkspace,
  type ListOrder,
  type WorkspaceFilter,
} from '../../server/product/workspaces/workspaces/listing/workspace-list.ts'
import { engineOf } from '../../server/storage/engine.ts'
import { migrate } from '../../server/storage/migrate.ts'
import { type Db, openStore } from '../../server/storage/open.ts'
import type { Generated } from './generator.ts'

const afterRow = { name: 'm', latest_change_at: 1, created_at: 1, id: 'ws-1' }
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
    filter: { tagged: [{ key: 'inherited', value: '1' }] },
  },
  {
    title: 'a value of tag bindings that projects have, too',
    filter: { tagged: [{ key: undefined, value: '1' }] },
  },
  { title: 'a flat tag', filter: { tags: ['net'] } },
  { title: 'without a flat tag', filter: { excludeTags: ['net'] } },
  { title: 'locked', filter: { locked: true } },
  { title: 'not locked', filter: { locked: false } },
  { title: 'a tool version', filter: { toolVersion: '1.9.4' } },
  { title: 'changed since a time', filter: { updatedSince: instant(1) } },
]

/** Lists look up what is known by a name first. */
const tagWords = `
  insert into tags (id, organization_id, name, created_at) values ('tag-1', 'org-1', 'net', 1);
  insert into tag_bindings (id, organization_id, project_id, key, value, position, created_at)
    values ('tb-1', 'org-1', 'prj-1', 'inherited', '1', 1, 1)`

/** Notes what a database is asked from now on. */
function captureQueries(db: Db): CompiledQuery[] {
  const engine = engineOf(db)
  const execute = engine.execute.bind(engine)
  const queries: CompiledQuery[] = []
  engine.execute = (query, isHot) => {
    queries.push(query)
    return execute(query, isHot)
  }
  return queries
}

async function askFor(db: Db, sample: Sample): Promise<void> {
  const organizationId = 'org-1'
  const visible = sample.visible ?? ({ kind: 'all' } as const)
  const scope = { organizationId, visible, teamIds: ['team-1'], key: 'seen' }
  const context = { db, scope, size: 1_000_000, now: instant(1) }
  const conditions = await conditionsOf(context, { ...everyWorkspace, ...sample.filter })
  const list = { organizationId, conditions }
  const range = {
    order: sample.order ?? byCreation,
    offset: 0,
    limit: 21,
    ...(sample.after ? { after: sample.after } : {}),
  }
  await listWorkspaces(db, list, range, { walk: Number.POSITIVE_INFINITY, collect: undefined })
  const [first] = conditions.all
  if (!first) return
  await listWorkspaces(db, list, range, { walk: 0, collect: 0 })
  await countMeeting(db, first)
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

Made from the code by \`npm run gen\`: the statements that SQLite runs for a page, each with its plan. There are two ways
to the page of a filtered list: workspaces are looked at in order, or what an index has for a filter is collected and
sorted. The last statement counts what the filter finds. A changed query or plan shows up here, so that a reviewer sees
it. Totals of lists without a filter are read from counters.
`

/** The queries of the list of workspaces with their plans. */
export async function generateListPlans(): Promise<Generated> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-plans-'))
  const file = join(folder, 'plans.db')
  const store = await openStore({ url: `sqlite:${file}`, log: silentLog, clock: systemClock, durability: 'off' })
  try {
    await migrate(store)
    const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
    database.exec(tagWords)
    const queries = captureQueries(store.db)
    const parts: string[] = [head]
    for (const sample of samples) {
      await askFor(store.db, sample)
      const plans = queries.splice(0).map((query) => planOf(database, query))
      parts.push(`## ${sample.title}\n\n${plans.join('\n')}`)
    }
    database.close()
    return { 'docs/sql/workspace-lists.md': parts.join('\n') }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
