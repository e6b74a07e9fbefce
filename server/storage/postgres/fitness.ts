/** The oldest release that has all we ask of it: `pg_current_snapshot` came with it. */
const oldestMajor = 13

/** Encodings that hold every text; the second stores bytes as they come. */
const encodings = ['UTF8', 'SQL_ASCII']

/** Milliseconds a server has to describe itself. */
export const factsTimeout = 3_000

/** Asks a server about itself. */
export const serverFacts: string =
  "select current_setting('transaction_read_only') as read_only, current_setting('server_version') as version, " +
  "current_setting('server_version_num')::int / 10000 as major, current_setting('server_encoding') as encoding"

/** How a server describes itself. */
export type ServerFacts = {
  readonly read_only: string
  readonly version: string
  readonly major: number
  readonly encoding: string
}

/** Why a server that answers cannot be the one we work with; undefined if it can. A standby answers, too. */
export function fitnessProblem({ read_only, version, major, encoding }: ServerFacts): string | undefined {
  if (major < oldestMajor) return `it is PostgreSQL ${version}, and ${oldestMajor} or later is needed`
  if (!encodings.includes(encoding)) return `the encoding of the database is ${encoding}; create it with UTF8`
  return read_only === 'off' ? undefined : 'it does not accept writes'
}

/** Throws why a server cannot be the one we work with. */
export function requireFitServer(facts: ServerFacts | undefined): void {
  const unfit = facts && fitnessProblem(facts)
  if (unfit) throw new Error(unfit)
}
