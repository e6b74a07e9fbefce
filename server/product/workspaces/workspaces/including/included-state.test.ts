import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe } from '../../../../../test/support/platform.ts'
import { type StateBench, stateBench, stateOf } from '../../../../../test/support/states.ts'

eachEngine((engine) => {
  let bench: StateBench
  let id: string
  beforeAll(async () => {
    bench = await stateBench(engine)
    id = await bench.locked()
    mustBe(await bench.announceWithContent(id, stateOf({ serial: 1 })), 201)
    mustBe(await bench.unlock(id), 200)
  })
  afterAll(() => bench.app.close())

  const cachingOf = async (path: string) => {
    const { headers, body } = mustBe(await bench.ann.get(path), 200)
    const included = (body.included ?? []) as { type: string }[]
    return [included.map(({ type }) => type), headers['cache-control']]
  }

  test('include: what holds the signed addresses of a state is not to be kept by caches', async () => {
    const { name } = (await bench.workspaceOf(id)).attributes
    const list = `/api/v2/organizations/${bench.org.name}/workspaces`
    for (const path of [`/api/v2/workspaces/${id}`, `${list}/${name}`, list]) {
      const query = 'include=current_state_version'
      expect(await cachingOf(`${path}?${query}`)).toEqual([['state-versions'], 'no-store'])
      expect(await cachingOf(`${path}?${query},effective_tag_bindings`)).toEqual([['state-versions'], 'no-store'])
      expect(await cachingOf(`${path}?include=project`)).toEqual([['projects'], 'private, no-cache'])
    }
    const without = await bench.workspace()
    const plain = [[], 'private, no-cache']
    expect(await cachingOf(`/api/v2/workspaces/${without}?include=current_state_version`)).toEqual(plain)
  })
})
