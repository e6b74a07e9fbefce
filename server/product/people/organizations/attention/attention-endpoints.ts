import type { Concern } from '../../../../access/concern.ts'
import { actorOf, inOrganization, organizationInPath } from '../../../../access/permissions/index.ts'
import { maybeIso } from '../../../../kernel/clock.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import { defineEndpoints, type Endpoint, endpoint, Type } from '../../../../kit/endpoint.ts'
import { type Resource, resourceSchema, shown } from '../../../../kit/jsonapi/index.ts'
import { partsOf } from '../../../../kit/parts.ts'
import { document } from '../../../../kit/reply.ts'

/** Of what one feature tells, so much is shown: enough to begin with. */
const mostOfAKind = 20

const concernSchema = resourceSchema('concerns', {
  attributes: {
    kind: shown.text(
      'What is the matter: `lock-held`, `snapshot-failed`, `snapshot-overdue`, `snapshot-not-restorable`, ' +
        '`snapshot-unproved`, `snapshot-paused`, `ca-expires`, `crl-stale` or `node-gone`.',
    ),
    scope: shown.text('`organization` or `server`.'),
    failed: shown.flag('Whether something does not work already, or will not unless somebody does something.'),
    name: shown.text('Name of what it is about.'),
    text: shown.text('One sentence about it.'),
    at: shown.maybeTime('Since when it is so, or when it will be; null if nobody knows.'),
  },
})

const toResource = (concern: Concern, scope: 'organization' | 'server'): Resource => ({
  type: 'concerns',
  id: `${scope}/${concern.kind}/${concern.name}`,
  attributes: {
    kind: concern.kind,
    scope,
    failed: concern.failed,
    name: concern.name,
    text: concern.text,
    at: maybeIso(concern.at),
  },
})

/** Milliseconds for which that of the server is kept: it is the same for everybody who may know it. */
const goodForMs = 2_000

type Known = { readonly at: number; readonly concerns: Promise<readonly Concern[]> }

const serverMemory = perApp((): { known?: Known } => ({}))

async function concernsOfServer(deps: Deps): Promise<readonly Concern[]> {
  const memory = serverMemory(deps)
  const now = deps.clock.now()
  const { known } = memory
  if (known && now - known.at < goodForMs) return await known.concerns
  const ask = { limit: mostOfAKind }
  const reading = Promise.all(partsOf(deps, 'serverWatch').map((watch) => watch(deps, ask)))
  const concerns = reading.then((found) => found.flat())
  memory.known = { at: now, concerns }
  concerns.catch(() => delete memory.known)
  return await concerns
}

/** One call for the overview. */
export const attentionEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'attention.list',
    route: 'GET /organizations/:organization/attention',
    summary: 'List what needs attention: what failed first, then what is at risk.',
    description:
      'Of the organization you are told what you can see; what concerns the whole server is told to site ' +
      `administrators. At most ${mostOfAKind} of a kind are returned.`,
    access: inOrganization('can-traverse'),
    params: organizationInPath,
    returns: {
      200: Type.Object(
        { data: Type.Array(concernSchema, { description: 'What needs attention.' }) },
        { description: 'Concerns.' },
      ),
    },
    fails: ['missing'],
    handle: async ({ deps, caller, subject: grants }) => {
      const ask = { grants, limit: mostOfAKind }
      const own = (await Promise.all(partsOf(deps, 'organizationWatch').map((watch) => watch(deps, ask)))).flat()
      const ofServer = actorOf(caller).siteAdmin ? await concernsOfServer(deps) : []
      const all = [
        ...own.map((concern) => ({ concern, scope: 'organization' as const })),
        ...ofServer.map((concern) => ({ concern, scope: 'server' as const })),
      ]
      const sorted = all.sort((a, b) => Number(b.concern.failed) - Number(a.concern.failed))
      return document({ data: sorted.map(({ concern, scope }) => toResource(concern, scope)) })
    },
  }),
])
