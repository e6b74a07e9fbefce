// Importing the features declares their queries.
import '../../server/product/index.ts'
import '../../server/jobs/runner.ts'
import { renderHotQueries } from '../../server/storage/hot.ts'
import type { Generated } from './generator.ts'

const warning = '-- Made from the code by `npm run gen`. A changed query shows up here, so that a reviewer sees it.\n\n'

/** The SQL of the hot paths, as each engine receives it. */
export async function generateHotSql(): Promise<Generated> {
  return {
    'docs/sql/sqlite.sql': warning + renderHotQueries('sqlite'),
    'docs/sql/postgres.sql': warning + renderHotQueries('postgres'),
  }
}
