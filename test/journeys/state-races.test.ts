import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../support/databases.ts'
import { mustBe } from '../support/platform.ts'
import { type StateBench, stateBench, stateOf } from '../support/states.ts'

eachEngine((engine) => {
  let bench: StateBench

  beforeAll(async () => {
    bench = await stateBench(engine)
  })
  afterAll(() => bench.app.close())

  test('uploads of many versions at once: none is torn, and the last one announced becomes current', async () => {
    const id = await bench.locked()
    const serials = [1, 2, 3, 4, 5, 6]
    const states = serials.map((serial) => stateOf({ serial, resources: serial }))
    const announced: { id: string; url: string }[] = []
    for (const [index, state] of states.entries()) {
      const { data } = mustBe(await bench.announce(id, state, { serial: index + 1 }), 201).body
      announced.push({ id: data.id, url: data.attributes['hosted-state-upload-url'] })
    }
    const sent = await Promise.all(announced.map(({ url }, index) => bench.put(url, states[index] as Buffer)))
    expect(sent.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(sent.at(-1)?.status).toBe(200)
    mustBe(await bench.unlock(id), 200)
    const current = mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data
    expect([current.id, current.attributes.serial]).toEqual([announced.at(-1)?.id, 6])
    expect(await bench.download(current)).toEqual(states.at(-1))
    expect((await bench.workspaceOf(id)).attributes['resource-count']).toBe(6)
    for (const [index, { status }] of sent.entries()) {
      const shown = mustBe(await bench.ann.get(`/api/v2/state-versions/${announced[index]?.id}`), 200).body.data
      expect(shown.attributes.status).toBe(status === 200 ? 'finalized' : 'discarded')
    }
  })

  test('a state and its JSON rendering uploaded concurrently with equal content are stored once', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await bench.locked()
      const state = stateOf({ serial: 1, resources: 1 })
      const { data } = mustBe(await bench.announce(id, state), 201).body
      const urls = [data.attributes['hosted-state-upload-url'], data.attributes['hosted-json-state-upload-url']]
      const sent = await Promise.all(urls.map((url) => bench.put(url, state)))
      expect(sent.map(({ status }) => status)).toEqual([200, 200])
      const shown = mustBe(await bench.ann.get(`/api/v2/state-versions/${data.id}`), 200).body.data
      expect(await bench.download(shown)).toEqual(state)
      const rendering = await bench.get(shown.attributes['hosted-json-state-download-url'])
      expect(rendering.text).toBe(state.toString())
      const kept = await bench.app.deps.db.selectFrom('blobs').select('upload').where('scope', '=', id).execute()
      expect(kept).toHaveLength(1)
    }
  })

  test('announcements at once: versions are numbered without gaps', async () => {
    const id = await bench.locked()
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        bench.announceWithContent(id, stateOf({ serial: 7, resources: index % 2 }), { serial: 7 }),
      ),
    )
    const statuses = made.map(({ status }) => status)
    expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([])
    const rows = await bench.app.deps.db
      .selectFrom('state_versions')
      .select(['ordinal', 'md5'])
      .where('workspace_id', '=', id)
      .orderBy('ordinal')
      .execute()
    const taken = statuses.filter((status) => status === 201).length
    expect(rows.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: taken }, (_, index) => index + 1))
    // All have the same serial, so all that were accepted have the same content.
    expect(new Set(rows.map(({ md5 }) => md5)).size).toBe(1)
  })
})
