import { request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe } from '../../../../../test/support/platform.ts'
import { recordingLog } from '../../../../../test/support/recording-log.ts'
import { type StateBench, stateBench, stateOf } from '../../../../../test/support/states.ts'
import { inTransaction } from '../../../../storage/transaction.ts'

eachEngine((engine) => {
  const log = recordingLog()
  let bench: StateBench

  beforeAll(async () => {
    bench = await stateBench(engine, { log: log.log })
  })
  afterAll(() => bench.app.close())

  /** Sends the first half of a file, awaits `before`, and closes the connection. */
  const breakOff = async (url: string, content: Buffer, before: () => Promise<void>): Promise<void> => {
    const target = new URL(new URL(url).pathname, bench.app.url)
    const headers = { 'content-length': String(content.length), 'content-type': 'application/octet-stream' }
    const outgoing = request(target, { method: 'PUT', headers })
    outgoing.on('error', () => undefined)
    await new Promise((sent) => outgoing.write(content.subarray(0, content.length / 2), sent))
    await before()
    const closed = new Promise((resolve) => outgoing.on('close', resolve))
    outgoing.destroy()
    await closed
  }

  test('upload: one that breaks off leaves the version pending and can be repeated', async () => {
    const id = await bench.locked()
    mustBe(await bench.announceWithContent(id, stateOf({ serial: 1 })), 201)
    const next = stateOf({ serial: 2, resources: 2000 })
    const made = mustBe(await bench.announce(id, next, { serial: 2 }), 201).body.data
    const url = made.attributes['hosted-state-upload-url']
    await breakOff(url, next, async () => undefined)
    const shown = mustBe(await bench.ann.get(`/api/v2/state-versions/${made.id}`), 200).body.data
    expect(shown.attributes.status).toBe('pending')
    mustBe(await bench.put(url, next), 200)
    mustBe(await bench.unlock(id), 200)
    const current = mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data
    expect(await bench.download(current)).toEqual(next)
  })

  test('upload: a large one that breaks off leaves no blob behind', async () => {
    const id = await bench.locked()
    const noise = Array.from({ length: 160_000 }, () => bench.app.deps.ids.hex(64)).join('')
    const state = stateOf({ serial: 1, outputs: { noise } })
    const made = mustBe(await bench.announce(id, state), 201).body.data
    const uploads = () => bench.app.deps.db.selectFrom('blobs').select('upload').where('scope', '=', id).execute()
    await breakOff(made.attributes['hosted-state-upload-url'], state, () =>
      expect.poll(uploads, { timeout: 10_000 }).toHaveLength(1),
    )
    await expect.poll(uploads, { timeout: 10_000 }).toEqual([])
    mustBe(await bench.put(made.attributes['hosted-state-upload-url'], state), 200)
    expect(await uploads()).toHaveLength(1)
  })

  test.runIf(engine === 'sqlite')('upload: one that does not fit on the disk is logged with its reason', async () => {
    const id = await bench.locked()
    const noise = Array.from({ length: 16_000 }, () => bench.app.deps.ids.hex(64)).join('')
    const state = stateOf({ serial: 1, outputs: { noise } })
    const made = mustBe(await bench.announce(id, state), 201).body.data
    const limitPages = (count: number) =>
      inTransaction(bench.app.deps.db, (tx) => sql.raw(`pragma max_page_count = ${count}`).execute(tx))
    await limitPages(1)
    mustBe(await bench.put(made.attributes['hosted-state-upload-url'], state), 503)
    await limitPages(1_000_000)
    const line = log.text().match(/^.*"endpoint":"state-content.upload","status":503.*$/m)?.[0] ?? '{}'
    const reason = 'The disk that holds the database is full; free some space on it.'
    expect(JSON.parse(line)).toMatchObject({ reason })
    mustBe(await bench.put(made.attributes['hosted-state-upload-url'], state), 200)
  })

  test('addresses: download URLs do not upload, upload URLs do not download, and no token is logged', async () => {
    const id = await bench.locked()
    const state = stateOf({ serial: 1 })
    const made = mustBe(await bench.announce(id, state), 201).body.data
    const upload = made.attributes['hosted-state-upload-url']
    expect((await bench.get(upload)).status).toBe(404)
    mustBe(await bench.put(upload, state), 200)
    const shown = mustBe(await bench.ann.get(`/api/v2/state-versions/${made.id}`), 200).body.data
    const download = shown.attributes['hosted-state-download-url']
    expect((await bench.put(download, state)).status).toBe(404)
    mustBe(await bench.get(download), 200)
    const written = log.text()
    expect(written).toContain('/api/blob/v1/:token')
    const tokens = [upload, download].map((url) => new URL(url).pathname.split('/').at(-1) as string)
    expect(tokens.filter((token) => written.includes(token))).toEqual([])
  })

  test('addresses: are valid for 25 hours; reading the version again gives a new one', async () => {
    const [id, waiting] = [await bench.locked(), await bench.locked()]
    const [state, late] = [stateOf({ serial: 1 }), stateOf({ serial: 2 })]
    const { id: version } = mustBe(await bench.announceWithContent(id, state), 201).body.data
    const shownDownload = async (): Promise<string> =>
      mustBe(await bench.ann.get(`/api/v2/state-versions/${version}`), 200).body.data.attributes[
        'hosted-state-download-url'
      ]
    const announced = mustBe(await bench.announce(waiting, late, { serial: 2 }), 201).body.data
    const [download, upload] = [await shownDownload(), announced.attributes['hosted-state-upload-url']]
    bench.app.clock.advance('24h59m59s')
    mustBe(await bench.get(download), 200)
    bench.app.clock.advance('1s')
    expect((await bench.get(download)).status).toBe(404)
    expect((await bench.put(upload, late)).status).toBe(404)
    mustBe(await bench.get(await shownDownload()), 200)
  })

  test('content: several megabytes are returned unchanged, and the same file is stored once', async () => {
    const id = await bench.locked()
    const noise = Array.from({ length: 60_000 }, () => bench.app.deps.ids.hex(64)).join('')
    const state = stateOf({ serial: 1, outputs: { noise } })
    const chunksOf = async () =>
      await bench.app.deps.db
        .selectFrom('blob_chunks')
        .innerJoin('blobs', 'blobs.upload', 'blob_chunks.upload')
        .select('seq')
        .where('scope', '=', id)
        .execute()
    const made = mustBe(await bench.announce(id, state), 201).body.data
    mustBe(await bench.put(made.attributes['hosted-state-upload-url'], state), 200)
    const stored = (await chunksOf()).length
    expect(stored).toBeGreaterThan(5)
    const again = mustBe(await bench.announce(id, state), 201).body.data
    mustBe(await bench.put(again.attributes['hosted-state-upload-url'], state), 200)
    expect((await chunksOf()).length).toBe(stored)
    mustBe(await bench.unlock(id), 200)
    const current = mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data
    expect((await bench.download(current)).equals(state)).toBe(true)
  })
})
