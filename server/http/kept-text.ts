import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Call } from '../kit/endpoint.ts'
import { namesTag } from '../kit/entity-tag.ts'
import { bytes, nothing, type Reply } from '../kit/reply.ts'

type Form = { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> }

/** As it is and compressed; each has a strong tag of its own, since their bytes differ (RFC 9110 §8.8.1). */
type Forms = { readonly plain: Form; readonly gzip: Form }

/** May be kept by anybody, but is asked for again each time: the next version of the server has another one. */
const caching = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' } as const

function formsOf(text: string): Forms {
  const body = Buffer.from(text)
  const digest = hash('sha256', body, 'base64url').slice(0, 27)
  return {
    plain: { body, headers: { ...caching, ETag: `"${digest}"` } },
    gzip: {
      body: gzipSync(body),
      headers: { ...caching, ETag: `"${digest}-gzip"`, 'Content-Encoding': 'gzip' },
    },
  }
}

/**
 * Answers with a long text that takes long to write and that anybody may ask for. It is written, compressed and hashed
 * once, when somebody asks for it: the start need not wait for it, nor memory hold it.
 */
export function keptText(contentType: string, write: () => string): (call: Pick<Call, 'request'>) => Reply {
  let forms: Forms | undefined
  return ({ request: { headers } }) => {
    forms ??= formsOf(write())
    const form = acceptsGzip(headers['accept-encoding']) ? forms.gzip : forms.plain
    const { 'Content-Encoding': _, ...unchanged } = form.headers
    return isNamed(headers['if-none-match'], forms)
      ? nothing(304, unchanged)
      : bytes(contentType, form.body, { headers: form.headers })
  }
}

/** True if the caller has the text, in either form. */
const isNamed = (asked: string | undefined, { plain, gzip }: Forms): boolean =>
  asked !== undefined &&
  (asked.trim() === '*' || [plain, gzip].some((form) => namesTag(asked, form.headers.ETag ?? '')))

/** True if `Accept-Encoding` names gzip, or any coding, without a weight of zero (RFC 9110 §12.5.3). */
export function acceptsGzip(accepted = ''): boolean {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((each) => {
        const [coding = '', ...parameters] = each.split(';').map((part) => part.trim())
        const weight = parameters.find((parameter) => parameter.startsWith('q='))
        return [coding, weight === undefined ? 1 : Number(weight.slice(2))]
      }),
  )
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}
