import { type BodyShape, Type } from '../../../kit/endpoint.ts'
import { changing, invalidDocument, type Resource, resourceBody, resourceSchema } from '../../../kit/jsonapi/index.ts'
import { settings, value } from './ssh-key-fields.ts'
import type { SshKey } from './ssh-key-rules.ts'

/** A key as answers show it: never with its value. */
export const keySchema = resourceSchema('ssh-keys', { attributes: settings.shown })

/** A key as a resource. */
export const toKeyResource = (key: SshKey): Resource => ({
  type: 'ssh-keys',
  id: key.id,
  attributes: settings.toDocument(key),
  links: { self: `/api/v2/ssh-keys/${key.id}` },
})

/** The body that stores a key. */
export const newKeyBody = resourceBody('ssh-keys', { attributes: { ...settings.fields, value } })

/** The body that renames a key. */
export const changedKeyBody = resourceBody('ssh-keys', { attributes: changing(settings.fields) })

/** The key as an attribute or as a linkage; null in place of the id, or of the linkage, removes the key. */
export const assignmentBody: BodyShape<{ readonly keyId: string | null }> = {
  kind: 'json',
  schema: Type.Object({
    data: Type.Union([
      Type.Object({
        type: Type.String({ description: '`workspaces`, or `ssh-keys` with the id beside it.' }),
        attributes: Type.Optional(
          Type.Object({
            id: Type.Union([Type.String(), Type.Null()], { description: 'Key to use, or null for none.' }),
          }),
        ),
      }),
      Type.Null(),
    ]),
  }),
  parse: (raw) => {
    if (raw.data === null) return { keyId: null }
    if (typeof raw.data !== 'object' || Array.isArray(raw.data))
      throw invalidDocument([{ detail: 'Data must be an object', pointer: '/data' }])
    const data = raw.data as Record<string, unknown>
    if (data.type !== 'workspaces' && data.type !== 'ssh-keys')
      throw invalidDocument([{ detail: 'Type must be "workspaces"', pointer: '/data/type' }])
    const linked = data.type === 'ssh-keys'
    const holder = linked ? data : ((data.attributes ?? {}) as Record<string, unknown>)
    const pointer = linked ? '/data/id' : '/data/attributes/id'
    if (holder.id === null) return { keyId: null }
    if (typeof holder.id === 'string' && holder.id !== '') return { keyId: holder.id }
    throw invalidDocument([{ detail: 'Id must be that of an SSH key, or null', pointer }])
  },
}
