import { failure } from '../../../../kernel/failure.ts'
import { streamed } from '../../../../kit/bodies.ts'
import { defineEndpoints, type Endpoint, endpoint, open, Type } from '../../../../kit/endpoint.ts'
import { refusedAsDocument } from '../../../../kit/jsonapi/index.ts'
import { bytes, nothing } from '../../../../kit/reply.ts'
import { uploadBytes } from '../state-version-fields.ts'
import { loadContent } from './content-actions.ts'
import { type ContentFile, type ContentUse, readContentToken } from './content-url.ts'
import { receiveContent } from './upload-actions.ts'

/** Large states over slow connections take long. */
const deadline = 30 * 60_000

const whyOpen = 'The address is signed and short-lived; command lines send no token with it.'
const params = { token: { description: "The signed token in the URL of a state version's content." } }

function fileOf(deps: Parameters<typeof readContentToken>[0], use: ContentUse, token: string | undefined): ContentFile {
  const file = readContentToken(deps, use, token ?? '')
  if (file) return file
  throw failure(
    'missing',
    'state-content.address',
    'This address is not valid, or has expired; read the state version again for a new one.',
  )
}

/** Where states are uploaded and downloaded. The address itself grants the right to do so, so it is never logged. */
export const contentEndpoints: readonly Endpoint[] = defineEndpoints('site', [
  endpoint({
    id: 'state-content.upload',
    route: 'PUT /api/blob/v1/:token',
    summary: 'Upload the content of a state version; works once.',
    access: open(whyOpen),
    params,
    body: streamed('application/octet-stream', uploadBytes, 'The raw state.', { inMemory: true }),
    returns: { 200: null },
    fails: ['missing', 'conflict', 'invalid', 'unavailable'],
    secretPath: true,
    deadline,
    handle: ({ deps, params: { token }, pieces, request }) =>
      refusedAsDocument(async () => {
        await receiveContent(deps, fileOf(deps, 'put', token), pieces, request.id)
        return nothing(200)
      }),
  }),
  endpoint({
    id: 'state-content.download',
    route: 'GET /api/blob/v1/:token',
    summary: 'Download the content of a state version.',
    access: open(whyOpen),
    params,
    returns: { 200: Type.String({ description: 'The state, exactly as it was uploaded.', format: 'binary' }) },
    fails: ['missing'],
    secretPath: true,
    deadline,
    handle: ({ deps, params: { token } }) =>
      refusedAsDocument(async () => {
        const { bytes: content, size } = await loadContent(deps, fileOf(deps, 'get', token))
        return bytes('application/json', content, { headers: { 'Content-Length': String(size) } })
      }),
  }),
])
