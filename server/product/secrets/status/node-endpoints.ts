import { siteAdministrator } from '../../../access/permissions/index.ts'
import { toIso } from '../../../kernel/clock.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  answerPage,
  entriesOn,
  listQuery,
  pageSchema,
  type Resource,
  resourceSchema,
  shown,
} from '../../../kit/jsonapi/index.ts'
import type { Node } from '../../../kit/nodes/node.ts'
import { loadNodes } from '../../../kit/nodes/node-store.ts'

const nodeSchema = resourceSchema('nodes', {
  attributes: {
    name: shown.text('Its host name.'),
    state: shown.text('`present`, or `gone` if it was stopped or has given no sign for half a minute.'),
    address: shown.text('Where it listens; empty if its configuration does not tell.'),
    version: shown.text('The release that it runs.'),
    'started-at': shown.time('When it started.'),
    'last-seen-at': shown.time('Its last sign of life; there is one every ten seconds.'),
    'stopped-at': shown.maybeTime('When it was stopped; null while it runs, and if it ended unexpectedly.'),
    'leads-background-work': shown.flag('Whether it hands out background work.'),
    'jobs-held': shown.whole('Background jobs that it is running.'),
    'clock-skew-ms': shown.whole('By how much its clock is ahead of that of the database; negative if it is behind.'),
  },
})

const toNodeResource = (node: Node): Resource => ({
  type: 'nodes',
  id: node.holder,
  attributes: {
    name: node.name,
    state: node.state,
    address: node.address,
    version: node.version,
    'started-at': toIso(node.startedAt),
    'last-seen-at': toIso(node.seenAt),
    'stopped-at': node.stoppedAt === null ? null : toIso(node.stoppedAt),
    'leads-background-work': node.isLeader,
    'jobs-held': node.jobsHeld,
    'clock-skew-ms': node.clockSkew,
  },
})

/** The nodes, for site administrators. */
export const nodeEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'nodes.list',
    route: 'GET /admin/nodes',
    summary: 'List the nodes that share the database, by name. A node that is gone stays in the list for a day.',
    access: siteAdministrator(),
    query: listQuery(),
    returns: { 200: pageSchema(nodeSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { db, store } = call.deps
      const nodes = await loadNodes(db, await store.databaseNow())
      const resources = entriesOn(call.query.page, nodes).map(toNodeResource)
      return answerPage(call, { resources, total: nodes.length })
    },
  }),
])
