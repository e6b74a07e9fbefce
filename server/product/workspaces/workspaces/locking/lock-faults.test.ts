import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testEngines } from '../../../../../test/support/databases.ts'
import { mustBe } from '../../../../../test/support/platform.ts'
import { emptyState, stateBench } from '../../../../../test/support/states.ts'
import { claimLostText } from '../../../../storage/database-errors.ts'

test.runIf(testEngines.includes('postgres'))(
  'a force-unlock that fails in the database is 500 and works when it is repeated',
  async () => {
    const { app, ann, locked, announce } = await stateBench('postgres')
    const { db } = app.deps
    const id = await locked()
    // With a pending state the release takes several statements; the trigger below makes one of them fail.
    mustBe(await announce(id, emptyState), 201)
    await sql`create function refuse() returns trigger language plpgsql as $$ begin
      if current_query() not like ${sql.lit(`%${claimLostText}%`)} then raise 'refused'; end if; return new; end $$`.execute(
      db,
    )
    await sql`create trigger refuse before update of lock_generation on workspaces
      for each row execute function refuse()`.execute(db)
    const release = () => ann.post(`/api/v2/workspaces/${id}/actions/force-unlock`)
    expect((await release()).status).toBe(500)
    await sql`drop function refuse cascade`.execute(db)
    mustBe(await release(), 200)
  },
)
