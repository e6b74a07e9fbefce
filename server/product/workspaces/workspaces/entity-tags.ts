import { type Failure, failure } from '../../../kernel/failure.ts'
import type { Call } from '../../../kit/endpoint.ts'
import { namesTag, weakTagOf } from '../../../kit/entity-tag.ts'
import { type PageDocument, type Resource, writeResource } from '../../../kit/jsonapi/index.ts'
import type { Reply } from '../../../kit/reply.ts'
import { renderWorkspace } from './document.ts'
import type { OnWorkspace } from './workspace-access.ts'
import type { Workspace } from './workspace-rules.ts'

/** The tag of a workspace's document: it changes whenever anything in the document does, for this caller. */
export const entityTag = (resource: Resource): string => writeResource(resource).tag

/**
 * Answers with a page of entries that were serialized before: they are joined, and the page's tag is derived from
 * theirs.
 */
export function answerWrittenPage(page: PageDocument): Reply {
  const { data, links, meta } = page
  const entries = data.map(writeResource)
  const rest = `"links":${JSON.stringify(links)},"meta":${JSON.stringify(meta)}`
  const tag = weakTagOf(`${entries.map((entry) => entry.tag).join()}${rest}`)
  const text = `{"data":[${entries.map((entry) => entry.text).join()}],${rest}}`
  return { kind: 'document', document: page, text, headers: { ETag: tag } }
}

/** The header of writes that are to fail after a change in between, as the reference describes it. */
export const ifMatchHeader = {
  'If-Match':
    'The `ETag` of an earlier read without `include` and `fields`: nothing is done if the workspace has changed since.',
}

/** The refusal of a write to a workspace that has changed since it was read, or was read in another form. */
const changedSinceRead = (): Failure =>
  failure(
    'precondition',
    'workspace.changed',
    'The workspace has changed since it was read, or If-Match has the ETag of a read with include or fields; read it ' +
      'again without these and repeat the change.',
  )

/** The revision that a conditional request has read; refused if the document is another by now. */
export async function expectedRevision(
  call: Pick<Call, 'deps' | 'request'> & { readonly subject: OnWorkspace },
): Promise<number | undefined> {
  const tags = call.request.headers['if-match'] ?? '*'
  if (tags.trim() === '*') return undefined
  const { resource: workspace, grants } = call.subject
  if (!namesTag(tags, entityTag(await renderWorkspace(call, grants, workspace)))) throw changedSinceRead()
  return workspace.revision
}

/** Refuses a workspace that has changed since that revision, if there is one. */
export function requireRevision({ revision }: Workspace, expected: number | undefined): void {
  if (expected !== undefined && revision !== expected) throw changedSinceRead()
}
