import type { Reply } from './reply.ts'
import type { RequestFacts } from './request.ts'

/** What goes into an envelope; whatever is absent is shown empty. */
export type EnvelopeContent = Pick<Extract<Reply, { kind: 'data' }>, 'data' | 'auth' | 'lease' | 'wrapInfo'>

/** The envelope of every `/v1` answer: all keys always present, `data` an object even when it is empty. */
export const envelopeOf = (
  request: Pick<RequestFacts, 'id' | 'mount'>,
  { data, auth, lease, wrapInfo }: EnvelopeContent,
  warnings: readonly string[] = [],
): Record<string, unknown> => ({
  request_id: request.id,
  lease_id: lease?.id ?? '',
  renewable: lease?.renewable ?? false,
  lease_duration: lease?.seconds ?? 0,
  data: data ?? {},
  wrap_info: wrapInfo ?? null,
  warnings: warnings.length > 0 ? warnings : null,
  auth: auth ?? null,
  mount_type: request.mount?.type ?? '',
})
