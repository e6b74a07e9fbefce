import { expect, test } from 'vitest'
import { failure } from '../../kernel/failure.ts'
import { reasonOf } from './reason.ts'

const fromServer = (code: string, message: string) => Object.assign(new Error(message), { code, severity: 'FATAL' })
const fromSystem = (code: string) => Object.assign(new AggregateError([]), { code })

test.each([
  [fromSystem('ECONNREFUSED'), 'nothing listens there'],
  [fromSystem('ENOTFOUND'), 'its host name is not known'],
  [
    fromSystem('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    'its certificate is from an authority that is not known here; name its file with sslrootcert in the storage address',
  ],
  [fromSystem('ERR_TLS_CERT_ALTNAME_INVALID'), 'its certificate is not for the host of the storage address'],
  [
    new Error('The server does not support SSL connections'),
    'it does not support TLS, but sslmode in the storage address requires it',
  ],
  [new Error('Connection terminated unexpectedly'), 'the connection was cut'],
  [new Error('Connection terminated due to connection timeout'), 'it does not answer in time'],
  [
    new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
    'it requires a password, but the storage address has none',
  ],
  [
    fromServer('28P01', 'password authentication failed for user "app"'),
    'it refuses the user or the password of the storage address (password authentication failed for user "app")',
  ],
  [
    fromServer('53300', 'sorry, too many clients already'),
    'all its connections are in use; raise its max_connections or stop other programs (sorry, too many clients already)',
  ],
  [fromServer('XX000', 'something odd'), 'something odd'],
  [failure('unavailable', 'x', 'For callers.', { cause: new Error('For operators.') }), 'For operators'],
])('reason: %s is described as: %s', (thrown, reason) => {
  expect(reasonOf(thrown)).toBe(reason)
})
