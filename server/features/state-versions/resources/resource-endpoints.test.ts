import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe, type Person, team } from '../../../../test/support/platform.ts'
import { type StateBench, stateBench, stateOf } from '../../../../test/support/states.ts'

eachEngine((engine) => {
  let bench: StateBench
  let ann: Person

  beforeAll(async () => {
    bench = await stateBench(engine)
    ann = bench.ann
  })
  afterAll(() => bench.app.close())

  test('resources: those of the current state by pages, empty without one, hidden from others', async () => {
    const id = await bench.locked()
    const path = `/api/v2/workspaces/${id}/resources`
    expect(mustBe(await ann.get(path), 200).body.data).toEqual([])
    mustBe(await bench.bring(id, stateOf({ serial: 1, resources: 3 })), 201)
    mustBe(await bench.unlock(id), 200)
    const { data, meta } = mustBe(await ann.get(`${path}?page[size]=2`), 200).body
    expect([data.length, meta.pagination['total-count']]).toEqual([2, 3])
    expect(data[0]).toMatchObject({
      type: 'resources',
      id: expect.stringMatching(/^wsr-[1-9A-HJ-NP-Za-km-z]{16}$/),
      attributes: {
        address: 'null_resource.r0',
        name: 'r0',
        module: 'root',
        provider: 'acme/null',
        'provider-type': 'null_resource',
        'name-index': null,
        count: 1,
      },
    })
    const readers = await team(bench.org, 'strangers')
    mustBe(await readers.get(path), 404)
  })
})
