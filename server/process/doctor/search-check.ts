import type { Store } from '../../storage/open.ts'
import { type Finding, warn } from './finding.ts'
import { countUnfindable, hasTable, isWithoutNameParts } from './search-store.ts'

/** Whether parts of the names of workspaces are found by an index, and found at all; undefined if so. */
export async function searchFinding({ db, engine }: Pick<Store, 'db' | 'engine'>): Promise<Finding | undefined> {
  if (engine === 'postgres') return (await isWithoutNameParts(db)) ? withoutIndex : undefined
  return (await hasTable(db, 'workspace_names')) && (await countUnfindable(db)) > 0 ? renumbered : undefined
}

const withoutIndex = warn(
  'searches for a part of a name read all names of the organization, as there is no index workspaces_name_parts',
  `As the owner of the database: create extension if not exists pg_trgm;
    create index concurrently workspaces_name_parts on workspaces using gin (name_key gin_trgm_ops)`,
)

const renumbered = warn(
  'searches for a part of a name miss workspaces, whose rows another program has numbered anew',
  `Stop the server, then: insert into workspace_names (workspace_names) values ('delete-all');
    insert into workspace_names (rowid, name_key) select rowid, name_key from workspaces order by rowid`,
)
