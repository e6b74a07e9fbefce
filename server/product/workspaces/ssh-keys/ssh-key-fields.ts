import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import { fieldSet } from '../../../kit/jsonapi/document-field-set.ts'

/** The settings of a key. */
export const settings = fieldSet({
  name: attribute.text('Name of the key.', {
    required: true,
    maxLength: 255,
    check: (text) => (text.trim() === '' ? "can't be blank" : undefined),
    example: 'modules',
    shown: 'Name.',
  }),
})

/** What the server notes. */
export const facts = fieldSet({
  createdAt: attribute.time('When it was created.', { shown: false }),
})

/** The key itself as it is sent: it is stored sealed, and never shown. */
export const value = attribute.text('The private key. It is stored encrypted and never shown again.', {
  required: true,
  maxLength: 64 * 1024,
})
