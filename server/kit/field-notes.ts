import type { TSchema } from 'typebox'
import type { FieldKind, FieldSchema } from './fields.ts'

/** Other names that fields may be sent under, by the name that the reference gives them. */
export type FieldAliases = Readonly<Record<string, readonly string[]>>

/** What policies have to know of a field to judge what is sent. All names are in lower case. */
export type FieldNote = {
  /** Whether one text with commas is read as several values. */
  readonly several: boolean
  /** Every name of the field; the present one comes first, old ones follow. */
  readonly spellings: readonly [present: string, ...old: string[]]
}

/** The notes on the fields of an endpoint by each of their names; a field without one is judged as it is sent. */
export type FieldNotes = ReadonlyMap<string, FieldNote>

const kindsOfSeveral: ReadonlySet<FieldKind | undefined> = new Set<FieldKind>(['list', 'text-map', 'object'])

/** The notes on the fields of a schema; undefined if there are none, as for most. */
export function notesOn(schema: TSchema | undefined, aliases: FieldAliases = {}): FieldNotes | undefined {
  const properties = (schema as { properties?: Record<string, FieldSchema> } | undefined)?.properties ?? {}
  const oldNames = new Set(Object.values(aliases).flat())
  const notes = new Map<string, FieldNote>()
  for (const [present, type] of Object.entries(properties)) {
    if (oldNames.has(present)) continue
    const names = [present, ...(type['x-aliases'] ?? []), ...(aliases[present] ?? [])]
    const spellings = names.map((name) => name.toLowerCase()) as [string, ...string[]]
    for (const name of names) {
      const several = kindsOfSeveral.has((properties[name] ?? type)['x-field'])
      if (several || spellings.length > 1) notes.set(name.toLowerCase(), { several, spellings })
    }
  }
  return notes.size === 0 ? undefined : notes
}
