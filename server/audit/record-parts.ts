/** Part of a record: keys as they are written. */
export type Fields = Record<string, unknown>

/** A part that several records share, and what each device made of it: hashed and written once. */
export type Part = {
  readonly fields: Fields
  /** What the device with this number made of it. */
  writer: number
  written: Written | undefined
  /** The same of further devices. */
  others: Map<number, Written> | undefined
}

/** A part as a device wrote it. `token` and `accessor` are the hashes in it, for use elsewhere. */
export type Written = { readonly text: string; token: unknown; readonly accessor: unknown }

/** A part that no device has written yet. */
export const partOf = (fields: Fields): Part => ({ fields, writer: 0, written: undefined, others: undefined })

/** What a device made of a part, if it has written it before. */
export const writtenBy = (part: Part, writer: number): Written | undefined =>
  part.writer === writer ? part.written : part.others?.get(writer)

/** Remembers what a device made of a part. */
export function rememberWritten(part: Part, writer: number, written: Written): void {
  if (part.writer !== 0) {
    part.others ??= new Map()
    part.others.set(writer, written)
    return
  }
  part.writer = writer
  part.written = written
}

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
