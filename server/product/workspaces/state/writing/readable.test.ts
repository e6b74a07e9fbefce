import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe } from '../../../../../test/support/platform.ts'
import { type StateBench, stateBench, stateOf } from '../../../../../test/support/states.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { saveRendering } from '../records/state-version-store.ts'

const encrypted = Buffer.from(JSON.stringify({ serial: 1, lineage: 'one', meta: {}, encrypted_data: 'AAAA' }))
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
const rendering = Buffer.from('{"values":{"secret":"in clear"}}')
const outputs = { 'json-state-outputs': base64({ ip: { sensitive: false, type: 'string', value: '10.0.0.1' } }) }

type Upload = readonly [address: string, content: Buffer]

eachEngine((engine) => {
  let bench: StateBench

  beforeAll(async () => {
    bench = await stateBench(engine)
    const change = doc('organizations', { 'keep-outputs-of-encrypted-state': false })
    const changed = mustBe(await bench.ann.patch(`/api/v2/organizations/${bench.org.name}`, change), 200).body.data
    expect(changed.attributes['keep-outputs-of-encrypted-state']).toBe(false)
  })
  afterAll(() => bench.app.close())

  /** Outputs have names but no values, there is no rendering, and the only blob is the state. */
  const expectNothingReadable = async (workspace: string, version: string) => {
    const { attributes } = mustBe(await bench.ann.get(`/api/v2/state-versions/${version}`), 200).body.data
    expect(attributes).toMatchObject({ status: 'finalized', encrypted: true, 'hosted-json-state-download-url': null })
    const listed = mustBe(await bench.ann.get(`/api/v2/state-versions/${version}/outputs`), 200).body.data
    const names = { name: 'ip', sensitive: false, type: 'undefined', 'detailed-type': null, value: null }
    expect(listed.map((output: { attributes: object }) => output.attributes)).toEqual([names])
    const files = bench.app.deps.db.selectFrom('blobs').select('id').where('scope', '=', workspace)
    expect(await files.execute()).toHaveLength(1)
  }

  test('encrypted state: values of outputs and a rendering sent with it are not stored', async () => {
    const id = await bench.locked()
    const more = { ...outputs, 'json-state': rendering.toString('base64') }
    const made = mustBe(await bench.announceWithContent(id, encrypted, more), 201).body.data
    expect(made.attributes['hosted-json-state-download-url']).toBeNull()
    await expectNothingReadable(id, made.id)
  })

  const state: Upload = ['hosted-state-upload-url', encrypted]
  const readable: Upload = ['hosted-json-state-upload-url', rendering]
  test.each([
    ['before', [readable, state]],
    ['after', [state, readable]],
  ])('encrypted state: a rendering uploaded %s it is not stored', async (_name, uploads) => {
    const id = await bench.locked()
    const made = mustBe(await bench.announce(id, encrypted, outputs), 201).body.data
    for (const [url, content] of uploads) mustBe(await bench.put(made.attributes[url], content), 200)
    await expectNothingReadable(id, made.id)
  })

  test('encrypted state: dropping the rendering of one version keeps that of another', async () => {
    const id = await bench.locked()
    const more = { 'json-state': rendering.toString('base64') }
    const kept = mustBe(await bench.announceWithContent(id, stateOf({ serial: 1 }), more), 201).body.data.id
    const made = mustBe(await bench.announce(id, encrypted, { serial: 2 }), 201).body.data
    for (const [url, content] of [readable, state]) mustBe(await bench.put(made.attributes[url], content), 200)
    const { attributes } = mustBe(await bench.ann.get(`/api/v2/state-versions/${kept}`), 200).body.data
    expect(mustBe(await bench.get(attributes['hosted-json-state-download-url']), 200).text).toBe(rendering.toString())
  })

  test('rendering: a version takes one rendering, and none after it was discarded', async () => {
    const id = await bench.locked()
    const saved = (version: string, blobId: string) =>
      inTransaction(bench.app.deps.db, (tx) => saveRendering(tx, version, { blobId, size: 2 }))
    const complete = mustBe(await bench.announceWithContent(id, stateOf({ serial: 1 })), 201).body.data.id
    expect([await saved(complete, 'first'), await saved(complete, 'second')]).toEqual([{ encrypted: false }, undefined])
    const awaited = mustBe(await bench.announce(id, stateOf({ serial: 2 }), { serial: 2 }), 201).body.data.id
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/force-unlock`), 200)
    expect(await saved(awaited, 'late')).toBeUndefined()
  })

  test('unencrypted state: keeps both outputs and rendering', async () => {
    const id = await bench.locked()
    const more = { ...outputs, 'json-state': rendering.toString('base64') }
    const made = mustBe(await bench.announceWithContent(id, stateOf({ serial: 1 }), more), 201).body.data
    expect(made.relationships.outputs.data).toHaveLength(1)
    expect(mustBe(await bench.get(made.attributes['hosted-json-state-download-url']), 200).text).toBe(
      rendering.toString(),
    )
  })
})
