import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe, person, workspaceIn } from '../../../../../test/support/platform.ts'
import { shared } from '../../../../../test/support/shared.ts'
import { stateBench, stateDocument, stateOf } from '../../../../../test/support/states.ts'

eachEngine((engine) => {
  const bench = shared(
    () => stateBench(engine),
    ({ app }) => app.close(),
  )

  /** A workspace with a version of each of these states. */
  const withStates = async (name: string, states: readonly Buffer[]) => {
    const id = await workspaceIn(bench.org, { name })
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
    const versions: string[] = []
    for (const [at, state] of states.entries()) {
      const sent = stateDocument(state, { serial: at + 1, state: state.toString('base64') })
      versions.push(mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/state-versions`, sent), 201).body.data.id)
    }
    return { id, versions }
  }
  const compared = async (version = '', since?: string) =>
    mustBe(await bench.ann.get(`/api/v2/state-versions/${version}/comparison${since ? `?since=${since}` : ''}`), 200)

  test('comparison: a stranger gets 404', async () => {
    const { versions } = await withStates('hidden', [stateOf({ serial: 1 })])
    const stranger = await person(bench.app, 'stranger')
    mustBe(await stranger.get(`/api/v2/state-versions/${versions[0]}/comparison`), 404)
  })

  test('comparison: with the version before, or with another; sensitive values are left out', async () => {
    const { versions } = await withStates('changing', [
      stateOf({ serial: 1, resources: 1, outputs: { size: 1 }, secrets: { key: 'hush' } }),
      stateOf({ serial: 2, resources: 2, outputs: { size: 2 }, secrets: { key: 'psst' } }),
      stateOf({ serial: 3, resources: 2, outputs: { size: 2 }, secrets: { key: 'psst' } }),
    ])
    const [first, second, third] = versions
    const since = await compared(second)
    expect(since.headers['cache-control']).toBe('no-store')
    expect(since.body.data.relationships.since.data.id).toBe(first)
    expect(since.body.data.attributes).toMatchObject({
      status: 'compared',
      resources: [{ name: 'null_resource.r1', kind: 'added' }],
      outputs: [
        { name: 'size', kind: 'changed', attributes: [{ name: 'value', before: '1', after: '2', sensitive: false }] },
        { name: 'key', kind: 'changed', attributes: [{ name: 'value', before: '', after: '', sensitive: true }] },
      ],
    })
    expect(since.text).not.toMatch(/hush|psst/)
    expect((await compared(third)).body.data.attributes).toMatchObject({ resources: [], outputs: [] })
    const back = (await compared(first, third)).body.data.attributes
    expect(back.resources).toMatchObject([{ name: 'null_resource.r1', kind: 'removed' }])
    expect((await compared(first)).body.data.attributes.status).toBe('nothing-before')
  })

  test('comparison: with a version of another workspace, or with none, it is refused', async () => {
    const one = await withStates('one', [stateOf({ serial: 1 })])
    const other = await withStates('other', [stateOf({ serial: 1 })])
    for (const since of [other.versions[0], 'sv-1111111111111111', 'nonsense'])
      mustBe(await bench.ann.get(`/api/v2/state-versions/${one.versions[0]}/comparison?since=${since}`), 422)
  })

  test('comparison: states that are encrypted or too large say so', async () => {
    const large = stateOf({ serial: 2, outputs: { x: 'x'.repeat(2 * 1024 * 1024) } })
    const sealed = Buffer.from(JSON.stringify({ version: 4, serial: 3, lineage: '', encrypted_data: 'AA==' }))
    const { versions } = await withStates('odd', [stateOf({ serial: 1 }), large, sealed])
    expect((await compared(versions[1])).body.data.attributes.status).toBe('too-large')
    expect((await compared(versions[2], versions[0])).body.data.attributes.status).toBe('unreadable')
  })
})
