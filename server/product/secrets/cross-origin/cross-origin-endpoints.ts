import { crossOriginHeaders } from '../../../compat/vendor-names.ts'
import { fields } from '../../../kit/bodies.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, model, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { data, nothing } from '../../../kit/reply.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { allowOrigins } from './cross-origin-actions.ts'
import { deleteCrossOrigin, loadCrossOrigin } from './cross-origin-store.ts'

const CrossOriginBody = Type.Object({
  allowed_origins: field.list('Allowed origins, or only `*` for all.', {
    examples: [['https://app.example.com']],
  }),
  allowed_headers: field.list('Allowed request headers, in addition to those of this API.'),
  enabled: field.flag('Set to false to do the same as DELETE.', { default: true, aliases: ['enable'] }),
})

const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

const CrossOriginInfo = model('CrossOriginSettings', {
  enabled: Type.Boolean({ description: 'Whether CORS is enabled.' }),
  allowed_origins: texts('Allowed origins.'),
  allowed_headers: texts('Allowed request headers.'),
})

const common = { access: acl({ sudo: true }), doubleRendered: true } as const

/** Which pages of other origins may use `/v1` from a browser. */
export const crossOriginEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...common,
    id: 'cross-origin.read',
    route: 'GET /config/cors',
    summary: 'Read the CORS settings.',
    returns: { 200: CrossOriginInfo },
    handle: async ({ deps }) => {
      const terms = await loadCrossOrigin(deps.db)
      if (!terms) return data({ enabled: false })
      const allowed = [...crossOriginHeaders, ...terms.headers]
      return data({ enabled: true, allowed_origins: terms.origins, allowed_headers: allowed })
    },
  }),
  endpoint({
    ...common,
    id: 'cross-origin.write',
    route: 'POST /config/cors',
    summary: 'Configure CORS: let pages of other origins call the API.',
    description: 'Replaces the previous settings. Session cookies of the web interface are never sent with such calls.',
    body: fields(CrossOriginBody),
    returns: { 204: null },
    fails: ['invalid'],
    example: { request: { allowed_origins: ['https://app.example.com'] } },
    handle: async ({ deps, body }) => {
      if (body.enabled === false) await inTransaction(deps.db, deleteCrossOrigin)
      else await allowOrigins(deps, { origins: body.allowed_origins ?? [], headers: body.allowed_headers ?? [] })
      return nothing()
    },
  }),
  endpoint({
    ...common,
    id: 'cross-origin.delete',
    route: 'DELETE /config/cors',
    summary: 'Remove the CORS settings: only pages of this origin may call the API.',
    returns: { 204: null },
    handle: async ({ deps }) => {
      await inTransaction(deps.db, deleteCrossOrigin)
      return nothing()
    },
  }),
])
