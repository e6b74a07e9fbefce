import { DatabaseSync } from 'node:sqlite'

const words = ['network', 'dns', 'cluster', 'queue', 'database', 'cache', 'identity', 'billing', 'search', 'mail']

/** How many projects the workspaces are spread over. */
export const projectCount = 20

/** Milliseconds between the creation of one workspace and the next. */
export const pace = 300

/** Spreads numbers as if they were random: in the order of ids or times, neighbours lie anywhere. */
const scattered = (factor: number): string => `n * ${factor} % 1000000000`

/** The end of an identifier that follows from a number below 10^16. */
export const idEnd = (number: string): string =>
  `replace(substr(cast(10000000000000000 + ${number} as text), 2), '0', 'a')`

const twoDigits = (number: string): string => `substr(cast(100 + ${number} as text), 2)`

/**
 * Flat tags, each in a column of its own: which workspaces have it. `a` and `b` are a hundred tags on one percent each,
 * over all and in runs; `late` and `fresh` are on the newest workspaces only.
 */
const tags = (total: number): Record<string, string> => ({
  a: `'a' || ${twoDigits('n % 100')}`,
  b: `'b' || ${twoDigits('n / 100 % 100')}`,
  half: `case when n / 2 % 2 = 0 then 'half' end`,
  tenth: `case when n / 7 % 10 = 0 then 'tenth' end`,
  late: `case when n > ${total * 0.8} then 'late' end`,
  fresh: `case when n > ${total * 0.99} then 'fresh' end`,
  five: `case when n % ${total / 5} = 1 then 'five' end`,
})

/** The columns of facts that hold a flat tag. */
export const tagColumns: readonly string[] = Object.keys(tags(0))

/** A query of either engine for all that is made up about so many workspaces, one row each. */
export function factsQuery(total: number): string {
  const name = `case n % 10 ${words.map((word, digit) => `when ${digit} then '${word}'`).join(' ')} end ||
    case when n % 7 = 0 then '-prod-' else '-dev-' end || cast(n as text)`
  return `with recursive numbers(n) as (select cast(1 as bigint) union all select n + 1 from numbers where n < ${total})
    select n, ${idEnd(scattered(982451653))} as id_end, ${name} as name, n % ${projectCount} as project,
      ${Object.entries(tags(total)).map(([column, sql]) => `${sql} as ${column}`)},
      'v' || cast(n / 3 % 40 as text) as env, case when n % 50 = 3 then 1 else 0 end as locked,
      n * ${pace} as created, ${scattered(7368787)} % ${total * pace} as updated,
      ${scattered(15485863)} % ${total * pace} as changed
    from numbers`
}

/** What there is besides the generated workspaces; a tag it lacks is left out. */
export type ExtraWorkspace = {
  readonly name: string
  readonly a: string
  readonly project: number
  readonly env: string
}

/** What a store must hold: the same facts in memory, which every total is compared with. */
export class Model {
  readonly #database = new DatabaseSync(':memory:')
  readonly #counts = new Map<string, number>()

  constructor(total: number) {
    this.#database.exec(`create table facts as ${factsQuery(total)}`)
  }

  /** How many workspaces meet a condition. */
  count(condition: string): number {
    const known = this.#counts.get(condition)
    if (known !== undefined) return known
    const row = this.#database.prepare(`select count(*) as total from facts where ${condition}`).get()
    const total = Number(row?.total)
    this.#counts.set(condition, total)
    return total
  }

  /** The identifier of the workspace with a number, from 1. */
  idOf(n: number): string {
    return `ws-${this.#database.prepare('select id_end from facts where rowid = ?').get(n)?.id_end}`
  }

  /** The time in a column that this share of the workspaces has reached or passed. */
  newest(column: 'updated', share: number): number {
    const row = this.#database
      .prepare(`select ${column} as time from facts where n > 0 order by ${column} desc limit 1
        offset cast((select count(*) from facts where n > 0) * ? as integer)`)
      .get(share)
    return Number(row?.time)
  }

  /** Adds the workspace that comes and goes. */
  add({ name, a, project, env }: ExtraWorkspace): void {
    this.#counts.clear()
    this.#database
      .prepare(
        `insert into facts (n, id_end, name, project, a, half, env, locked, created, updated, changed)
        select 0, '', ?, ?, ?, 'half', ?, 0, most, most, most from (select max(n) * ${pace} as most from facts)`,
      )
      .run(name, project, a, env)
  }

  /** Removes it again. */
  remove(): void {
    this.#counts.clear()
    this.#database.exec('delete from facts where n = 0')
  }
}

const clock = new DatabaseSync(':memory:')

/** Milliseconds of processor time of a fixed loop of SQL, which tell how fast the machine is at the moment. */
export function fixedLoop(): number {
  const before = process.cpuUsage()
  clock
    .prepare(
      'with recursive loop(n) as (select 1 union all select n + 1 from loop where n < 200000) select sum(n % 7) from loop',
    )
    .get()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
