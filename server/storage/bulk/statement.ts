/** How the two databases are called in SQL. */
export type DatabaseNames = { readonly live: string; readonly scratch: string }

/** A statement and its values. Marks are `?`; an engine that counts its marks replaces them. */
export type Statement = { readonly sql: string; readonly values: readonly unknown[] }

/** A statement; without values if it has no marks. */
export const statement = (sql: string, values: readonly unknown[] = []): Statement => ({ sql, values })
