import { expect, test } from 'vitest'
import { isFailedClaim, translatePostgres } from '../database-errors.ts'
import { troubleOf } from './trouble.ts'

/** An error as sent by a server whose messages are in another language. */
const told = (code: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { code, severity: 'ОШИБКА', ...more })

test.each([
  ['40001', {}, 'conflict'],
  ['40P01', {}, 'conflict'],
  ['25006', {}, 'read-only'],
  ['0A000', { routine: 'RevalidateCachedQuery' }, 'stale-plan'],
  ['0A000', { routine: 'transformInsertStmt' }, 'refused'],
  ['26000', {}, 'stale-plan'],
  ['57P01', { severity: 'ВАЖНО' }, 'lost'],
  ['25P03', { severity: 'ВАЖНО' }, 'lost'],
  ['25P04', { severity: 'ВАЖНО' }, 'lost'],
  ['08006', {}, 'lost'],
  ['53200', { severity: 'FATAL' }, 'lost'],
  ['25P02', {}, 'refused'],
  ['23505', {}, 'refused'],
])('SQLSTATE %s %o is classified as %s, whatever the language of the server', (code, more, trouble) => {
  expect(troubleOf(told(code, 'кэшированный план', more))).toBe(trouble)
})

test.each([
  ['ECONNRESET', 'read ECONNRESET', 'lost'],
  ['ENETDOWN', 'write ENETDOWN', 'lost'],
  ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'decryption failed or bad record mac', 'lost'],
  [undefined, 'Connection terminated unexpectedly', 'lost'],
  [undefined, 'Received unexpected commandComplete message from backend.', 'lost'],
  ['ERR_INVALID_ARG_TYPE', 'The value is no Buffer', 'refused'],
  [undefined, 'Converting circular structure to JSON', 'refused'],
])('the client-side error %s %s is classified as %s', (code, message, trouble) => {
  expect(troubleOf(Object.assign(new Error(message), { code }))).toBe(trouble)
})

test.each([
  ['53100', 'storage.full'],
  ['53200', 'storage.busy'],
  ['57014', 'storage.busy'],
  ['55P03', 'storage.busy'],
])('SQLSTATE %s is reported as %s with retryAfter', (state, code) => {
  const refusal = translatePostgres(told(state, 'нет места'))
  expect(refusal).toMatchObject({ kind: 'unavailable', code, extras: { retryAfter: expect.any(Number) } })
})

test.each(['invalid input syntax for type integer: "claim lost: 0 rows"', 'Eingabesyntax: »claim lost: 2 rows«'])(
  'a lost claim is recognised: %s',
  (message) => {
    expect(isFailedClaim(told('22P02', message))).toBe(true)
    expect(isFailedClaim(told('22P02', 'invalid input syntax'))).toBe(false)
  },
)
