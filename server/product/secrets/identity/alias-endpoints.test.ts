import { beforeAll, expect, test } from 'vitest'
import { ownCertApp } from '../../../../test/support/cert-login.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { sharedApp } from '../../../../test/support/shared.ts'

const at = (path: string) => `/v1/identity/${path}`

eachEngine((engine) => {
  const app = sharedApp({ engine })
  let accessor: string
  let other: string
  let secrets: string
  beforeAll(async () => {
    await app.root.post('/v1/sys/auth/cert', { type: 'cert' })
    await app.root.post('/v1/sys/auth/more', { type: 'cert' })
    const { data } = (await app.root.get('/v1/sys/auth')).body
    accessor = data['cert/'].accessor
    other = data['more/'].accessor
    secrets = (await app.root.get('/v1/sys/mounts')).body.data['cubbyhole/'].accessor
  })
  const write = (body: object, path = 'entity-alias') => app.root.post(at(path), body)

  test('aliases: one is created, read, changed, listed and deleted', async () => {
    const entity = (await app.root.post(at('entity'), { name: 'ann' })).body.data.id
    const made = await write({
      name: 'Ann',
      entity_id: entity,
      mount_accessor: accessor,
      custom_metadata: { a: 'b' },
    })
    expect(made.body.data).toEqual({ id: expect.any(String), canonical_id: entity })
    const { id } = made.body.data
    const alias = {
      id,
      canonical_id: entity,
      name: 'Ann',
      mount_accessor: accessor,
      mount_path: 'auth/cert/',
      mount_type: 'cert',
      metadata: {},
      custom_metadata: { a: 'b' },
      merged_from_canonical_ids: null,
      creation_time: expect.any(String),
      last_update_time: expect.any(String),
      local: false,
    }
    expect((await app.root.get(at(`entity-alias/id/${id}`))).body.data).toEqual({ ...alias, namespace_id: 'root' })
    expect((await app.root.get(at(`entity/id/${entity}`))).body.data.aliases).toEqual([alias])
    expect((await write({ name: 'ann', mount_accessor: accessor, custom_metadata: {} })).body.data.id).toBe(id)
    app.clock.advance('5s')
    expect((await write({ name: 'anna' }, `entity-alias/id/${id}`)).status).toBe(200)
    const { creation_time, last_update_time } = (await app.root.get(at(`entity-alias/id/${id}`))).body.data
    expect(Date.parse(last_update_time)).toBe(app.clock.now())
    expect(Date.parse(creation_time)).toBe(app.clock.now() - 5_000)
    const listed = (await app.root.list(at('entity-alias/id'))).body.data
    expect(listed.keys).toEqual([id])
    expect(listed.key_info[id]).toMatchObject({ name: 'anna', custom_metadata: {}, canonical_id: entity })
    expect((await app.root.delete(at(`entity-alias/id/${id}`))).status).toBe(204)
    expect((await app.root.get(at(`entity-alias/id/${id}`))).status).toBe(404)
    expect((await app.root.list(at('entity-alias/id'))).status).toBe(404)
    await app.root.delete(at(`entity/id/${entity}`))
  })

  test('aliases: one without an entity creates one, can move to another, and is deleted together with it', async () => {
    const made = (await write({ name: 'bob', mount_accessor: accessor })).body.data
    const other = (await write({ name: 'cid', mount_accessor: accessor })).body.data
    const target = (await app.root.post(at('entity'), { name: 'target' })).body.data.id
    expect((await write({ id: made.id, canonical_id: target })).body.data.canonical_id).toBe(target)
    expect((await app.root.get(at(`entity/id/${target}`))).body.data.aliases).toMatchObject([{ name: 'bob' }])
    const owner = async () => (await app.root.get(at(`entity-alias/id/${other.id}`))).body.data?.canonical_id
    expect(await owner()).toBe(other.canonical_id)
    const spare = (await write({ name: 'dee', mount_accessor: accessor })).body.data
    expect((await app.root.delete(at(`entity-alias/id/${spare.id}`))).status).toBe(204)
    expect(await owner()).toBe(other.canonical_id)
    await app.root.post(at('entity/batch-delete'), { entity_ids: [made.canonical_id, spare.canonical_id, target] })
    expect((await app.root.get(at(`entity-alias/id/${made.id}`))).status).toBe(404)
    expect(await owner()).toBe(other.canonical_id)
    await app.root.post(at('entity/batch-delete'), { entity_ids: [other.canonical_id] })
  })

  test('aliases: incomplete or conflicting ones and an unknown mount or entity get 400 with the reason', async () => {
    const made = (await write({ name: 'carl', mount_accessor: accessor })).body.data
    const second = (await write({ name: 'dora', mount_accessor: accessor })).body.data
    for (const [body, text] of [
      [{ mount_accessor: accessor }, /'name'/],
      [{ name: 'x' }, /'mount_accessor'/],
      [{ name: 'x', mount_accessor: 'auth_cert_00000000' }, /invalid mount accessor.*auth_cert_00000000/],
      [{ name: 'x', mount_accessor: secrets }, /invalid mount accessor/],
      [{ name: 'x'.repeat(2_049), mount_accessor: accessor }, /2048/],
      [{ name: 'x', mount_accessor: accessor, canonical_id: 'nobody' }, /nobody/],
      [{ name: 'x', mount_accessor: accessor, canonical_id: made.canonical_id }, /already/],
      [{ id: 'nobody', name: 'x' }, /nobody/],
      [{ id: second.id, name: 'CARL' }, /^alias with combination of mount accessor and name already exists$/],
      [{ name: 'x', mount_accessor: other, custom_metadata: { k: 'v'.repeat(513) } }, /512/],
    ] as const) {
      const answer = await write(body)
      expect(answer.status, JSON.stringify(body)).toBe(400)
      expect(answer.body.errors[0]).toMatch(text)
    }
    await app.root.post(at('entity/batch-delete'), { entity_ids: [made.canonical_id, second.canonical_id] })
  })

  test('lookup: takes exactly one way to name the entity: no match gets 204, anything else 400', async () => {
    const { id, canonical_id } = (await write({ name: 'eve', mount_accessor: accessor })).body.data
    const { name } = (await app.root.get(at(`entity/id/${canonical_id}`))).body.data
    const look = (body: object) => app.root.post(at('lookup/entity'), body)
    const ways = [
      { id: canonical_id },
      { name },
      { alias_id: id },
      { alias_name: 'EVE', alias_mount_accessor: accessor },
    ]
    for (const way of ways) expect((await look(way)).body.data.id, JSON.stringify(way)).toBe(canonical_id)
    for (const none of [
      { id: 'x' },
      { name: 'x' },
      { alias_id: 'x' },
      { alias_name: 'x', alias_mount_accessor: 'y' },
    ]) {
      expect((await look(none)).status, JSON.stringify(none)).toBe(204)
    }
    for (const bad of [{}, { id: 'x', name: 'y' }, { alias_name: 'x' }, { alias_mount_accessor: accessor }]) {
      expect((await look(bad)).status, JSON.stringify(bad)).toBe(400)
    }
    await app.root.delete(at(`entity/id/${canonical_id}`))
  })

  test('aliases: an entity can have one at each mount', async () => {
    const { canonical_id } = (await write({ name: 'fay', mount_accessor: accessor })).body.data
    expect((await write({ name: 'fay', mount_accessor: other, canonical_id })).status).toBe(200)
    const { aliases } = (await app.root.get(at(`entity/id/${canonical_id}`))).body.data
    expect(aliases.map((alias: { mount_accessor: string }) => alias.mount_accessor).sort()).toEqual(
      [accessor, other].sort(),
    )
    await app.root.delete(at(`entity/id/${canonical_id}`))
  })

  test('aliases: a merge keeps the one named of two at one mount; otherwise it gets 400, also with force', async () => {
    const [into, from] = [
      (await write({ name: 'gus', mount_accessor: accessor })).body.data,
      (await write({ name: 'hal', mount_accessor: accessor })).body.data,
    ]
    const moved = (await write({ name: 'hal', mount_accessor: other, canonical_id: from.canonical_id })).body.data
    const merge = { from_entity_ids: [from.canonical_id], to_entity_id: into.canonical_id }
    for (const force of [false, true]) {
      expect((await app.root.post(at('entity/merge'), { ...merge, force })).status, `${force}`).toBe(400)
      expect((await app.root.get(at(`entity-alias/id/${from.id}`))).status).toBe(200)
    }
    app.clock.advance('1s')
    const chosen = { ...merge, conflicting_alias_ids_to_keep: [into.id] }
    expect((await app.root.post(at('entity/merge'), chosen)).status).toBe(204)
    const { aliases } = (await app.root.get(at(`entity/id/${into.canonical_id}`))).body.data
    expect(aliases.map((alias: { id: string }) => alias.id).sort()).toEqual([into.id, moved.id].sort())
    const shown = (await app.root.get(at(`entity-alias/id/${moved.id}`))).body.data
    expect(shown.merged_from_canonical_ids).toEqual([from.canonical_id])
    expect(Date.parse(shown.last_update_time)).toBe(app.clock.now())
    await app.root.delete(at(`entity/id/${into.canonical_id}`))
  })

  test('aliases: after one is deleted, the next login with its name creates a new entity', async () => {
    const site = await ownCertApp({ engine })
    await site.role('web', { certificate: site.ca.pem })
    const entityOf = async () => (await site.login(site.leaf({ commonName: 'web' }))).body.auth.entity_id
    const first = await entityOf()
    expect(await entityOf()).toBe(first)
    const [alias] = (await site.root.get(at(`entity/id/${first}`))).body.data.aliases
    expect((await site.root.delete(at(`entity-alias/id/${alias.id}`))).status).toBe(204)
    expect(await entityOf()).not.toBe(first)
  })
})
