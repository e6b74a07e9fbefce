import { failure } from '../../../../kernel/failure.ts'
import { Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'

/** What a holder sends. */
export const shareFields = Type.Object({
  key: field.text('One key share, in hex or base64.'),
  nonce: field.text('The nonce of the operation.'),
})

/** The share that a holder has sent, and which round it is meant for. */
export function shareOf({ key, nonce }: { key?: string | undefined; nonce?: string | undefined }): {
  key: string
  nonce: string
} {
  if (!key) throw failure('invalid', 'shares.no-key', "Give a key share as 'key'.")
  if (!nonce) throw failure('invalid', 'shares.no-nonce', "Give the nonce of the operation as 'nonce'.")
  return { key, nonce }
}
