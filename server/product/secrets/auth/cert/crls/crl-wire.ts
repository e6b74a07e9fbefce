import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { instant, toIso } from '../../../../../kernel/clock.ts'
import { shownAddress } from '../../../../../kernel/hidden-credentials.ts'
import { field } from '../../../../../kit/fields.ts'
import { model } from '../../../../../kit/model.ts'
import { type Crl, serialSets } from '../../../../../pki/index.ts'
import { forgedSigner, type StoredCrl } from './crl.ts'

/** The body of a CRL write. */
export const CrlBody = Type.Object({
  name: field.text('Ignored: the path names the list.'),
  crl: field.text('The list as PEM, or base64 of DER. Takes precedence over a URL.'),
  url: field.text('URL to fetch the list from, now and whenever it is due.'),
})

/** What a CRL read answers. */
export const CrlAnswer = model('CertRevocationList', {
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
      'False if the list was stored before its issuer was known, and its signature later proved not to be the ' +
      "issuer's.",
  }),
  this_update: Type.String({ description: 'When the list was issued.' }),
  next_update: Type.Unsafe<unknown>({ type: ['string', 'null'], description: 'When the next list is due.' }),
})

/** Everything about a list but its serial numbers. */
export function crlFacts(stored: StoredCrl): Record<string, unknown> {
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
    in_force: signerKey !== forgedSigner,
    entries,
    ...(lastError === '' ? {} : { last_error: lastError, last_error_at: seconds(stored.lastErrorAt) }),
  }
}

/** The zero time of clients of this family. */
const noTime = '0001-01-01T00:00:00Z'

const seconds = (at: number): string => toIso(instant(at)).replace(/\.\d+Z$/, 'Z')

/** The serial numbers as an object with empty values. */
export const serialsOf = (crl: Crl): Record<string, object> =>
  Object.fromEntries(serialSets(crl).flatMap((serials) => Array.from(serials, (serial) => [serial, {}])))

/** Above so many serial numbers an answer is written piece by piece. */
export const maxSerialsInMemory = 5_000

const serialsPerPiece = 2_000

/** The whole answer to the read of a long list, a piece at a time; the envelope has the facts about the list as `data`. */
export const streamedAnswer = (envelope: Record<string, unknown>, crl: Crl): Readable =>
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
