import { expect, test } from 'vitest'
import { tables } from '../../docs/sql/tables.ts'
import type { DescribedTables } from '../../server/storage/tables.ts'
import { eachEngine, testStore } from '../../test/support/databases.ts'
import { columnsOf } from './tables.ts'

type Listed = typeof tables

/** Columns that migrations make and no row has. */
type Undescribed = {
  [T in keyof Listed]: T extends keyof DescribedTables
    ? `${T}.${Exclude<keyof Listed[T], keyof DescribedTables[T]> & string} is in the table, but its row lacks it`
    : T
}[keyof Listed]

/** Members of rows that no migration makes. */
type Unmade = {
  [T in keyof DescribedTables]: T extends keyof Listed
    ? `${T}.${Exclude<keyof DescribedTables[T], keyof Listed[T]> & string} is in the row, but no migration makes it (then npm run gen)`
    : T
}[keyof DescribedTables]

type ValueOf<Type extends string> = Type extends `${infer Base} null`
  ? ValueOf<Base> | null
  : { text: string; integer: number; real: number; bytes: Uint8Array }[(Type & 'text') | 'integer' | 'real' | 'bytes']

/** Members of rows that hold something else than their column does, or only one of the two can be null. */
type Mistyped = {
  [T in keyof Listed & keyof DescribedTables]: {
    [C in keyof Listed[T] & keyof DescribedTables[T] & string]: Fits<
      DescribedTables[T][C],
      ValueOf<Listed[T][C] & string>
    > extends true
      ? never
      : `${T}.${C} has another type, or another null, in the table than in the row`
  }[keyof Listed[T] & keyof DescribedTables[T] & string]
}[keyof Listed & keyof DescribedTables]

type Fits<Member, Value> = [Member] extends [Value]
  ? null extends Value
    ? null extends Member
      ? true
      : false
    : true
  : false

/** Not `never`: the type check fails and names what differs. */
type Nothing<T extends never> = T

test('each described row has the columns of its table, and the type check says which it lacks or has too many', () => {
  const differences: Nothing<Undescribed | Unmade | Mistyped>[] = []
  expect(differences).toEqual([])
})

eachEngine((engine) => {
  test(`tables: the list names what the migrations make on ${engine}`, async () => {
    const { db } = await testStore(engine)
    expect(await columnsOf(db)).toEqual(tables)
  })
})
