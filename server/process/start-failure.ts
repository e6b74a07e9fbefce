import { Failure, textOf } from '../kernel/failure.ts'

/** Errors of the machine that people can correct, explained. */
const machineFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is already in use by another program.',
  EACCES: 'A file or a port may not be opened by this user.',
  EPERM: 'The system does not permit this to this user.',
  ENOSPC: 'The disk is full.',
  EROFS: 'The disk is read-only.',
  EMFILE: 'Too many files are open; raise the limit (ulimit -n).',
  ECONNREFUSED: 'The database does not answer.',
  ENOTFOUND: 'The host name of the database is not known.',
}

/** What to do about an error of PostgreSQL, by SQLSTATE. */
const refusalAdvice: Readonly<Record<string, string>> = {
  // Since release 15 users may not create tables in the schema `public` unless they are granted that right.
  '42501':
    'The user of the storage address must be able to create tables; make it the owner of the database, or grant it CREATE on the schema.',
  '3F000': 'Create the schema that search_path names, in the storage address or for its user.',
}

/** Why the server did not start, in one line; undefined when it is a fault of ours that needs its stack. */
export function startFailureLine(thrown: unknown): string | undefined {
  if (thrown instanceof Failure) return oneLine(thrown.message)
  const { code, errcode, severity } = thrown as { code?: unknown; errcode?: unknown; severity?: unknown }
  const advice = severity !== undefined && typeof code === 'string' ? refusalAdvice[code] : undefined
  if (advice) return `The database refuses: ${oneLine(textOf(thrown))}. ${advice}`
  if (typeof errcode === 'number') return `The database cannot be used: ${oneLine(textOf(thrown))}.`
  const known = typeof code === 'string' ? machineFaults[code] : undefined
  return known && `${known} (${oneLine(textOf(thrown))})`
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').trim()
