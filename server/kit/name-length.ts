import { failure } from '../kernel/failure.ts'

/** Refuses names that are too long to be looked up: PostgreSQL indexes at most 2,704 bytes of a row. */
export function refuseLongName(what: string, name: string, mostBytes = 512): void {
  if (Buffer.byteLength(name) <= mostBytes) return
  throw failure('invalid', 'name.too-long', `${what} has more than ${mostBytes} bytes.`)
}
