import { Failure, textOf } from '../../kernel/failure.ts'
import { sqlState } from '../database-errors.ts'

const unknownAuthority =
  'its certificate is from an authority that is not known here; name its file with sslrootcert in the storage address'

/** By the code of the error that the network or TLS gave. */
const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up at the moment',
  EHOSTUNREACH: 'there is no route to its host',
  ENETUNREACH: 'there is no route to its network',
  ETIMEDOUT: 'it does not answer in time',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is not for the host of the storage address',
}

/** By SQLSTATE; the server's own message is added in brackets. */
const serverReasons: Readonly<Record<string, string>> = {
  '28P01': 'it refuses the user or the password of the storage address',
  '28000': 'it does not let this user in; see its pg_hba.conf',
  '3D000': 'the database of the storage address does not exist; create it',
  '42501': 'the user of the storage address lacks a right',
  '53300': 'all its connections are in use; raise its max_connections or stop other programs',
  '57P01': 'it is being shut down',
  '57P02': 'it crashed',
  '57P03': 'it is starting up or shutting down',
}

/** What the driver and the TLS library say in words alone. */
const reasonsByMessage: readonly (readonly [RegExp, string])[] = [
  [/^SASL: .*password must be a string/, 'it requires a password, but the storage address has none'],
  [/does not support SSL/, 'it does not support TLS, but sslmode in the storage address requires it'],
  [/timeout/i, 'it does not answer in time'],
  [/terminated|not queryable|was closed/i, 'the connection was cut'],
]

/** Why PostgreSQL could not be used, as part of a sentence for operators: what is wrong, not where our code noticed it. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof Failure) return textOf(thrown.cause ?? thrown).replace(/\.$/, '')
  const text = textOf(thrown)
  const state = sqlState(thrown)
  if (state !== undefined) return serverReasons[state] ? `${serverReasons[state]} (${text})` : text
  const { code } = (thrown ?? {}) as { code?: unknown }
  const known = typeof code === 'string' ? networkReasons[code] : undefined
  return known ?? reasonsByMessage.find(([pattern]) => pattern.test(text))?.[1] ?? text
}
