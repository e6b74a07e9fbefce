import type { TSchema } from 'typebox'
import { asIs, type Codec, compile, type MadeMember } from './codecs.ts'

/** What is known of a field besides how it is sent. */
export interface DescribedField {
  readonly codec: Codec<unknown, unknown>
  /** The schema of answers; absent if they do not show it. */
  readonly shown: TSchema | undefined
  /** What it is before anybody says something; undefined if the code that creates has to say. */
  readonly initial: unknown
  /** Its column, if that has another name. */
  readonly column: string | undefined
}

/** Fields by their names in code. */
export type Fields = Readonly<Record<string, DescribedField>>

type HeldBy<F extends DescribedField> = ReturnType<F['codec']['fromColumn']>

/** What code holds of these fields. */
export type Stored<F extends Fields> = { readonly [K in keyof F]: HeldBy<F[K]> }

type NamesOfInitial<F extends Fields> = {
  [K in keyof F]: F[K]['initial'] extends undefined ? never : K
}[keyof F]

/** The first values of those fields that have one. */
export type Initial<F extends Fields> = { readonly [K in NamesOfInitial<F>]: HeldBy<F[K]> }

/** A name as columns spell it. The spelled part is carried along, since TypeScript nests such types a hundred deep at most. */
export type SnakeCase<T extends string, Done extends string = ''> = T extends `${infer Head}${infer Rest}`
  ? SnakeCase<Rest, `${Done}${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}`>
  : Done

type ColumnName<F extends DescribedField, K extends string> = F['column'] extends string ? F['column'] : SnakeCase<K>

/** The columns of these fields: what the row type of a table extends (`interface … extends`, which is cheap to check). */
export type ColumnsOf<F extends Fields> = {
  -readonly [K in keyof F & string as ColumnName<F[K], K>]: ReturnType<F[K]['codec']['toColumn']>
}

/** The spelling of columns: `autoApply` is `auto_apply`. */
export const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const columnOf = (name: string, { column }: DescribedField): string => column ?? toSnake(name)

/** Members that are made of the whole source, by hand. */
type ByHand<From> = Readonly<Record<string, (source: From) => unknown>>
type MadeByHand<H> = { [K in keyof H]: H[K] extends (source: never) => infer V ? V : never }

const handMade = (byHand: ByHand<never>): readonly MadeMember[] =>
  Object.entries(byHand).map(([key, convert]) => ({ key, convert }))

/** Sets whose fields lie in one row. */
type Sets = readonly { readonly fields: Fields }[]
type StoredIn<S extends Sets> = S extends readonly [infer First extends Sets[number], ...infer Rest extends Sets]
  ? Stored<First['fields']> & StoredIn<Rest>
  : unknown
type ColumnsIn<S extends Sets> = S extends readonly [infer First extends Sets[number], ...infer Rest extends Sets]
  ? ColumnsOf<First['fields']> & ColumnsIn<Rest>
  : unknown

const entriesOf = (sets: Sets): readonly (readonly [string, DescribedField])[] =>
  sets.flatMap(({ fields }) => Object.entries(fields))

/**
 * Reads the fields of several sets from a row, all at once: putting an object together from several others takes many
 * times as long.
 */
export function rowReader<Row, const S extends Sets, const H extends ByHand<Row>>(
  sets: S,
  byHand: H,
): (row: Row) => StoredIn<S> & MadeByHand<H> {
  const members = entriesOf(sets).map(([name, field]) => ({
    key: name,
    from: columnOf(name, field),
    convert: field.codec.fromColumn,
  }))
  return compile([...members, ...handMade(byHand)])
}

/** Takes the fields of several sets out of something that has them, all at once. */
export function picker<const S extends Sets, Model extends StoredIn<S>, const H extends ByHand<Model>>(
  sets: S,
  byHand: H,
): (model: Model) => StoredIn<S> & MadeByHand<H> {
  const members = entriesOf(sets).map(([name]) => ({ key: name, from: name, convert: asIs }))
  return compile([...members, ...handMade(byHand)])
}

/** Writes the fields of several sets as columns, all at once. */
export function rowWriter<const S extends Sets, Model extends StoredIn<S>, const H extends ByHand<Model>>(
  sets: S,
  byHand: H,
): (model: Model) => ColumnsIn<S> & MadeByHand<H> {
  const members = entriesOf(sets).map(([name, field]) => ({
    key: columnOf(name, field),
    from: name,
    convert: field.codec.toColumn,
  }))
  return compile([...members, ...handMade(byHand)])
}

/** The columns of those fields that have a value; the others are left out. */
export function columnsOfSome<F extends Fields>(fields: F, some: Partial<Stored<F>>): Partial<ColumnsOf<F>> {
  const columns = Object.entries(fields).flatMap(([name, field]) => {
    const value = (some as Readonly<Record<string, unknown>>)[name]
    return value === undefined ? [] : [[columnOf(name, field), field.codec.toColumn(value)]]
  })
  return Object.fromEntries(columns) as Partial<ColumnsOf<F>>
}

/** Shows the fields that answers show, under the names that they have there. */
export const documentWriter = <F extends Fields>(
  fields: F,
  nameOf: (name: string) => string,
): ((stored: Stored<F>) => Record<string, unknown>) =>
  compile(shownIn(fields).map(([name, { codec }]) => ({ key: nameOf(name), from: name, convert: codec.toDocument })))

/** The fields that answers show. */
export const shownIn = (fields: Fields): readonly (readonly [string, DescribedField])[] =>
  Object.entries(fields).filter(([, { shown }]) => shown !== undefined)

/** The first values of those fields that have one. */
export const initialOf = <F extends Fields>(fields: F): Initial<F> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { initial }]) => (initial === undefined ? [] : [[name, initial]])),
  ) as Initial<F>
