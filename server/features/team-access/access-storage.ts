import type { Queryable, Tx } from '../../storage/open.ts'
import type { TeamAccess } from './access-rules.ts'

/** How a kind of access is stored. Whatever writes lets everybody's permissions be read anew. */
export type AccessStore<D> = {
  readonly load: (db: Queryable, id: string) => Promise<TeamAccess<D> | undefined>
  /** All access to one workspace or project, by the name of the team. */
  readonly list: (db: Queryable, targetId: string) => Promise<TeamAccess<D>[]>
  /** A second access of the same team is a unique violation. */
  readonly insert: (tx: Tx, access: TeamAccess<D>) => Promise<void>
  /** False when it is not as it was read any more. */
  readonly update: (tx: Tx, before: TeamAccess<D>, after: Pick<TeamAccess<D>, 'access' | 'details'>) => Promise<boolean>
  readonly remove: (tx: Tx, id: string) => Promise<boolean>
}
