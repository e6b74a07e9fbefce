import { expect, test } from 'vitest'
import { failure } from '../kernel/failure.ts'
import { startFailureLine } from './serve.ts'

const withCode = (code: string, text: string): Error => Object.assign(new Error(text), { code })

test.each([
  [
    'a failure of ours',
    failure('conflict', 'storage.newer-database', 'The database is\n newer.'),
    'The database is newer.',
  ],
  ['a port in use', withCode('EADDRINUSE', 'listen'), 'The port is already in use by another program. (listen)'],
  ['a full disk', withCode('ENOSPC', 'write'), 'The disk is full. (write)'],
  [
    'a broken database',
    Object.assign(new Error('file is not a database'), { errcode: 26 }),
    'The database cannot be used: file is not a database.',
  ],
  [
    'a user who may not create tables',
    Object.assign(withCode('42501', 'permission denied for schema public'), { severity: 'ERROR' }),
    expect.stringMatching(/^The database refuses: permission denied for schema public\. The user .* grant it CREATE/),
  ],
  [
    'a schema that is not there',
    Object.assign(withCode('3F000', 'no schema has been selected to create in'), { severity: 'ERROR' }),
    expect.stringMatching(/^The database refuses: no schema has been selected to create in\. Create the schema/),
  ],
  ['a fault of the program', new TypeError('x is undefined'), undefined],
  ['something that is no error', 'text', undefined],
])('start failure: the message for %s', (_name, thrown, expected) => {
  expect(startFailureLine(thrown)).toEqual(expected)
})
