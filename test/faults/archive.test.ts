import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type ArchiveDeps, sweepScratch, sweepSpool, verifyArchive } from '../../server/archive/index.ts'
import { type Engine, eachEngine, emptyDatabase } from '../support/databases.ts'
import { isQuick, tries } from '../support/fault-pace.ts'
import { ownFolder } from '../support/folders.ts'
import { type NodePlace, openNode, saveTo } from './archive-node.ts'
import { type Doom, type Ended, runDoomed } from './doomed-process.ts'

const program = join(import.meta.dirname, 'archive-node.ts')
const rowsEach = 20_000
const rounds = tries(8, 4)

type Node = { place: NodePlace; deps: ArchiveDeps; folder: string }

async function makeNode(engine: Engine): Promise<Node> {
  const folder = ownFolder()
  const database = await emptyDatabase(engine, { durability: 'full' })
  const { url, schema } = database.options
  const place = { url, dataDir: folder, ...(schema ? { schema } : {}) }
  const deps = await openNode(place)
  onTestFinished(async () => {
    await deps.store.close()
    await database.remove()
  })
  return { place, deps, folder }
}

/** Fills two tables with rows of one generation, and nothing else. */
async function fill({ store }: ArchiveDeps, label: string): Promise<void> {
  await store.db.deleteFrom('policies').execute()
  await store.db.deleteFrom('token_roles').execute()
  for (let from = 0; from < rowsEach; from += 2_000) {
    const names = Array.from({ length: 2_000 }, (_, index) => `${label}-${from + index}`)
    await store.db
      .insertInto('policies')
      .values(names.map((name) => ({ name, text: name, updated_at: 1 })))
      .execute()
    await store.db
      .insertInto('token_roles')
      .values(names.map((name) => ({ name, terms: name, updated_at: 1 })))
      .execute()
  }
}

/** The generations of the rows in both tables; more than one means that a restore was torn. */
async function generations({ store }: ArchiveDeps): Promise<string[]> {
  const policies = await store.db.selectFrom('policies').select('name').execute()
  const roles = await store.db.selectFrom('token_roles').select('name').execute()
  expect([policies.length, roles.length]).toEqual([rowsEach, rowsEach])
  return [...new Set([...policies, ...roles].map(({ name }) => name.split('-')[0] ?? ''))]
}

/** Saves or restores in a separate process. */
const work = (place: NodePlace, verb: string, file: string, doom: Doom = {}): Promise<Ended> =>
  runDoomed(program, [JSON.stringify(place), verb, file], doom)

eachEngine((engine) => {
  test('kill -9 during a restore leaves all of the old data or all of the new, and leftovers are swept', async () => {
    const { place, deps, folder } = await makeNode(engine)
    const [one, two] = [join(folder, 'one.snap'), join(folder, 'two.snap')]
    await fill(deps, 'one')
    await saveTo(deps, one)
    await fill(deps, 'two')
    await saveTo(deps, two)
    const whole = await work(place, 'restore', one)
    expect(whole.output).toContain('done')
    for (let round = 0; round < rounds; round++) {
      const [current] = await generations(deps)
      const killAfter = (whole.took * (round + 0.5)) / rounds
      await work(place, 'restore', current === 'one' ? two : one, { killAfter })
      expect(await generations(deps), `round ${round}`).toHaveLength(1)
    }
    expect((await readdir(join(folder, 'spool'))).length).toBeGreaterThan(0)
    await sweepSpool(deps)
    expect(await readdir(join(folder, 'spool'))).toEqual([])
    const removed = await sweepScratch(deps)
    if (engine === 'postgres') expect(removed).toBeGreaterThan(0)
    expect(await sweepScratch(deps)).toBe(0)
    expect((await work(place, 'restore', one)).output).toContain('done')
    expect(await generations(deps)).toEqual(['one'])
  })
})

/** Every step of the moment in which a file takes the place of another, and what is there afterwards. */
const swapCalls = [
  ['fsyncSync:1:before', 'two'],
  ['fsyncSync:1:after', 'two'],
  ['fsyncSync:2:after', 'two'],
  ['renameSync:1:before', 'two'],
  ['renameSync:1:after', 'one'],
  ['fsyncSync:3:after', 'one'],
] as const

test('kill -9 while a restored file takes the place of that of a store leaves one of both, whole', async () => {
  const { place, deps, folder } = await makeNode('sqlite')
  const [one, two] = [join(folder, 'one.snap'), join(folder, 'two.snap')]
  for (const [label, file] of [
    ['one', one],
    ['two', two],
  ] as const) {
    await fill(deps, label)
    await saveTo(deps, file)
  }
  // With two processes at it, the file would stay.
  await deps.store.close()
  const file = place.url.slice('sqlite:'.length)
  const look = async (work: (node: ArchiveDeps) => Promise<void>): Promise<void> => {
    const node = await openNode(place)
    await work(node)
    await node.store.close()
  }
  for (const [killAt, left] of swapCalls) {
    const before = await stat(file)
    const { output } = await work(place, 'restore', one, { killAt })
    expect(output, killAt).not.toContain('done')
    expect((await stat(file)).ino === before.ino, killAt).toBe(left === 'two')
    await look(async (node) => {
      expect(await generations(node), killAt).toEqual([left])
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(node.store.db)
      expect(rows, killAt).toEqual([{ integrity_check: 'ok' }])
      await node.store.db.updateTable('policies').set({ updated_at: 2 }).where('name', '=', `${left}-1`).execute()
    })
    if (left === 'one') expect((await work(place, 'restore', two)).output, killAt).toContain('done')
  }
  for (let round = 0; round < rounds; round++) {
    await work(place, 'restore', round % 2 === 0 ? one : two, { killAfter: 1_000 + 100 * round })
    await look(async (node) => expect(await generations(node), `round ${round}`).toHaveLength(1))
  }
})

eachEngine((engine) => {
  test.skipIf(isQuick)('memory: saving and restoring 300 MB needs less than 0.8 times that much', async () => {
    const { place, deps, folder } = await makeNode(engine)
    const small = join(folder, 'small.snap')
    const large = join(folder, 'large.snap')
    const memoryFor = async (verb: string, file: string): Promise<number> =>
      Number(/at most (\d+) bytes/.exec((await work(place, verb, file)).output)?.[1])
    const usual = [await memoryFor('save', small), await memoryFor('restore', small)]
    const blob = { upload: 'u', scope: 's', id: 'i', size: 0, chunks: 0, created_at: 1 }
    await deps.store.db.insertInto('blobs').values(blob).execute()
    for (let seq = 0; seq < 1_200; seq++) {
      const bytes = deps.ids.bytes(256 * 1024)
      await deps.store.db.insertInto('blob_chunks').values({ upload: 'u', seq, bytes }).execute()
    }
    const more = [await memoryFor('save', large), await memoryFor('restore', large)]
    const { size } = await stat(large)
    expect(size).toBeGreaterThan(300_000_000)
    for (const [index, memory] of more.entries()) expect(memory - (usual[index] ?? 0)).toBeLessThan(0.8 * size)
  })
})

test('a full disk at any point of a save or a restore changes nothing and is reported', async () => {
  const { place, deps, folder } = await makeNode('sqlite')
  const [file, other] = [join(folder, 'old.snap'), join(folder, 'new.snap')]
  await fill(deps, 'old')
  await saveTo(deps, file)
  await fill(deps, 'new')
  await saveTo(deps, other)
  let failures = 0
  expect((await work(place, 'save', join(folder, 'none.snap'), { fileKiB: 16 })).output).toContain('insufficient space')
  for (const fileKiB of [16, 64, 256, 512, 1024, 2048, 4096, 8192]) {
    const saved = await work(place, 'save', join(folder, `limited-${fileKiB}.snap`), { fileKiB })
    const { output } = await work(place, 'restore', file, { fileKiB })
    if (saved.output.includes('done')) {
      const report = await verifyArchive(deps, createReadStream(join(folder, `limited-${fileKiB}.snap`)))
      expect(report).toMatchObject({ ok: true })
    }
    if (!output.includes('done')) failures += 1
    expect(await generations(deps), `${fileKiB} KiB: ${output}`).toEqual([output.includes('done') ? 'old' : 'new'])
    if (output.includes('done')) expect((await work(place, 'restore', other)).output).toContain('done')
  }
  expect(failures).toBeGreaterThan(2)
  await sweepSpool(deps)
  expect(await readdir(join(folder, 'spool'))).toEqual([])
})
