/** Part of a record: keys as they are written. */
export type Fields = Record<string, unknown>

/** A part that several records share, with what each device made of it: hashed and written once. */
export type Part = { readonly fields: Fields; readonly written: Map<number, Written> }

/** A part as a device wrote it. `token` and `accessor` are the hashes in it, for use elsewhere. */
export type Written = { readonly text: string; token: unknown; readonly accessor: unknown }

/** A part that no device has written yet. */
export const partOf = (fields: Fields): Part => ({ fields, written: new Map() })

/** Adds a value unless it is empty. */
export function put(fields: Fields, key: string, value: unknown): void {
  if (!isEmpty(value)) fields[key] = value
}

/** Leaves out what is empty: nothing, no text, zero, false, empty lists and maps. */
export function compact(fields: Fields): Fields {
  const kept: Fields = {}
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    if (!isEmpty(value)) kept[key] = value
  }
  return kept
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true
  if (typeof value !== 'object') return false
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0
}
