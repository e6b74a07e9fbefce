import { execFileSync } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { eachEngine } from '../../test/support/databases.ts'
import { ownFolder } from '../../test/support/folders.ts'
import { ownApp } from '../../test/support/shared.ts'
import { failure } from '../kernel/failure.ts'
import { inspectArchive, openArchive, takeArchive, verifyArchive } from './index.ts'

eachEngine((engine) => {
  const app = async () => {
    const made = await ownApp({ engine })
    await made.deps.db
      .insertInto('policies')
      .values([
        { name: 'ascii', text: 'path "a" {}', updated_at: 1 },
        { name: 'ünïcode-名前', text: '😀'.repeat(400_000), updated_at: 2 ** 52 },
        { name: 'empty', text: '', updated_at: -1 },
      ])
      .execute()
    return made
  }

  test('an archive holds every table once, without jobs and versions, and opens with tar and sha256sum', async () => {
    const { deps } = await app()
    const archive = await takeArchive(deps)
    const bytes = await buffer(archive.open())
    expect(bytes.length).toBe(archive.summary.size)
    expect((await buffer(archive.open())).equals(bytes)).toBe(true)
    expect(archive.summary.tables.policies?.rows).toBeGreaterThanOrEqual(3)
    expect(archive.summary.tables).not.toHaveProperty('jobs')
    expect(archive.summary.tables).not.toHaveProperty('versions')
    await archive.remove()
    const folder = ownFolder()
    await writeFile(join(folder, 'a.snap'), bytes)
    const list = execFileSync('tar', ['-xvzf', 'a.snap'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
    expect(list.trim().split('\n')).toEqual(['meta.json', 'state.bin', 'SHA256SUMS', 'SHA256SUMS.sealed'])
    execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder })
  })

  test('a snapshot restores into a scratch database with the same rows, and leaves no file behind', async () => {
    const { deps } = await app()
    const { stream, summary } = await openArchive(deps)
    const pieces: Buffer[] = []
    for await (const piece of stream) pieces.push(Buffer.from(piece))
    const bytes = Buffer.concat(pieces)
    const report = await verifyArchive(deps, Readable.from([bytes]))
    expect(report).toMatchObject({ ok: true, problem: '', provenance: 'own-keys', size: summary.size })
    expect(report.tables).toEqual(summary.tables)
    expect(report.rows).toBe(summary.rows)
    const { facts } = await inspectArchive(deps, Readable.from([bytes]))
    expect(facts).toMatchObject({ engine, clusterId: summary.clusterId, tables: summary.tables })
    await expect.poll(() => readdir(join(deps.settings.dataDir, 'spool'))).toEqual([])
  })

  test('a client that disconnects during an upload fails with client.gone and leaves no spool file', async () => {
    const { deps } = await app()
    const gone = new AbortController()
    const sending = async function* () {
      yield Buffer.alloc(100)
      gone.abort(failure('unavailable', 'client.gone', 'The client went away.'))
      yield Buffer.alloc(100)
    }
    const inspection = inspectArchive(deps, sending(), { signal: gone.signal })
    await expect(inspection).rejects.toMatchObject({ code: 'client.gone' })
    expect(await readdir(join(deps.settings.dataDir, 'spool'))).toEqual([])
  })

  test('two snapshots without a change between them have the same digests', async () => {
    const { deps } = await app()
    const [first, second] = [await takeArchive(deps), await takeArchive(deps)]
    expect(second.summary.tables).toEqual(first.summary.tables)
    await Promise.all([first.remove(), second.remove()])
  })
})
