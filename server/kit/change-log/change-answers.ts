import type { Call } from '../endpoint.ts'
import { type AnswerContext, answerAll, continuedAt, type PageRequest } from '../jsonapi/index.ts'
import type { Reply } from '../reply.ts'
import type { ChangePlace, RecordedChange } from './change-rules.ts'
import { type ChangeFilter, listChanges } from './change-store.ts'
import { toChangeResource } from './change-wire.ts'

type ChangesCall = Pick<Call, 'deps' | 'request'> & {
  readonly query: AnswerContext['query'] & { readonly page: PageRequest; readonly before: string | undefined }
}

/** Removes from changes what the caller may not know. */
type RedactChanges = (changes: readonly RecordedChange[]) => Promise<readonly RecordedChange[]>

/** Answers with changes of one organization, and a link to those that follow. */
export async function answerChanges(
  call: ChangesCall,
  { organizationId, organizationName }: { readonly organizationId: string; readonly organizationName: string },
  filter: Omit<ChangeFilter, 'organizationId'>,
  redact: RedactChanges = async (changes) => changes,
): Promise<Reply> {
  const { page, before } = call.query
  const from = { before: readPlace(before ?? ''), limit: page.size }
  const changes = await listChanges(call.deps.reads, { ...filter, organizationId }, from)
  const last = changes.length === page.size ? changes.at(-1) : undefined
  const resources = (await redact(changes)).map((change) => toChangeResource(change, organizationName))
  return answerAll(
    call,
    resources,
    last ? { links: { next: continuedAt(call.request, 'page[before]', placeText(last)) } } : {},
  )
}

/** Reads where a page ended; an invalid text counts as none. */
function readPlace(text: string): ChangePlace | undefined {
  const [, position, id = ''] = /^(\d{1,16})(?:\.(chg-\w+))?$/.exec(text) ?? []
  return position === undefined ? undefined : { position: Number(position), id }
}

const placeText = ({ position, id }: ChangePlace): string => `${position}.${id}`
