import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ArchiveDeps, sweepSpool, verifyArchive } from '../../server/archive/index.ts'
import { tries } from '../support/fault-pace.ts'
import { ownFolder } from '../support/folders.ts'
import { type NodePlace, openNode } from './archive-node.ts'
import { type Doom, type Ended, runDoomed } from './doomed-process.ts'

const program = join(import.meta.dirname, 'snapshot-node.ts')
const rounds = tries(6, 3)

let folder: string
let place: NodePlace
let deps: ArchiveDeps
/** Names of snapshots that were found to be complete. */
let whole: Set<string>
const directory = () => join(folder, 'snapshots')

beforeEach(async () => {
  folder = ownFolder()
  place = { url: `sqlite:${join(folder, 'holdfast.db')}`, dataDir: folder }
  deps = await openNode(place)
  whole = new Set()
  for (let from = 0; from < 6_000; from += 2_000) {
    const names = Array.from({ length: 2_000 }, (_, index) => `policy-${from + index}`)
    await deps.store.db
      .insertInto('policies')
      .values(names.map((name) => ({ name, text: deps.ids.hex(100), updated_at: 1 })))
      .execute()
  }
})
afterEach(async () => {
  await deps.store.close()
})

/** One attempt in a separate process. */
function attempt(number: number, doom: Doom = {}): Promise<Ended> {
  const name = `f-${1_603_898_241_699_731_000n + BigInt(number)}.snap`
  return runDoomed(program, [JSON.stringify(place), directory(), name], doom)
}

/** Every file with a final name must be complete; returns how many there are. */
async function wholeSnapshots(): Promise<number> {
  const names = await readdir(directory()).catch(() => [])
  const final = names.filter((name) => !name.startsWith('.'))
  for (const name of final.filter((each) => !whole.has(each))) {
    expect(name).toMatch(/^f-\d{19}\.snap$/)
    const report = await verifyArchive(deps, createReadStream(join(directory(), name)))
    expect(report, name).toMatchObject({ ok: true, provenance: 'own-keys' })
    whole.add(name)
  }
  return final.length
}

test('kill -9 at any moment of a local snapshot: no final name has a partial file, and the next one is stored', async () => {
  const first = await attempt(0)
  expect(first.output).toContain('stored')
  let cutShort = 0
  for (let round = 0; round < rounds; round++) {
    const before = await wholeSnapshots()
    const { output } = await attempt(round + 1, { killAfter: (first.took * (round + 0.5)) / rounds })
    const isStored = output.includes('stored')
    if (!isStored) cutShort += 1
    const after = await wholeSnapshots()
    expect(after - before, `round ${round}: ${output}`).toBeGreaterThanOrEqual(isStored ? 1 : 0)
  }
  expect(cutShort).toBeGreaterThan(0)
  const before = await wholeSnapshots()
  expect((await attempt(99)).output).toContain('stored')
  expect(await wholeSnapshots()).toBe(before + 1)
  await sweepSpool(deps)
  expect(await readdir(join(folder, 'spool'))).toEqual([])
})

test('a full disk at any point of a local snapshot: it is reported, and nothing is left in the directory', async () => {
  // The first snapshot of an installation also writes to the database.
  expect((await attempt(0)).output).toContain('stored')
  let failures = 0
  for (const fileKiB of [1, 16, 128, 400, 1024, 65_536]) {
    const before = await wholeSnapshots()
    const { output } = await attempt(fileKiB, { fileKiB })
    const isStored = output.includes('stored')
    if (!isStored) {
      failures += 1
      expect(output, `${fileKiB} KiB`).toContain('insufficient space')
    }
    expect(await wholeSnapshots()).toBe(before + (isStored ? 1 : 0))
    const left = await readdir(directory()).catch(() => [])
    expect(left.filter((name) => name.startsWith('.'))).toEqual([])
  }
  expect(failures).toBeGreaterThan(2)
  expect(await wholeSnapshots()).toBeGreaterThan(0)
})
