import { formatFor } from '../commands/context.ts'
import { readValue } from '../input/arguments.ts'
import { entryVerbs } from './entry-verbs.ts'
import type { Noun } from './noun.ts'

/** `holdfast policy`. */
export const policy: Noun = {
  name: 'policy',
  description: 'policies, which say what tokens may do below /v1',
  verbs: entryVerbs({
    title: 'policy',
    kind: 'policy',
    command: 'policy',
    list: 'policies.list-by-read',
    read: 'policies.read',
    write: 'policies.write',
    remove: 'policies.delete',
    columns: ['name'],
    stakes: 'which its tokens then lack',
    content: {
      argument: { term: '<file>', text: 'the text of the policy, or - for standard input' },
      bodyOf: async ({ io, word }) => ({
        policy: await readValue(io, 'policy', word(1) === '-' ? '-' : `@${word(1)}`),
      }),
    },
    shownAs: (row, { io, flags }) =>
      flags.field === undefined && formatFor(io, flags) === 'table' ? { text: String(row.policy) } : { row },
    examples: { name: 'web', known: 'default', create: 'web web.hcl', update: 'web - < web.hcl' },
  }),
}
