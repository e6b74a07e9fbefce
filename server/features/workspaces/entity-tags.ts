import { hash } from 'node:crypto'
import { failure } from '../../kernel/failure.ts'
import type { Call } from '../../kit/endpoint.ts'
import type { Resource } from '../../kit/jsonapi/index.ts'

/** The tag of a workspace's document: it moves whenever anything in the document does, for this caller. */
export const entityTag = (resource: Resource): string =>
  `W/"${hash('sha1', JSON.stringify({ data: resource }), 'base64url')}"`

/** True if a request says which document it wants to change. */
export const isConditional = ({ headers }: Call['request']): boolean => headers['if-match'] !== undefined

/** Refuses a write whose `If-Match` names another document than there is. */
export function requireMatch({ headers }: Call['request'], resource: Resource): void {
  const wanted = headers['if-match']
  if (wanted === undefined || wanted.trim() === '*') return
  const strong = (tag: string): string => tag.trim().replace(/^W\//, '')
  const current = strong(entityTag(resource))
  if (wanted.split(',').some((tag) => strong(tag) === current)) return
  throw failure(
    'precondition',
    'workspace.changed',
    'The workspace has changed since it was read; read it again and repeat the change.',
  )
}
