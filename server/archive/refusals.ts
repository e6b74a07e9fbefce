import { type Failure, failure } from '../kernel/failure.ts'

/** The bytes are not an archive, or not a complete one. */
export const unreadable = (why: string, cause?: unknown): Failure =>
  failure('invalid', 'archive.unreadable', `snapshot archive is not readable: ${why}`, { cause })

/** A member does not have the checksum that was written beside it. */
export const checksumMismatch = (member: string): Failure =>
  failure('invalid', 'archive.checksum', `snapshot integrity check failed for "${member}"`)

/** Another program's archive. */
export const foreignArchive = (): Failure =>
  failure(
    'invalid',
    'archive.foreign-program',
    'This is not a Holdfast snapshot. Only Holdfast snapshots can be restored here.',
  )

/** An archive of another format: of a later version, or of none that there ever was. */
export const otherFormat = (format: unknown, known: number): Failure =>
  Number.isSafeInteger(format) && Number(format) > known
    ? newerFormat(format)
    : unreadable(`there is no format ${String(format)}`)

const newerFormat = (format: unknown): Failure =>
  failure(
    'invalid',
    'archive.newer-format',
    `This snapshot has the format ${String(format)}, which this version of Holdfast does not know. Restore it with the version that wrote it, or a newer one.`,
  )

/** An archive whose tables this version does not know. */
export const newerTables = (migration: string): Failure =>
  failure(
    'invalid',
    'archive.newer-tables',
    `This snapshot was written by a newer version of Holdfast: it holds the migration '${migration}', which this version does not know.`,
  )

/** An archive whose tables have to be upgraded by another version first. */
export const olderTables = (migration: string, lastVersion: string): Failure =>
  failure(
    'invalid',
    'archive.older-tables',
    `This snapshot is too old for this version of Holdfast: it lacks the migration '${migration}'. Restore it with ${lastVersion}, and take a new snapshot.`,
  )

/** An archive made with other keys. */
export const otherKeys = (): Failure =>
  failure(
    'invalid',
    'archive.other-keys',
    'This snapshot was made with the seal keys of another server, or its checksums were forged. To restore it anyway, use the force route (sys/storage/raft/snapshot-force, --force on the command line). Give it the seal key or the recovery key of the server it comes from, or this server is sealed afterwards.',
  )

/** What was read back is not what was written. */
export const restoredDiffers = (table: string): Failure =>
  failure('invalid', 'archive.not-equal', `After the test restore, the table '${table}' differs from the original.`)
