import { expect, onTestFinished, test } from 'vitest'
import { type Engine, eachEngine, emptyDatabase } from '../../../test/support/databases.ts'
import { migrate } from '../migrate.ts'
import { openStore, type Store, type StoreOptions } from '../open.ts'
import { prepareTables, replaceTables, swapFiles } from './bulk.ts'
import type { ReplacementPlan } from './replacement.ts'
import { forgetEnded } from './sqlite-ended-tokens.ts'

const plan: ReplacementPlan = {
  operationId: 'restore',
  now: 1,
  seal: undefined,
  elsewhere: false,
  revokeFor: undefined,
  lastEpoch: 0,
}

/** A migrated store, which the test may close and open again. */
async function migratedStore(engine: Engine): Promise<{ store: Store; options: StoreOptions }> {
  const { options, remove } = await emptyDatabase(engine)
  const store = await openStore(options)
  onTestFinished(async () => {
    await store.close()
    await remove()
  })
  await migrate(store)
  return { store, options }
}

/** A store and another that is to take its place, with the steps of that. */
async function pair(engine: Engine) {
  const [{ store: live, options }, { store: scratch }] = [await migratedStore(engine), await migratedStore(engine)]
  const prepare = async () => {
    if (engine === 'sqlite') await scratch.close()
    await prepareTables(live.target, scratch.target, plan)
  }
  const replace = async (changes: Partial<ReplacementPlan> = {}) => {
    if (engine === 'postgres') return await replaceTables(live.target, scratch.target, { ...plan, ...changes })
    await live.close()
    const replacement = swapFiles(live.target, scratch.target, { ...plan, ...changes })
    if (!replacement) throw new Error('The file was not swapped.')
    return replacement
  }
  const noted = async () => {
    const store = await openStore(options)
    onTestFinished(() => store.close())
    const rows = await store.db.selectFrom('restored_tokens').select('id').orderBy('id').execute()
    return rows.map(({ id }) => id)
  }
  return { live, scratch, prepare, replace, noted }
}

/** API tokens in a store. */
const addTokens = ({ db }: Store, ids: readonly string[]) =>
  db
    .insertInto('api_tokens')
    .values(
      ids.map((id) => ({
        ...{ id, hash: id, hint: '', owner_kind: 'user', description: '', created_at: 1 },
        ...{ created_by_kind: 'user', created_by_id: 'user-1' },
      })),
    )
    .execute()

/** Service tokens of a path in a store. */
const addServiceTokens = ({ db }: Store, ids: readonly string[], path: string) =>
  db
    .insertInto('tokens')
    .values(
      ids.map((id) => ({
        ...{ id, accessor: id, parent_id: '', policies: '[]', path, display_name: '', metadata: '{}', entity_id: '' },
        ...{ role: '', mount_id: '', created_at: 1, expires_at: 100, creation_ttl: 1, explicit_max_ttl: 0, period: 0 },
        ...{ renewable: 0, num_uses: 0, uses_left: 0, bound_cidrs: '[]', orphan: 1, wrapping: 0, auth_data: '{}' },
        ...{ certificate_fingerprint: '', platform_team: '', platform_team_id: '', revoked: 0 },
      })),
    )
    .execute()

eachEngine((engine) => {
  test('a database replacement notes tokens as revived that end while it is prepared, and others that end in the meantime not', async () => {
    const { live, scratch, prepare, replace, noted } = await pair(engine)
    await addTokens(live, ['gone', 'ends', 'stays', 'young'])
    await addTokens(scratch, ['gone', 'ends', 'stays', 'old'])
    await live.db.deleteFrom('api_tokens').where('id', '=', 'gone').execute()
    await prepare()
    await live.db.deleteFrom('api_tokens').where('id', 'in', ['ends', 'young']).execute()
    await live.db.updateTable('api_tokens').set({ last_used_at: 2 }).where('id', '=', 'stays').execute()
    const { tokens } = await replace()
    expect(tokens.api_tokens).toEqual({ restored: 4, revived: 3 })
    expect(await noted()).toEqual(['ends', 'gone', 'old'])
  })

  test('a database replacement notes tokens as revived whose path is revoked, or whose mount goes, while it is prepared', async () => {
    const { live, scratch, prepare, replace, noted } = await pair(engine)
    const mount = {
      ...{ id: 'gone', path: 'auth/gone/', type: 'cert', accessor: 'gone', login_id: '', description: '' },
      ...{ config: '{}', local: 0, seal_wrap: 0, tainted: 0, created_at: 1 },
    }
    for (const each of [live, scratch]) {
      await addServiceTokens(each, ['one', 'two'], 'auth/cut/login')
      await addServiceTokens(each, ['near'], 'auth/cut-too/login')
      await addServiceTokens(each, ['login'], 'auth/gone/login')
      await each.db.insertInto('mounts').values(mount).execute()
      await each.db.updateTable('tokens').set({ mount_id: 'gone' }).where('id', '=', 'login').execute()
    }
    await prepare()
    await live.db.insertInto('revoked_paths').values({ path: 'auth/cut', until: 1 }).execute()
    await live.db.deleteFrom('mounts').execute()
    const { tokens } = await replace()
    expect(tokens.tokens).toEqual({ restored: 4, revived: 3 })
    expect(await noted()).toEqual(['login', 'one', 'two'])
  })

  test.runIf(engine === 'sqlite')(
    'a database replacement compares all tokens again if the note of ended ones was lost',
    async () => {
      const { live, scratch, prepare, replace, noted } = await pair(engine)
      for (const each of [live, scratch]) await addTokens(each, ['ends', 'stays'])
      await prepare()
      await live.db.deleteFrom('api_tokens').where('id', '=', 'ends').execute()
      expect([await forgetEnded(live.db), await forgetEnded(live.db)]).toEqual([1, 0])
      await addTokens(live, ['later'])
      const { tokens } = await replace()
      expect(tokens.api_tokens).toEqual({ restored: 2, revived: 1 })
      expect(await noted()).toEqual(['ends'])
    },
  )

  test.runIf(engine === 'sqlite')(
    'a database replacement does not take the note of another one for its own',
    async () => {
      const { live, scratch, prepare, replace, noted } = await pair(engine)
      for (const each of [live, scratch]) await addTokens(each, ['gone', 'stays'])
      await live.db.deleteFrom('api_tokens').where('id', '=', 'gone').execute()
      await prepare()
      await addTokens(live, ['gone'])
      await replace({ operationId: 'another restore' })
      expect(await noted()).toEqual([])
    },
  )
})
