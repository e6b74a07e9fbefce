import { type Failure, failure } from '../../../kernel/failure.ts'
import type { Call } from '../../../kit/endpoint.ts'
import { namesTag, weakTagOf } from '../../../kit/entity-tag.ts'
import { type PageDocument, type Resource, writeOut } from '../../../kit/jsonapi/index.ts'
import type { Reply } from '../../../kit/reply.ts'

/** The tag of a workspace's document: it moves whenever anything in the document does, for this caller. */
export const entityTag = (resource: Resource): string => writeOut(resource).tag

/** Answers with a page of entries that were written out before: they are joined, and its tag follows from theirs. */
export function answerWrittenPage(page: PageDocument): Reply {
  const { data, links, meta } = page
  const entries = data.map(writeOut)
  const rest = `"links":${JSON.stringify(links)},"meta":${JSON.stringify(meta)}`
  const tag = weakTagOf(`${entries.map((entry) => entry.tag).join()}${rest}`)
  const text = `{"data":[${entries.map((entry) => entry.text).join()}],${rest}}`
  return { kind: 'document', document: page, text, headers: { ETag: tag } }
}

/** The header of writes that a change in between stops, as the reference tells it. */
export const onlyIfUnchanged = { 'If-Match': 'The `ETag` of a read: nothing is done unless the workspace is still so.' }

/** True if a request says which document it wants to change; `*` takes any. */
export const isConditional = ({ headers }: Call['request']): boolean => (headers['if-match'] ?? '*').trim() !== '*'

/** The refusal of a write to a workspace that is not as it was read. */
export const changedSince = (): Failure =>
  failure(
    'precondition',
    'workspace.changed',
    'The workspace has changed since it was read; read it again and repeat the change.',
  )

/** Refuses a write whose `If-Match` names another document than there is. */
export function requireMatch({ headers }: Call['request'], resource: Resource): void {
  if (!namesTag(headers['if-match'] ?? '', entityTag(resource))) throw changedSince()
}
