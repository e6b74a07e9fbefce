import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe, type Person, team } from '../../../../../test/support/platform.ts'
import { type StateBench, stateBench, stateOf } from '../../../../../test/support/states.ts'

eachEngine((engine) => {
  let bench: StateBench
  let ann: Person

  beforeAll(async () => {
    bench = await stateBench(engine)
    ann = bench.ann
  })
  afterAll(() => bench.app.close())

  test('resources: the list pages through the current state, is empty without one, 404 without access', async () => {
    const id = await bench.locked()
    const path = `/api/v2/workspaces/${id}/resources`
    expect(mustBe(await ann.get(path), 200).body.data).toEqual([])
    mustBe(await bench.announceWithContent(id, stateOf({ serial: 1, resources: 3 })), 201)
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
      },
    })
    const readers = await team(bench.org, 'strangers')
    mustBe(await readers.get(path), 404)
  })

  test('resources: each instance has its own entry, whose id stays the same in later states', async () => {
    const id = await bench.locked()
    const path = `/api/v2/workspaces/${id}/resources`
    const provider = 'provider["registry.opentofu.org/hashicorp/aws"]'
    const common = { mode: 'managed', type: 'aws_instance', provider, module: 'module.web' }
    const each = { ...common, name: 'each', instances: [{ index_key: 'a.b' }, { index_key: 'c' }] }
    const count = { ...common, name: 'count', instances: [{ index_key: 0 }, { index_key: 1 }, { index_key: 2 }] }
    const bring = async (serial: number, resources: object[]) => {
      const state = JSON.stringify({ ...JSON.parse(stateOf({ serial }).toString()), resources })
      mustBe(await bench.announceWithContent(id, Buffer.from(state), { serial }), 201)
      mustBe(await bench.unlock(id), 200)
      return mustBe(await ann.get(path), 200).body
    }
    const { data, meta } = await bring(1, [each, count])
    expect(meta.pagination['total-count']).toBe(5)
    expect(data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { address: 'web.aws_instance.each["a.b"]', 'name-index': 'a.b', name: 'each', module: 'web' },
      { address: 'web.aws_instance.each["c"]', 'name-index': 'c' },
      { address: 'web.aws_instance.count[0]', 'name-index': '0', provider: 'hashicorp/aws' },
      { address: 'web.aws_instance.count[1]', 'name-index': '1', 'provider-type': 'aws_instance' },
      { address: 'web.aws_instance.count[2]', 'name-index': '2' },
    ])
    const ids = data.map((instance: { id: string }) => instance.id)
    expect(new Set(ids).size).toBe(5)
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    const fewer = await bring(2, [{ ...count, instances: count.instances.slice(1) }])
    expect(fewer.data.map((instance: { id: string }) => instance.id)).toEqual(ids.slice(3))
    const version = mustBe(await ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data
    expect(version.attributes.resources).toEqual([
      { name: 'count', type: 'aws_instance', count: 2, module: 'module.web', provider },
    ])
    expect(version.attributes).not.toHaveProperty('keys')
  })
})
