import { permissionDenied, sealedFailure } from '../../../kit/access.ts'
import { defineEndpoints, type Endpoint, endpoint, open, type RuleCall } from '../../../kit/endpoint.ts'
import { startAddress } from '../../../kit/page.ts'
import { bytes, nothing } from '../../../kit/reply.ts'
import { renderFigures } from './figures-actions.ts'
import { metricsReaders } from './metrics-readers.ts'
import { requireStore, requireWritable } from './store-probe.ts'

const plain = 'text/plain; charset=utf-8'
const probe = { unaudited: true, whileSealed: true } as const

/** Metrics are open where the configuration says so; else the token's policies must allow `sys/metrics` to be read. */
const metricsAccess = {
  kind: 'rule',
  name: 'metrics:read',
  check: async ({ deps, request }: RuleCall): Promise<void> => {
    if (deps.settings.metricsOpen) return
    // Before anything else: a token that this process remembers must not work longer than one that has to be read.
    const seal = deps.seal.status()
    if (seal !== 'unsealed') throw sealedFailure(seal)
    if (request.presentedToken === '') throw permissionDenied()
    await metricsReaders(deps).require(request)
  },
} as const

const homeRoutes = [
  ['site.home', 'GET /'],
  ['site.home-app', `GET ${startAddress}`],
  ['site.home-ui', 'GET /ui'],
] as const

/** Redirects people who only type the address of the server to a useful page. */
const homeEndpoints = homeRoutes.map(([id, route]) =>
  endpoint({
    ...probe,
    id,
    route,
    summary: 'Redirect to the workspaces of the signed-in user, or to the sign-in page.',
    access: open('It only says where the pages are.'),
    returns: { 303: null },
    handle: () => nothing(303, { Location: '/app/workspaces' }),
  }),
)

/** Probes and metrics at the addresses monitoring systems look for. */
export const siteEndpoints: readonly Endpoint[] = defineEndpoints('site', [
  ...homeEndpoints,
  endpoint({
    ...probe,
    withoutStore: true,
    probed: true,
    id: 'site.healthz',
    route: 'GET /healthz',
    summary: 'Check liveness: the process is running and does not need a restart.',
    access: open('Probes have no token.'),
    handle: ({ deps }) => {
      requireWritable(deps)
      return bytes(plain, 'ok\n')
    },
  }),
  endpoint({
    ...probe,
    withoutStore: true,
    probed: true,
    id: 'site.readyz',
    route: 'GET /readyz',
    summary: 'Check readiness: the store responds, the server is unsealed, and requests can be audited.',
    access: open('Probes have no token.'),
    fails: ['unavailable'],
    handle: async ({ deps }) => {
      if (deps.node.isStopping()) return bytes(plain, 'stopping\n', { status: 503 })
      const seal = deps.seal.status()
      if (seal !== 'unsealed') return bytes(plain, `${seal}\n`, { status: 503 })
      await requireStore(deps)
      if (!(await deps.audit.canRecord())) return bytes(plain, 'no audit device takes records\n', { status: 503 })
      return bytes(plain, 'ready\n')
    },
  }),
  endpoint({
    ...probe,
    withoutStore: true,
    probed: true,
    id: 'site.metrics',
    route: 'GET /metrics',
    summary: 'Read the metrics of this node, summed over its processes, in Prometheus text format.',
    access: metricsAccess,
    handle: async ({ deps }) => bytes(deps.metrics.contentType, await renderFigures(deps)),
  }),
])
