import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, type Person, team } from '../../../../../test/support/platform.ts'
import { type StateBench, stateBench, stateOf } from '../../../../../test/support/states.ts'

eachEngine((engine) => {
  let bench: StateBench
  let ann: Person

  beforeAll(async () => {
    bench = await stateBench(engine)
    ann = bench.ann
  })
  afterAll(() => bench.app.close())

  test('outputs: are typed; the current ones hide sensitive values, which show in the output and in its version', async () => {
    const id = await bench.locked()
    const state = stateOf({ serial: 1, outputs: { ip: '10.0.0.1', port: 80 }, secrets: { password: 'hunter2' } })
    const version = mustBe(await bench.announceWithContent(id, state), 201).body.data
    mustBe(await bench.unlock(id), 200)
    const listed = mustBe(await ann.get(`/api/v2/workspaces/${id}/current-state-version-outputs`), 200).body.data
    const shown = listed.map(({ attributes }: { attributes: Record<string, unknown> }) => [
      attributes.name,
      attributes.type,
      attributes['detailed-type'],
      attributes.value,
      attributes.sensitive,
    ])
    expect(shown).toEqual([
      ['ip', 'string', 'string', '10.0.0.1', false],
      ['port', 'number', 'number', 80, false],
      ['password', 'string', 'string', null, true],
    ])
    const one = mustBe(await ann.get(`/api/v2/state-version-outputs/${listed[2].id}`), 200).body.data
    expect(one.attributes.value).toBe('hunter2')
    const filters = `filter[organization][name]=${bench.org.name}&filter[workspace][name]=`
    const { name } = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data.attributes
    for (const secret of [
      `state-version-outputs/${listed[2].id}`,
      `state-versions/${version.id}/outputs`,
      `state-versions/${version.id}`,
      `workspaces/${id}/current-state-version`,
      `state-versions?${filters}${name}`,
    ])
      expect(mustBe(await ann.get(`/api/v2/${secret}`), 200).headers['cache-control'], secret).toBe('no-store')
    const page = mustBe(await ann.get(`/api/v2/state-versions/${version.id}/outputs?page[size]=1`), 200).body
    expect([page.data.length, page.meta.pagination['total-count']]).toEqual([1, 3])
    const ofVersion = mustBe(await ann.get(`/api/v2/state-versions/${version.id}/outputs`), 200).body.data
    expect(ofVersion.map(({ attributes }: { attributes: { value: unknown } }) => attributes.value)).toEqual([
      '10.0.0.1',
      80,
      'hunter2',
    ])
    const included = mustBe(await ann.get(`/api/v2/state-versions/${version.id}?include=outputs`), 200).body.included
    expect(included).toHaveLength(3)
    mustBe(await ann.get('/api/v2/state-versions/sv-1111111111111111/outputs'), 404)
  })

  test('outputs: a version shows no sensitive values to those who may read its outputs, but not the state', async () => {
    const id = await bench.locked()
    const state = stateOf({ serial: 1, outputs: { ip: '10.0.0.1' }, secrets: { password: 'hunter2' } })
    const version = mustBe(await bench.announceWithContent(id, state), 201).body.data
    const reader = await team(bench.org, 'readers-of-outputs')
    const access = { access: 'custom', 'state-versions': 'read-outputs' }
    const both = {
      team: { data: { type: 'teams', id: reader.id } },
      workspace: { data: { type: 'workspaces', id } },
    }
    mustBe(await ann.post('/api/v2/team-workspaces', doc('team-workspaces', access, both)), 201)
    mustBe(await reader.get(`/api/v2/state-versions/${version.id}`), 404)
    const listed = mustBe(await reader.get(`/api/v2/state-versions/${version.id}/outputs`), 200)
    expect(listed.text).not.toContain('hunter2')
    expect(listed.body.data.map(({ attributes }: { attributes: { value: unknown } }) => attributes.value)).toEqual([
      '10.0.0.1',
      null,
    ])
  })

  test.each([
    ['small, read at once', 0],
    ['large, read as it arrives', 200_000],
    ['with outputs beside it', undefined],
  ])('outputs: whole numbers keep all their digits, in a state that is %s', async (_name, filler) => {
    const id = await bench.locked()
    const outputs = '{"n":{"type":["map","number"],"value":{"of":[12345678901234567890,-9007199254740993,1.5]}}}'
    const known = `{"version":4,"serial":1,"lineage":"one","resources":[],"filler":"${'x'.repeat(filler ?? 0)}"`
    const state = Buffer.from(filler === undefined ? `${known}}` : `${known},"outputs":${outputs}}`)
    const beside = filler === undefined ? { 'json-state-outputs': Buffer.from(outputs).toString('base64') } : {}
    const made = mustBe(await bench.announce(id, state, beside), 201).body.data
    mustBe(await bench.put(made.attributes['hosted-state-upload-url'], state), 200)
    const back = { 'rollback-state-version': { data: { type: 'state-versions', id: made.id } } }
    mustBe(await ann.patch(`/api/v2/workspaces/${id}/state-versions`, doc('state-versions', {}, back)), 201)
    mustBe(await bench.unlock(id), 200)
    const value = '"value":{"of":[12345678901234567890,-9007199254740993,1.5]}'
    expect((await ann.get(`/api/v2/workspaces/${id}/current-state-version-outputs`)).text).toContain(value)
    expect((await ann.get(`/api/v2/workspaces/${id}?include=outputs`)).text).toContain(value)
  })

  test('outputs: json-state-outputs sent with a state without outputs become outputs of the version', async () => {
    const id = await bench.locked()
    const outputs = { ip: { sensitive: false, type: 'string', value: '10.0.0.2' } }
    const more = { 'json-state-outputs': Buffer.from(JSON.stringify(outputs)).toString('base64') }
    mustBe(await bench.announceWithContent(id, stateOf({ serial: 1 }), more), 201)
    mustBe(await bench.unlock(id), 200)
    const listed = mustBe(await ann.get(`/api/v2/workspaces/${id}/current-state-version-outputs`), 200).body.data
    expect(listed.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
      expect.objectContaining({ name: 'ip', value: '10.0.0.2', 'detailed-type': 'string' }),
    ])
  })

  test('include: a workspace includes its outputs and its current state version', async () => {
    const id = await bench.locked()
    mustBe(
      await bench.announceWithContent(id, stateOf({ serial: 1, outputs: { ip: 'x' }, secrets: { key: 'y' } })),
      201,
    )
    mustBe(await bench.unlock(id), 200)
    const { included } = mustBe(
      await ann.get(`/api/v2/workspaces/${id}?include=outputs,current_state_version`),
      200,
    ).body
    const outputs = included.filter((each: { type: string }) => each.type === 'workspace-outputs')
    expect(outputs.map((each: { attributes: Record<string, unknown> }) => each.attributes)).toMatchObject([
      { name: 'ip', 'output-type': 'string', value: 'x', sensitive: false },
      { name: 'key', 'output-type': 'string', value: null, sensitive: true },
    ])
    expect(included.some((each: { type: string }) => each.type === 'state-versions')).toBe(true)
  })

  test('include: in a workspace list, outputs beyond the size limit have neither value nor type', async () => {
    for (const name of ['one', 'two', 'three']) {
      const id = await bench.locked()
      mustBe(
        await bench.announceWithContent(
          id,
          stateOf({ outputs: { [`large-${name}`]: 'x'.repeat(6_000_000), small: 'y' } }),
        ),
        201,
      )
      mustBe(await bench.unlock(id), 200)
    }
    type Output = { attributes: { name: string; value: string | null; 'detailed-type': unknown } }
    const path = `/api/v2/organizations/${bench.org.name}/workspaces?include=outputs&page[size]=100`
    const included = mustBe(await ann.get(path), 200).body.included as Output[]
    const large = included.map(({ attributes }) => attributes).filter(({ name }) => name.startsWith('large'))
    expect(large.map(({ value }) => value?.length ?? 0).sort()).toEqual([0, 6_000_000, 6_000_000])
    expect(large.find(({ value }) => value === null)?.['detailed-type']).toBeNull()
    const small = included.map(({ attributes }) => attributes).filter(({ name }) => name === 'small')
    expect(small.map(({ value }) => value)).toEqual(['y', 'y', 'y'])
  })
})
