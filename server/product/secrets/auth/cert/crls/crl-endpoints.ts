import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { instant, toIso } from '../../../../../kernel/clock.ts'
import { shownAddress } from '../../../../../kernel/hidden-credentials.ts'
import type { Operation } from '../../../../../kit/access.ts'
import { fields } from '../../../../../kit/bodies.ts'
import { acl, type Call, endpoint, type MountEndpoint } from '../../../../../kit/endpoint.ts'
import { envelopeOf, KeyList, WarningsAlone } from '../../../../../kit/envelope.ts'
import { checkEquivalentPaths } from '../../../../../kit/equivalent-paths.ts'
import { field } from '../../../../../kit/fields.ts'
import { listTerms, namesReply } from '../../../../../kit/list.ts'
import { model } from '../../../../../kit/model.ts'
import { bytes, data, nothing, type Reply } from '../../../../../kit/reply.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { hasSudo, requireStillAllowed } from '../../../../../kit/still-allowed.ts'
import { type Crl, countSerials, serialSets } from '../../../../../pki/index.ts'
import { type CrlPlace, forgedSigner, type StoredCrl } from './crl.ts'
import { noSuchCrl, removeCrl, seeLog, writeCrl } from './crl-actions.ts'
import { readNamedCrl } from './crl-memory-actions.ts'
import { listCrlNames } from './crl-store.ts'
import { isInForce } from './signer-actions.ts'

/** The body of a CRL write. */
const CrlBody = Type.Object({
  name: field.text('Ignored: the path names the list.'),
  crl: field.text('The list as PEM, or base64 of DER. Takes precedence over a URL.'),
  url: field.text('URL to fetch the list from, now and whenever it is due.'),
})

/** What a CRL read answers. */
const CrlAnswer = model('CertRevocationList', {
  serials: Type.Record(Type.String(), Type.Object({}), { description: 'Revoked serial numbers in decimal.' }),
  cdp: Type.Unsafe<unknown>({
    type: ['object', 'null'],
    description:
      'URL that the list is fetched from, without credentials, and when it expires; null for a list that was uploaded.',
  }),
  issuer: Type.String({ description: 'Name of the CA that issued the list.' }),
  signature_verified: Type.Boolean({ description: 'True if the list is signed by a CA that some role trusts.' }),
  in_force: Type.Boolean({
    description:
      'True if the list revokes certificates of a CA that some role trusts. False while no role trusts its issuer: it ' +
      'then counts only for clients that send that CA along, and for pinned certificates. Also false if its signature ' +
      "proved not to be the issuer's: then it does not count at all.",
  }),
  this_update: Type.String({ description: 'When the list was issued.' }),
  next_update: Type.Unsafe<unknown>({ type: ['string', 'null'], description: 'When the next list is due.' }),
})

/** Everything about a list but its serial numbers. */
function crlFacts(stored: StoredCrl, maySeeCalls: boolean): Record<string, unknown> {
  const { url, issuer, signerKey, thisUpdate, nextUpdate, number, entries, lastError } = stored
  return {
    cdp:
      url === ''
        ? null
        : { url: shownAddress(url), valid_until: nextUpdate === undefined ? noTime : seconds(nextUpdate) },
    issuer,
    number: number ?? null,
    this_update: seconds(thisUpdate),
    next_update: nextUpdate === undefined ? null : seconds(nextUpdate),
    signature_verified: signerKey !== '' && signerKey !== forgedSigner,
    entries,
    ...(lastError === ''
      ? {}
      : { last_error: maySeeCalls ? lastError : seeLog, last_error_at: seconds(stored.lastErrorAt) }),
  }
}

/** The zero time of clients of this family. */
const noTime = '0001-01-01T00:00:00Z'

const seconds = (at: number): string => toIso(instant(at)).replace(/\.\d+Z$/, 'Z')

/** The serial numbers as an object with empty values. */
const serialsOf = (crl: Crl): Record<string, object> =>
  Object.fromEntries(serialSets(crl).flatMap((serials) => Array.from(serials, (serial) => [serial, {}])))

/** Above so many serial numbers an answer is written piece by piece. */
const maxSerialsInMemory = 5_000

const serialsPerPiece = 2_000

/** The whole answer to the read of a long list, a piece at a time; the envelope has the facts about the list as `data`. */
const streamedAnswer = (envelope: Record<string, unknown>, crl: Crl): Readable =>
  Readable.from(pieces(envelope, crl), { objectMode: false, highWaterMark: 256 * 1024 })

function* pieces({ data: facts, ...envelope }: Record<string, unknown>, crl: Crl): Generator<Buffer> {
  // With the facts at its end, so that cutting off two closing braces leaves room for the serial numbers.
  let text = `${JSON.stringify({ ...envelope, data: facts }).slice(0, -2)},"serials":{`
  let count = 0
  for (const serials of serialSets(crl)) {
    for (const serial of serials) {
      text += `${count === 0 ? '' : ','}"${serial}":{}`
      if (++count % serialsPerPiece !== 0) continue
      yield Buffer.from(text)
      text = ''
    }
  }
  yield Buffer.from(`${text}}}}`)
}

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
  const in_force = await isInForce(deps, mountOf(request).id, { ...stored, crl })
  const facts = { ...crlFacts(stored, await hasSudo(call, 'read')), in_force }
  if (countSerials(crl) <= maxSerialsInMemory) return data({ serials: serialsOf(crl), ...facts })
  return bytes('application/json', streamedAnswer(envelopeOf(request, { data: facts }), crl))
}

/** Revocation lists of certificate login. */
export const crlEndpoints: readonly MountEndpoint[] = [
  endpoint({
    ...listTerms,
    id: 'cert-crls.list',
    route: 'LIST /crls',
    summary: 'List revocation lists.',
    access: acl(),
    returns: { 200: KeyList },
    handle: (call) => {
      const { id } = mountOf(call.request)
      return namesReply(call, (db, place) => listCrlNames(db, id, place))
    },
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
      'its next update is due. How a failed fetch ended is told to callers with sudo, and to the log.',
    body: fields(CrlBody, { maxBytes: (settings) => settings.crlBytes + bodySlack }),
    returns: { 200: WarningsAlone, 204: null },
    fails: ['invalid', 'conflict'],
    example: { request: { url: 'http://crl.example.com/intermediate.crl' } },
    handle: async (call) => {
      const { deps, body, signal, warn } = call
      const input = { crl: body.crl ?? '', url: body.url ?? '' }
      const since = deps.clock.monotonic()
      const wait = {
        signal,
        checkAgain: () => requireStillAllowed(call, { since, operation: 'update' }),
        maySeeCalls: () => hasSudo(call, 'update'),
      }
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
