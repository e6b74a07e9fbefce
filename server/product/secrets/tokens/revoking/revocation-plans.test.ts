import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { sharedApp } from '../../../../../test/support/shared.ts'
import { type ExplainedStatement, explainStatements } from '../../../../../test/support/statements.ts'
import { later } from '../../../../kernel/clock.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { blankToken } from '../issuing/new-token-actions.ts'
import { listFolders, listTokensAt } from '../leases/token-lease-store.ts'
import type { Token } from '../records/token.ts'
import { listAccessors } from '../records/token-list-store.ts'
import { toRow } from '../records/token-store.ts'
import {
  countLiving,
  findByLogin,
  findByPath,
  findDead,
  findExpired,
  findGoneParents,
  findSmallFamily,
  markChildrenDead,
  newestByPath,
  orphanChildren,
  removeWithNewChildren,
} from './revocation-store.ts'

const most = 50

/** A step of a plan of SQLite. */
type Step = { readonly id: number; readonly parent: number; readonly detail: string }

/** A scan of tokens, other than of those that are dead and wait to be removed; what else is scanned is short. */
const scan = /^SCAN (?!seen$|gone$|mounts$|line$|CONSTANT ROW|tokens USING (COVERING )?INDEX tokens_dead)/

/** Scans that a plan of SQLite begins anew for each row of something else; an automatic index is a scan as well. */
function repeatedScans({ plan }: ExplainedStatement): string[] {
  const steps = plan as readonly Step[]
  const isRepeated = (step: Step): boolean => {
    const parent = steps.find(({ id }) => id === step.parent)
    return parent !== undefined && (/^(RECURSIVE STEP|CORRELATED)/.test(parent.detail) || isRepeated(parent))
  }
  const isInner = ({ id, parent }: Step): boolean =>
    steps.some((other) => other.parent === parent && other.id < id && /^(SCAN|SEARCH) /.test(other.detail))
  return steps
    .filter((step) => isRepeated(step) || isInner(step))
    .map(({ detail }) => detail)
    .filter((detail) => scan.test(detail) || /^SEARCH (?!dead).* AUTOMATIC /.test(detail))
}

/** A node of a plan of PostgreSQL, with what it did. */
type Node = { readonly [key: string]: unknown; readonly Plans?: readonly Node[] }

/** How many rows the nodes of a plan have handled in all. */
function rowsOf(node: Node): number {
  const removed = Object.entries(node).filter(([key]) => key.startsWith('Rows Removed'))
  const each = removed.reduce((sum, [, rows]) => sum + Number(rows), Number(node['Actual Rows']))
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0)
  return each * Number(node['Actual Loops']) + below
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const rootOf = ({ plan: [row] }: ExplainedStatement): Node =>
  (row as { 'QUERY PLAN': readonly { readonly Plan: Node }[] })['QUERY PLAN'][0]?.Plan ?? {}

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const now = () => app.clock.now()
  let stored = 0

  const store = async (count: number, facts: (index: number) => Partial<Token>) => {
    const rows = Array.from({ length: count }, (_, index) => {
      const token = blankToken(app.deps, `plan-${stored + index}`)
      return toRow({ ...token, path: 'auth/one/login', expiresAt: later(now(), 3_600_000), ...facts(index) })
    })
    stored += count
    await inTransaction(app.deps.db, (tx) => tx.insertInto('tokens').values(rows).execute())
  }

  beforeAll(async () => {
    for (let round = 0; round < 10; round++) await store(300, () => ({}))
    await store(400, (index) => ({ path: 'auth/many/login', id: `many-${index}`, mountId: 'old' }))
    await store(300, (index) => ({ id: `dead-${index}`, revoked: true }))
    await store(300, (index) => ({ id: `child-${index}`, parentId: `dead-${index}`, orphan: false }))
    await store(300, (index) => ({ id: `grandchild-${index}`, parentId: `child-${index}`, orphan: false }))
    await store(300, () => ({ expiresAt: later(now(), -1) }))
    await store(400, () => ({ parentId: 'dead-7', orphan: false }))
    // What was declared dead before, and must not be passed by again.
    const past = { path: 'auth/many/login', mountId: 'old', parentId: 'dead-7', orphan: false, revoked: true }
    await store(600, () => ({ ...past, expiresAt: later(now(), -60_000), createdAt: later(now(), -60_000) }))
    if (engine === 'postgres') await sql`analyze tokens`.execute(app.deps.db)
  })

  const dead = Array.from({ length: most }, (_, index) => `dead-${index}`)

  const page = { after: 'W', most }

  /** What is about all tokens. */
  const whole: readonly [string, (tx: Tx) => Promise<unknown>][] = [
    ['countLiving', (tx) => countLiving(tx, now())],
    ['listFolders', (tx) => listFolders(tx, { folder: '', now: now() })],
  ]

  /** What is about one family. */
  const families: readonly [string, (tx: Tx) => Promise<unknown>][] = [
    ['findSmallFamily', (tx) => findSmallFamily(tx, 'dead-8', most)],
    ['findSmallFamily of many', (tx) => findSmallFamily(tx, 'dead-7', most)],
    ['removeWithNewChildren', (tx) => removeWithNewChildren(tx, ['dead-8', 'dead-9'])],
  ]

  /** What does a batch, and is asked again and again. */
  const batches: readonly [string, (tx: Tx) => Promise<unknown>][] = [
    ['findExpired', (tx) => findExpired(tx, now(), most)],
    ['findByPath', (tx) => findByPath(tx, { path: 'auth/many', until: now() }, most)],
    ['findByLogin', (tx) => findByLogin(tx, { path: 'auth/many/login', loginId: 'old' }, most / 5)],
    ['findGoneParents', (tx) => findGoneParents(tx, { after: 'dead-5', most })],
    ['listAccessors', (tx) => listAccessors(tx, now(), page)],
    ['listTokensAt', (tx) => listTokensAt(tx, { path: 'auth/one/login', now: now() }, page)],
    ['newestByPath', (tx) => newestByPath(tx, 'auth')],
    ['findDead', (tx) => findDead(tx, most)],
    ['markChildrenDead', (tx) => markChildrenDead(tx, dead, most)],
    ['orphanChildren', (tx) => orphanChildren(tx, 'dead-7', most)],
  ]

  describe.runIf(engine === 'sqlite')('plans', () => {
    test.each([...whole, ...families, ...batches])(
      '%s begins no scan anew for each token that ended',
      async (_, work) => {
        const statements = await explainStatements(app.deps.db, work)
        expect(statements.length).toBeGreaterThan(0)
        for (const each of statements) expect(repeatedScans(each), each.sql).toEqual([])
      },
    )

    test.each([...families, ...batches])('%s finds its rows by an index, and sorts none', async (_, work) => {
      const statements = await explainStatements(app.deps.db, work)
      for (const { sql: text, plan } of statements) {
        const details = (plan as Step[]).map(({ detail }) => detail)
        expect(
          details.filter((detail) => scan.test(detail) || /TEMP B-TREE FOR ORDER BY/.test(detail)),
          text,
        ).toEqual([])
      }
    })

    test('a batch looks for its tokens in an index that leaves out those that are declared dead', async () => {
      const unmarked = ['findExpired', 'findByPath', 'findByLogin', 'markChildrenDead']
      for (const [, work] of batches.filter(([name]) => unmarked.includes(name))) {
        for (const { sql: text, plan } of await explainStatements(app.deps.db, work)) {
          const found = (plan as Step[]).map(({ detail }) => /^SEARCH tokens USING INDEX (\w+)/.exec(detail)?.[1])
          const name = found.find((index) => index !== undefined) ?? ''
          const master = sql<{ sql: string }>`select sql from sqlite_master where name = ${name}`
          expect((await master.execute(app.deps.db)).rows[0]?.sql, text).toContain('revoked')
        }
      }
    })
  })

  describe.runIf(engine === 'postgres')('plans', () => {
    test.each([...whole, ...families])(
      '%s handles each token a few times only, however many have ended',
      async (_, work) => {
        const statements = await explainStatements(app.deps.db, work)
        expect(statements.length).toBeGreaterThan(0)
        for (const each of statements) expect(rowsOf(rootOf(each)), each.sql).toBeLessThan(20 * stored)
      },
    )

    test.each(batches)('%s looks for the next ones in an index, and reads no others', async (_, work) => {
      const statements = await explainStatements(app.deps.db, work)
      const looks = statements.flatMap((each) => nodesOf(rootOf(each))).filter((node) => node['Node Type'] === 'Limit')
      expect(looks.length).toBeGreaterThan(0)
      for (const look of looks) {
        expect(rowsOf(look), JSON.stringify(look)).toBeLessThan(6 * most)
        const slow = nodesOf(look).filter(
          (node) =>
            node['Node Type'] === 'Sort' ||
            (node['Node Type'] === 'Seq Scan' && node.Alias !== 'gone' && node.Alias !== 'mounts'),
        )
        expect(slow, JSON.stringify(look)).toEqual([])
      }
    })
  })
})
