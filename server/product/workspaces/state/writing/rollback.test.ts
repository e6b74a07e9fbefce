import { expect, test } from 'vitest'
import type { Answer } from '../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe } from '../../../../../test/support/platform.ts'
import { shared } from '../../../../../test/support/shared.ts'
import { stateBench, stateOf } from '../../../../../test/support/states.ts'

eachEngine((engine) => {
  const bench = shared(
    () => stateBench(engine),
    ({ app }) => app.close(),
  )
  const link = 'rollback-state-version'
  const backTo = (id: string) => ({ [link]: { data: { type: 'state-versions', id } } })
  const rollback = (id: string, version: string): Promise<Answer> =>
    bench.ann.patch(`/api/v2/workspaces/${id}/state-versions`, doc('state-versions', {}, backTo(version)))

  /** A workspace with two states, the second current and the lock released. */
  const withTwo = async () => {
    const id = await bench.locked()
    const old = stateOf({ serial: 1, resources: 1, outputs: { ip: 'old' } })
    const first = mustBe(await bench.announceWithContent(id, old, { serial: 1 }), 201).body.data
    const newer = stateOf({ serial: 2, resources: 5 })
    const second = mustBe(await bench.announceWithContent(id, newer, { serial: 2 }), 201).body.data
    mustBe(await bench.unlock(id), 200)
    return { id, old, first, second }
  }

  test('rollback: creates a new version with the old content, only while the caller holds the lock', async () => {
    const { id, old, first } = await withTwo()
    mustBe(await rollback(id, first.id), 409)
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    const made = mustBe(await rollback(id, first.id), 201).body.data
    expect(made.id).not.toBe(first.id)
    expect(made.relationships).toMatchObject(backTo(first.id))
    mustBe(await bench.unlock(id), 200)
    const path = `/api/v2/workspaces/${id}/current-state-version?include=outputs`
    const current = mustBe(await bench.ann.get(path), 200).body
    expect([current.data.id, current.included[0].attributes.value]).toEqual([made.id, 'old'])
    expect(await bench.download(current.data)).toEqual(old)
    expect((await bench.workspaceOf(id)).attributes['resource-count']).toBe(1)
  })

  test('rollback: each answer, and the change log, say afterwards which version it copied', async () => {
    const { id, first, second } = await withTwo()
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    const made = mustBe(await rollback(id, first.id), 201).body.data
    mustBe(await bench.unlock(id), 200)
    const { name } = (await bench.workspaceOf(id)).attributes
    const list = `/api/v2/state-versions?filter[organization][name]=${bench.org.name}&filter[workspace][name]=${name}`
    const seen = [
      ...mustBe(await bench.ann.get(list), 200).body.data,
      mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data,
      mustBe(await bench.ann.get(`/api/v2/state-versions/${made.id}`), 200).body.data,
    ].map((version) => [version.id, version.relationships[link].data?.id ?? version.relationships[link].data])
    const rolledBack = [made.id, first.id]
    expect(seen).toEqual([rolledBack, [second.id, null], [first.id, null], rolledBack, rolledBack])
    expect(second.relationships[link]).toEqual({ data: null })

    const changes = mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/changes`), 200).body.data
    const ofStates = changes
      .map(({ attributes }: { attributes: { subject: { type: string }; action: string; after: object } }) => attributes)
      .filter(({ subject }: { subject: { type: string } }) => subject.type === 'state-versions')
    expect(ofStates.map(({ action }: { action: string }) => action)).toEqual(['rollback', 'create', 'create'])
    expect(ofStates[0].after).toMatchObject({ serial: 1, [link]: first.id })
    expect(ofStates[1].after).not.toHaveProperty(link)
  })

  test('rollback: that names the newest version is refused once another was written', async () => {
    const { id, first, second } = await withTwo()
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    const seen = (newest: string) =>
      bench.ann.patch(
        `/api/v2/workspaces/${id}/state-versions`,
        doc(
          'state-versions',
          {},
          { ...backTo(first.id), 'newest-state-version': { data: { type: 'state-versions', id: newest } } },
        ),
      )
    mustBe(await seen(first.id), 409)
    mustBe(await seen(second.id), 201)
    mustBe(await seen(second.id), 409)
  })
})
