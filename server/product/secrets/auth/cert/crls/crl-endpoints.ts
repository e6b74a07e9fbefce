import type { Operation } from '../../../../../kit/access.ts'
import { fields } from '../../../../../kit/bodies.ts'
import { acl, type Call, endpoint, type MountEndpoint } from '../../../../../kit/endpoint.ts'
import { envelopeOf } from '../../../../../kit/envelope.ts'
import { KeyList, WarningsAlone } from '../../../../../kit/envelope-schemas.ts'
import { checkEquivalentPaths } from '../../../../../kit/equivalent-paths.ts'
import { bytes, data, keys, nothing, type Reply } from '../../../../../kit/reply.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { requireStillAllowed } from '../../../../../kit/still-allowed.ts'
import { countSerials } from '../../../../../pki/index.ts'
import { PageQuery } from '../roles/role-endpoints.ts'
import { noSuchCrl, removeCrl, writeCrl } from './crl-actions.ts'
import { readNamedCrl } from './crl-memory.ts'
import { type CrlPlace, listCrlNames } from './crl-store.ts'
import { CrlAnswer, CrlBody, crlFacts, maxSerialsInMemory, serialsOf, streamedAnswer } from './crl-wire.ts'

const params = { name: { description: 'Name of the list; case-insensitive.', example: 'intermediate' } }
const common = { access: acl(), params } as const

/** Room for the JSON around a list in a body. */
const bodySlack = 64 * 1024

/** The place that a call addresses; refuses callers who may not do this there. */
async function addressedPlace(call: Omit<Call, 'query' | 'body'>, operation: Operation): Promise<CrlPlace> {
  await checkEquivalentPaths(call, operation)
  return { mountId: mountOf(call.request).id, name: call.params.name ?? '' }
}

/** Answers with a list. It may have millions of entries: then the answer is written while it is sent. */
async function readCrl(call: Omit<Call, 'query' | 'body'>): Promise<Reply> {
  const { deps, request } = call
  const found = await readNamedCrl(deps, await addressedPlace(call, 'read'))
  if (!found) throw noSuchCrl()
  const { stored, crl } = found
  const facts = crlFacts(stored)
  if (countSerials(crl) <= maxSerialsInMemory) return data({ serials: serialsOf(crl), ...facts })
  return bytes('application/json', streamedAnswer(envelopeOf(request, { data: facts }), crl))
}

/** Revocation lists of certificate login. */
export const crlEndpoints: readonly MountEndpoint[] = [
  endpoint({
    id: 'cert-crls.list',
    route: 'LIST /crls',
    summary: 'List revocation lists.',
    access: acl(),
    query: PageQuery,
    returns: { 200: KeyList },
    fails: ['missing'],
    handle: async ({ deps, request, query }) =>
      keys(await listCrlNames(deps.db, mountOf(request).id, { after: query.after ?? '', limit: query.limit ?? 0 })),
  }),
  endpoint({
    ...common,
    id: 'cert-crls.read',
    route: 'GET /crls/:name',
    summary: 'Read the serial numbers and the status of a revocation list.',
    returns: { 200: CrlAnswer },
    fails: ['invalid'],
    handle: readCrl,
  }),
  endpoint({
    ...common,
    id: 'cert-crls.write',
    route: 'POST /crls/:name',
    summary: 'Store a revocation list, or a URL to fetch it from.',
    description:
      'A list given by URL is fetched before the response is sent, and again in the background: every hour, and when ' +
      'its next update is due.',
    body: fields(CrlBody, { maxBytes: (settings) => settings.crlBytes + bodySlack }),
    returns: { 200: WarningsAlone, 204: null },
    fails: ['invalid', 'conflict'],
    example: { request: { url: 'http://crl.example.com/intermediate.crl' } },
    handle: async (call) => {
      const { deps, body, signal, warn } = call
      const input = { crl: body.crl ?? '', url: body.url ?? '' }
      const since = deps.clock.monotonic()
      const wait = { signal, checkAgain: () => requireStillAllowed(call, { since, operation: 'update' }) }
      for (const text of await writeCrl(deps, await addressedPlace(call, 'update'), input, wait)) warn(text)
      return nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'cert-crls.delete',
    route: 'DELETE /crls/:name',
    summary: 'Delete a revocation list.',
    returns: { 204: null },
    fails: ['invalid'],
    handle: async (call) => {
      await removeCrl(call.deps, await addressedPlace(call, 'delete'))
      return nothing()
    },
  }),
]
