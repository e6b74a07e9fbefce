import { failure } from '../../server/kernel/failure.ts'
import { anyObject, fields } from '../../server/kit/bodies.ts'
import { acl, endpoint, type MountEndpoint, open, Type } from '../../server/kit/endpoint.ts'
import { TokenAuth } from '../../server/kit/envelope.ts'
import { defineFeature, type Feature } from '../../server/kit/feature.ts'
import type { Mount } from '../../server/kit/mount.ts'
import { authMethod, type MountKind, secretsEngine } from '../../server/kit/mount-kind.ts'
import { data, nothing } from '../../server/kit/reply.ts'
import { mountOf } from '../../server/kit/request.ts'
import { features as allFeatures } from '../../server/product/index.ts'
import { issueLoginToken, loginReply } from '../../server/product/secrets/tokens/index.ts'

/** An engine and an auth method of a test's own, as small as they can be. */
type TinyMounts = {
  readonly features: readonly Feature[]
  /** The values of the engine, in memory, by id of the mount and path. */
  readonly values: Map<string, Map<string, unknown>>
  /** What the server told them, in order: `mounted tiny/`. */
  readonly told: string[]
  /** Throws in place of the next call of that name. */
  fault: string | undefined
}

/** Every feature of the server, with a tiny engine in two versions and a tiny auth method. */
export function tinyMounts(): TinyMounts {
  const tiny: TinyMounts = { features: [], values: new Map(), told: [], fault: undefined }
  const mounts = [tinyEngine(tiny), tinyMethod(tiny)]
  return Object.assign(tiny, { features: [...allFeatures, defineFeature({ name: 'tiny', mounts })] })
}

/** Notes a call, which a test may want to fail. */
function tell({ told, ...tiny }: TinyMounts, call: string, about: string | number): void {
  told.push(`${call} ${about}`)
  if (tiny.fault === call) throw new Error(`${call} fails`)
}

const valuesAt = ({ values }: TinyMounts, { id }: Mount): Map<string, unknown> => values.get(id) ?? new Map()

const readAndWrite = (tiny: TinyMounts, version: string, path: `/${string}`): readonly MountEndpoint[] => [
  endpoint({
    id: `tiny${version}.read`,
    route: `GET ${path}`,
    summary: 'Read a value.',
    access: acl(),
    returns: { 200: Type.Object({ value: Type.Unknown() }) },
    handle: ({ request, params: { path = '' } }) => {
      const value = valuesAt(tiny, mountOf(request)).get(path)
      return value === undefined ? nothing() : data({ value })
    },
  }),
  endpoint({
    id: `tiny${version}.write`,
    route: `POST ${path}`,
    summary: 'Store a value.',
    access: acl(),
    body: anyObject('The value.'),
    returns: { 204: null },
    handle: ({ request, params: { path = '' }, body }) => {
      const { id } = mountOf(request)
      tiny.values.set(id, valuesAt(tiny, mountOf(request)).set(path, body))
      return nothing()
    },
  }),
]

const tinyEngine = (tiny: TinyMounts): MountKind =>
  secretsEngine({
    type: 'tiny',
    aliases: { 'tiny-v2': { version: '2' } },
    description: 'Tiny values.',
    variantOf: ({ version = '1' }) => {
      if (version === '1' || version === '2') return version
      throw failure('invalid', 'tiny.version', `invalid version ${version}`)
    },
    endpoints: { 1: readAndWrite(tiny, '1', '/*path'), 2: readAndWrite(tiny, '2', '/data/*path') },
    catchAll: {
      id: 'tiny.elsewhere',
      summary: 'Say where values are.',
      handle: ({ params: { path = '' } }) => data({ elsewhere: path }, 404),
    },
    meantPath: ({ path: at, options }, path) =>
      options?.version !== '2' || path.startsWith(`${at}data/`) ? undefined : `${at}data/${path.slice(at.length)}`,
    mounted: async (_deps, _tx, { path }) => tell(tiny, 'mounted', path),
    moved: async (_deps, _tx, { path }) => tell(tiny, 'moved', path),
    tuned: async (_deps, _tx, { before, after }) => {
      tell(tiny, 'tuned', after.path)
      if (before.options?.version === '2' && after.options?.version !== '2')
        throw failure('invalid', 'tiny.downgrade', 'cannot downgrade')
    },
    removeSome: async (_tx, mountId, limit) => {
      tell(tiny, 'removeSome', limit)
      const stored = tiny.values.get(mountId) ?? new Map()
      for (const path of [...stored.keys()].slice(0, limit)) stored.delete(path)
      return stored.size
    },
  })

const tinyMethod = (tiny: TinyMounts): MountKind =>
  authMethod({
    type: 'tiny-login',
    endpoints: [
      endpoint({
        id: 'tiny-login.login',
        route: 'POST /login/:name',
        summary: 'Log in by name alone.',
        access: open('A test needs no credentials.'),
        body: fields(Type.Object({})),
        returns: { 200: Type.Object({ auth: TokenAuth }) },
        handle: async ({ deps, request, params: { name = '' }, warn }) => {
          const grant = {
            mount: mountOf(request),
            path: request.path,
            alias: { name },
            policies: [],
            displayName: name,
          }
          return loginReply(await issueLoginToken(deps, { ...grant, authData: { name } }), warn)
        },
      }),
    ],
    moved: async (_deps, _tx, { path }) => tell(tiny, 'moved', path),
    removeSome: async () => 0,
    renewalTerms: async (_deps, { authData }) => {
      tell(tiny, 'renewalTerms', String(authData.name))
      return { ttl: 600, maxTtl: 0, period: 0 }
    },
  })
