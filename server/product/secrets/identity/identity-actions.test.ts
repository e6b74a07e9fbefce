import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testEngines, untilAwaited } from '../../../../test/support/databases.ts'
import { testApp } from '../../../../test/support/test-app.ts'
import type { Deps } from '../../../kit/deps.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { enableAuth } from '../mounts/index.ts'
import { writeAlias } from './alias-actions.ts'
import { writeEntity } from './entity-actions.ts'
import { mergeEntities } from './entity-merge-actions.ts'
import { entityForLogin } from './identity-actions.ts'
import { findAlias, listAliases } from './identity-store.ts'

/** PostgreSQL only: on SQLite transactions run one after the other. */
describe.runIf(testEngines.includes('postgres'))('postgres: concurrent changes', () => {
  const start = async () => {
    const { deps, close } = await testApp({ engine: 'postgres' })
    const other = new pg.Client({ connectionString: deps.store.url })
    await other.connect()
    onTestFinished(async () => {
      await other.end()
      await close()
    })
    const { accessor } = await enableAuth(deps, 'certs', { type: 'cert' })
    const logIn = (metadata: Record<string, string>) =>
      inTransaction(deps.db, (tx) => entityForLogin(deps, tx, { mountAccessor: accessor, name: 'web', metadata }))
    /** Does the work while another connection holds an uncommitted change, which is committed once the work waits. */
    const during = async <T>(change: string, work: () => Promise<T>): Promise<T> => {
      await other.query('begin')
      await other.query(change)
      const done = work()
      done.catch(() => undefined)
      await untilAwaited((query) => other.query(query))
      await other.query('commit')
      return await done
    }
    return { deps, accessor, logIn, during }
  }

  test('a login that updates an alias keeps a concurrent write of its custom metadata', async () => {
    const { deps, accessor, logIn, during } = await start()
    await logIn({})
    await during(`update entity_aliases set custom_metadata = '{"team":"x"}'`, () => logIn({ common_name: 'web' }))
    expect(await findAlias(deps.db, accessor, 'web')).toMatchObject({
      metadata: { common_name: 'web' },
      customMetadata: { team: 'x' },
    })
  })

  type Known = { readonly id: string; readonly entityId: string; readonly accessor: string }
  const merge = async (deps: Deps, { entityId }: Known) => {
    const { entity } = await writeEntity(deps, { name: 'target' })
    await mergeEntities(deps, { fromIds: [entityId], toId: entity.id, keepAliasIds: [] })
  }

  test.each<[string, (deps: Deps, known: Known) => Promise<unknown>]>([
    ['writes an alias by its id', (deps, { id }) => writeAlias(deps, { id, customMetadata: { team: 'x' } })],
    ['writes it by its name', (deps, { accessor }) => writeAlias(deps, { name: 'web', mountAccessor: accessor })],
    ['merges its entity', merge],
  ])('a caller that %s keeps the metadata written by a concurrent login', async (_name, work) => {
    const { deps, accessor, logIn, during } = await start()
    const { entity } = await logIn({})
    const { id } = (await findAlias(deps.db, accessor, 'web')) ?? { id: '' }
    const change = `update entity_aliases set metadata = '{"common_name":"web"}'`
    await during(change, () => work(deps, { id, entityId: entity.id, accessor }))
    expect(await findAlias(deps.db, accessor, 'web')).toMatchObject({ metadata: { common_name: 'web' } })
  })

  type Started = Awaited<ReturnType<typeof start>>
  const written = ({ deps, accessor }: Started) => writeAlias(deps, { name: 'web', mountAccessor: accessor })

  test.each<[string, (started: Started) => Promise<unknown>, object]>([
    ['write', written, { message: expect.stringContaining('invalid mount accessor') }],
    ['login', ({ logIn }) => logIn({}), { kind: 'unavailable' }],
  ])('a mount that is being removed gets no alias by a %s', async (_name, work, refusal) => {
    const started = await start()
    const removal = `delete from mounts where path = 'auth/certs/'`
    await expect(started.during(removal, () => work(started))).rejects.toMatchObject(refusal)
    expect(await listAliases(started.deps.db, { after: '', most: 10 })).toEqual([])
  })
})
