import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { sharedApp } from '../../../../../test/support/shared.ts'
import { explainStatements } from '../../../../../test/support/statements.ts'
import { splitPath } from '../../../../storage/one-level.ts'
import { listSecrets } from './kv-list-store.ts'

type PlanNode = { readonly [key: string]: unknown; readonly Plans?: readonly PlanNode[] }

const rowsOf = (node: PlanNode): number =>
  Number(node['Actual Rows']) * Number(node['Actual Loops']) +
  Number(node['Rows Removed by Filter'] ?? 0) +
  (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0)

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const words = ['a', 'a-b', 'a.', 'B', 'ä', 'z%', '😀', 'b c']
  const paths = words.flatMap((one, first) =>
    words.flatMap((two, second) => [
      ...(second % 3 === 0 ? [one] : []),
      `${one}/${two}`,
      ...(first % 2 === 0 ? [`${one}/${two}/${one}`, `x/${one}/${two}/deep/er`] : []),
    ]),
  )
  const all = [...new Set(paths)]

  const insert = async (mountId: string, stored: readonly string[]) => {
    for (let from = 0; from < stored.length; from += 500) {
      const rows = stored.slice(from, from + 500).map((path, index) => ({
        id: `${mountId}-${from + index}`,
        mount_id: mountId,
        ...splitPath(path),
        current_version: 1,
        oldest_version: 0,
        max_versions: 0,
        cas_required: 0,
        delete_version_after: 0,
        metadata_version: 0,
        metadata_cas_required: 0,
        created_at: 0,
        updated_at: 0,
      }))
      await app.deps.db.insertInto('kv_secrets').values(rows).execute()
    }
  }

  beforeAll(async () => {
    await insert('words', all)
    const wide = Array.from({ length: 10 }, (_, folder) =>
      Array.from({ length: 1_000 }, (_, name) => `f${folder}/${name % 7}/${name}`),
    )
    await insert('wide', wide.flat())
    await sql`analyze`.execute(app.deps.db)
  })

  /** The entries of a folder, found by looking at every path. */
  function entriesByHand(folder: string): string[] {
    const below = all.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length))
    const entries = below.map((rest) => (rest.includes('/') ? rest.slice(0, rest.indexOf('/') + 1) : rest))
    return [...new Set(entries)].sort((one, two) => Buffer.compare(Buffer.from(one), Buffer.from(two)))
  }

  test('a list has what looking at every path finds, in byte order, from any place on and in any pages', async () => {
    const db = app.deps.db
    for (const folder of ['', 'a/', 'ä/', 'x/', 'x/a/', '😀/', 'a/ä/', 'none/', 'B/']) {
      const expected = entriesByHand(folder)
      const list = (after: string, most: number) => listSecrets(db, { mountId: 'words', folder }, { after, most })
      expect(await list('', 1_000), folder).toEqual(expected)
      for (const after of ['', 'a', 'a/', 'a0', 'a-', 'a/b', 'b', 'ä', 'zz', '😀/', ...expected.slice(0, 4)]) {
        const later = expected.filter((entry) => Buffer.compare(Buffer.from(entry), Buffer.from(after)) > 0)
        for (const most of [1, 2, 5])
          expect(await list(after, most), `${folder} ${after}`).toEqual(later.slice(0, most))
      }
    }
  })

  test('a list of folders reads one row for each, however many secrets are in them', async () => {
    const work = (tx: Parameters<typeof listSecrets>[0]) =>
      listSecrets(tx, { mountId: 'wide', folder: '' }, { after: '', most: 1_000 })
    expect(await work(app.deps.db)).toHaveLength(10)
    const [statement, ...others] = await explainStatements(app.deps.db, work)
    expect(others).toEqual([])
    if (engine === 'sqlite') {
      const details = ((statement?.plan ?? []) as { detail: string }[]).map(({ detail }) => detail)
      expect(details.filter((detail) => /kv_secrets|rows/.test(detail) && /^SCAN/.test(detail))).toEqual([])
      expect(details.some((detail) => /kv_secrets_path|sqlite_autoindex_kv_secrets/.test(detail))).toBe(true)
    } else {
      const [row] = (statement?.plan ?? []) as { 'QUERY PLAN': [{ Plan: PlanNode }] }[]
      const root = row?.['QUERY PLAN'][0].Plan as PlanNode
      expect(nodesOf(root).filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
      expect(rowsOf(root)).toBeLessThan(200)
    }
  })
})
