import type { Mount } from '../kit/mount.ts'

/** Part of a record: keys as they are written. */
export type Fields = Record<string, unknown>

/** Leaves out what is empty: nothing, no text, zero, false, empty lists and maps. */
export function compact(fields: Fields): Fields {
  const kept: Fields = {}
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    if (!isEmpty(value)) kept[key] = value
  }
  return kept
}

/** True for nothing, no text, zero, false, empty lists and maps, which records leave out. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true
  if (typeof value !== 'object') return false
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0
}

/** A field with the comma before it; nothing if the value is empty. */
export const field = (name: string, value: unknown): string =>
  isEmpty(value) ? '' : `,"${name}":${JSON.stringify(value)}`

/** A mount as records show it, and the names of the fields it exempts from hashing. */
export type MountPart = {
  /** Its fields, each with a comma before it. */
  readonly text: string
  readonly requestKeys: ReadonlySet<string>
  readonly responseKeys: ReadonlySet<string>
}

const noMountPart: MountPart = { text: '', requestKeys: new Set(), responseKeys: new Set() }

const known = new WeakMap<Mount, MountPart>()

/** Describes where a request went. A mount stays the same object until somebody changes it. */
export function mountPartOf(mount: Mount | undefined): MountPart {
  if (!mount) return noMountPart
  const found = known.get(mount)
  if (found) return found
  const { path, type, accessor, config } = mount
  const kind = path.startsWith('auth/') ? 'auth' : 'secret'
  const place = field('mount_point', path) + field('mount_type', type) + field('mount_accessor', accessor)
  const part = {
    text: `${place}${field('mount_class', kind)}`,
    requestKeys: new Set(config.auditNonHmacRequestKeys),
    responseKeys: new Set(config.auditNonHmacResponseKeys),
  }
  known.set(mount, part)
  return part
}
