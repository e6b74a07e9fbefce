import type { Noun } from './noun.ts'
import { listVerb } from './resource-verbs.ts'

/** `holdfast node`. */
export const node: Noun = {
  name: 'node',
  description: 'the nodes that share the store; for site administrators',
  verbs: [
    listVerb({
      operation: 'nodes.list',
      description: 'list the nodes: which are there, which are gone, what they run',
      columns: [
        'name',
        'state',
        'version',
        'address',
        'started-at',
        'last-seen-at',
        'jobs-held',
        'leads-background-work',
      ],
      example: 'node list',
    }),
  ],
}
