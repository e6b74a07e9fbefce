import { createHash } from 'node:crypto'
import { failure } from '../../../kernel/failure.ts'
import { fields } from '../../../kit/bodies.ts'
import type { Deps } from '../../../kit/deps.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { data, type Reply } from '../../../kit/reply.ts'

const algorithms: ReadonlyMap<string, string> = new Map(
  ['sha2-224', 'sha2-256', 'sha2-384', 'sha2-512', 'sha3-224', 'sha3-256', 'sha3-384', 'sha3-512'].map((name) => [
    name,
    name.startsWith('sha2-') ? name.replace('sha2-', 'sha') : name,
  ]),
)

const maxRandomBytes = 128 * 1024

const HashBody = Type.Object({
  input: field.text('Data to hash, in base64.'),
  algorithm: field.text('`sha2-256` (the default), `sha2-224`, `-384`, `-512`, or `sha3-` with one of these lengths.'),
  format: field.text('`hex` (the default) or `base64`.'),
})

const RandomBody = Type.Object({
  bytes: field.whole('Number of bytes; 32 by default.'),
  format: field.text('`base64` (the default) or `hex`.'),
})

function encodeBytes(bytes: Buffer, format: string): string {
  if (format === 'hex' || format === 'base64') return bytes.toString(format)
  throw failure('invalid', 'tools.format', "'format' must be 'hex' or 'base64'.")
}

function hash(body: { input?: string; format?: string }, algorithm: string): Reply {
  const name = algorithms.get(algorithm)
  if (!name)
    throw failure('invalid', 'tools.algorithm', `'algorithm' must be one of ${[...algorithms.keys()].join(', ')}.`)
  // Tools that write base64 break it into lines.
  const input = (body.input ?? '').replace(/[\r\n]/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(input) || input.replace(/=+$/, '').length % 4 === 1) {
    throw failure('invalid', 'tools.input', "'input' must be base64.")
  }
  const sum = createHash(name).update(Buffer.from(input, 'base64')).digest()
  return data({ sum: encodeBytes(sum, body.format || 'hex') })
}

function random(deps: Deps, count: number, format: string | undefined): Reply {
  if (!Number.isInteger(count) || count < 1 || count > maxRandomBytes) {
    throw failure('invalid', 'tools.bytes', `'bytes' must be from 1 to ${maxRandomBytes}.`)
  }
  return data({ random_bytes: encodeBytes(deps.ids.bytes(count), format || 'base64') })
}

const hashBase = {
  access: acl(),
  body: fields(HashBody),
  returns: { 200: Type.Object({ sum: Type.String({ description: 'The hash.' }) }) },
  fails: ['invalid'],
} as const
const randomBase = {
  access: acl(),
  body: fields(RandomBody),
  returns: { 200: Type.Object({ random_bytes: Type.String({ description: 'The random bytes.' }) }) },
  fails: ['invalid'],
} as const

/** Small helpers that every token may use. */
export const toolEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...hashBase,
    id: 'tools.hash',
    route: 'POST /tools/hash',
    summary: 'Hash data.',
    example: { request: { input: 'aGVsbG8=', algorithm: 'sha2-256' } },
    handle: ({ body }) => hash(body, body.algorithm || 'sha2-256'),
  }),
  endpoint({
    ...hashBase,
    id: 'tools.hash-with',
    route: 'POST /tools/hash/:algorithm',
    summary: 'Hash data with the algorithm given in the path.',
    params: { algorithm: { description: 'Name of the algorithm.', example: 'sha2-512' } },
    handle: ({ body, params: { algorithm = '' } }) => hash(body, algorithm),
  }),
  endpoint({
    ...randomBase,
    id: 'tools.random',
    route: 'POST /tools/random',
    summary: 'Generate random bytes.',
    handle: ({ deps, body }) => random(deps, body.bytes ?? 32, body.format),
  }),
  endpoint({
    ...randomBase,
    id: 'tools.random-bytes',
    route: 'POST /tools/random/:count',
    summary: 'Generate the number of random bytes given in the path.',
    params: { count: { description: 'Number of bytes.', pattern: /^\d+$/, example: '64' } },
    handle: ({ deps, body, params: { count = '' } }) => random(deps, Number(count), body.format),
  }),
])
