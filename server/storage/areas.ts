import type { Awaitable } from '../kernel/awaitable.ts'

/** The kinds of cached data. A change to one of them bumps its version, and every cache of that area starts afresh. */
export type Area =
  | 'everything'
  | 'keyring'
  | 'key-usage'
  | 'mounts'
  | 'policies'
  | 'identity'
  | 'tokens'
  | 'roles'
  | 'crls'
  | 'login-roles'
  | 'quotas'
  | 'cross-origin'
  | 'audit'
  | 'settings'
  | 'permissions'
  | 'api-tokens'
  | 'organizations'
  | 'users'
  | 'teams'
  | 'projects'
  | 'workspaces'
  | 'runs'
  | 'snapshots'
  | 'jobs'
  | 'kv'

/** What this process knows about changes made by itself and by others. */
export type Versions = {
  /** Looks for changes of other processes; called once for each request. */
  refresh(): Awaitable<void>
  /** A number that moves when the area changes. It means nothing outside this process. */
  of(area: Area): number
  /** A number that stays while nothing at all in the database changes, as far as the last poll has shown. */
  content(): number
  /** Calls the listener after each change of the area, whoever made it; returns a function that stops it. */
  onChange(area: Area, listener: () => void): () => void
}

/** The statement that moves an area's version and returns the new one; the same on both engines but for its parameter. */
export const bumpSql = (parameter: '?' | '$1'): string =>
  `insert into versions (area, version) values (${parameter}, 1) ` +
  'on conflict (area) do update set version = versions.version + 1 returning version'
