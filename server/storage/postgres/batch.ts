import pg from 'pg'
import utils from 'pg/lib/utils.js'
import { sqlState } from '../database-errors.ts'
import { type ShapeRow, shapeOf } from '../row-shape.ts'
import { queryTimeout, socketOf, types } from './connection.ts'

/** A statement with its values; one with a name stays prepared on its connection. */
export type Statement = {
  readonly text: string
  readonly values?: readonly unknown[]
  readonly name?: string | undefined
}

/** What a statement came to; `count` is the number of rows it found or changed. */
export type Answer = { readonly command: string; readonly count: number; readonly rows: Row[] }

type Row = Record<string, unknown>
type Callback = (error: Error | null, answers: Answer[]) => void

/** What the driver's connection is to its queries. */
type Connection = Record<'close' | 'parse' | 'bind' | 'describe' | 'execute', (message: object) => void> & {
  readonly stream: { cork(): void; uncork(): void }
  sync(): void
}

type Parser = (text: string) => unknown

/** How the rows of a statement become objects. */
type Shape = { readonly parsers: readonly Parser[]; readonly make: ShapeRow }

type Field = { readonly name: string; readonly dataTypeID: number }

/** SQLSTATE of a statement that is not prepared: a connection pooler in between may have dropped them all. */
export const unknownStatement = '26000'

/** The shapes of the statements that are prepared on a connection, by name; some have no rows. */
const preparedOn = new WeakMap<Connection, Map<string, Shape | undefined>>()

/**
 * The driver's query class, with the constructor and methods that its types leave out. Connections that send without
 * waiting for earlier answers accept no other kind of query.
 */
const DriverQuery = pg.Query as unknown as new (
  text: string,
  values: undefined,
  callback: Callback,
) => { readonly callback: Callback; submit(connection: Connection): void; handleError(error: Error): void }

/**
 * Statements that are sent in one piece and carried out one after the other; as a transaction, if none is open on the
 * connection. After one that fails none is carried out. A statement that is prepared is not described again: the server
 * refuses to carry it out once its rows would have another shape (docs/decisions/0017).
 */
class Batch extends DriverQuery {
  readonly #statements: readonly Statement[]
  readonly #answers: Answer[] = []
  readonly #preparing: string[] = []
  #prepared: Map<string, Shape | undefined> = new Map()
  #shape: Shape | undefined
  #rows: Row[] = []
  #problem: Error | null = null

  constructor(statements: readonly Statement[], callback: Callback) {
    super('', undefined, callback)
    // Values are encoded now, so that one which cannot be sent fails before anything has been sent.
    this.#statements = statements.map(({ text, values, name }) => ({
      text,
      values: values?.map(utils.prepareValue),
      name,
    }))
  }

  override submit(connection: Connection): void {
    this.#prepared = preparedOn.get(connection) ?? this.#prepared
    preparedOn.set(connection, this.#prepared)
    connection.stream.cork()
    for (const statement of this.#statements) this.#send(connection, statement)
    connection.sync()
    connection.stream.uncork()
  }

  #send(connection: Connection, { text, values, name }: Statement): void {
    const isPrepared = name !== undefined && this.#prepared.has(name)
    if (!isPrepared) {
      if (name !== undefined) this.#prepare(connection, name)
      connection.parse({ text, name })
    }
    connection.bind({ statement: name, values })
    if (!isPrepared) connection.describe({ type: 'P' })
    connection.execute({})
  }

  #prepare(connection: Connection, name: string): void {
    this.#preparing.push(name)
    // The server may still have it from a batch that failed later. Closing a statement that does not exist is not an error.
    connection.close({ type: 'S', name })
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#shape = shapeFor(fields)
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    this.#shape ??= this.#prepared.get(this.#current?.name ?? '')
    try {
      if (this.#shape && !this.#problem) this.#rows.push(rowOf(this.#shape, fields))
    } catch (thrown) {
      this.#problem = thrown as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const name = this.#current?.name
    if (name !== undefined && !this.#prepared.has(name)) this.#prepared.set(name, this.#shape)
    const [command = '', ...counts] = text.split(' ')
    this.#answers.push({ command, count: Number(counts.at(-1)) || 0, rows: this.#rows })
    this.#rows = []
    this.#shape = undefined
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  /** The statements that this batch was to prepare are prepared again by the next one, since `#prepare` closed them. */
  override handleError(error: Error): void {
    if (sqlState(error) === unknownStatement) this.#prepared.clear()
    for (const name of this.#preparing) this.#prepared.delete(name)
    super.handleError(error)
  }

  handleReadyForQuery(): void {
    this.callback(this.#problem, this.#answers)
  }

  /** The statement that is being answered. */
  get #current(): Statement | undefined {
    return this.#statements[this.#answers.length]
  }
}

const shapeFor = (fields: readonly Field[]): Shape => ({
  parsers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text') as unknown as Parser),
  make: shapeOf(fields.map(({ name }) => name)),
})

const rowOf = ({ parsers, make }: Shape, texts: readonly (string | null)[]): Row =>
  make(texts.map((text, index) => (text === null ? null : parsers[index]?.(text))))

/**
 * What each of several statements comes to that travel together, within a time counted on our side: a frozen server honours
 * no time-out of its own. A connection that was given up on is closed, since the driver would wait for its answers first. The
 * driver's own promise and time-out are not used: they assign functions to the query, which then stays among the old objects
 * with its whole answer (docs/decisions/0012).
 */
export const runStatements = (
  client: pg.ClientBase,
  statements: readonly Statement[],
  timeout: number = queryTimeout,
): Promise<Answer[]> =>
  new Promise((resolve, reject) => {
    const batch = new Batch(statements, (error, answers) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve(answers)
    })
    const timer = setTimeout(() => {
      reject(new Error('Query read timeout'))
      socketOf(client).destroy()
    }, timeout)
    client.query(batch as unknown as pg.Submittable)
  })

/** What a single statement comes to. */
export async function runStatement(client: pg.ClientBase, statement: Statement, timeout?: number): Promise<Answer> {
  const [answer] = await runStatements(client, [statement], timeout)
  return answer as Answer
}
