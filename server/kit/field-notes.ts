import type { TSchema } from 'typebox'
import type { FieldKind, FieldSchema } from './fields.ts'

/** What policies have to know of a field to judge what is sent. */
export type FieldNote = {
  /** Whether one text with commas is read as several values. */
  readonly several: boolean
}

/** The notes on the fields of an endpoint, by name in lower case; a field without one is judged as it is sent. */
export type FieldNotes = ReadonlyMap<string, FieldNote>

const kindsOfSeveral: ReadonlySet<FieldKind | undefined> = new Set<FieldKind>(['list', 'text-map', 'object'])

/** The notes on the fields of a schema; undefined if there are none, as for most. */
export function notesOn(schema: TSchema | undefined): FieldNotes | undefined {
  const properties = Object.entries((schema as { properties?: Record<string, FieldSchema> })?.properties ?? {})
  const notes = properties
    .filter(([, type]) => kindsOfSeveral.has(type['x-field']))
    .flatMap(([name, type]) => [name, ...(type['x-aliases'] ?? [])])
    .map((name) => [name.toLowerCase(), { several: true }] as const)
  return notes.length === 0 ? undefined : new Map(notes)
}
