import { callOperation } from '../connection/operations.ts'
import { entryVerbs, readEntry } from './entry-verbs.ts'
import type { Verb } from './noun.ts'

const configuration = {
  title: 'snapshot configuration',
  kind: 'snapshot-config',
  command: 'snapshot',
  list: 'snapshots.list-configs',
  read: 'snapshots.read-config',
  write: 'snapshots.write-config',
  remove: 'snapshots.delete-config',
  columns: ['name'],
  stakes: 'so that it takes no more snapshots; those that are stored stay',
  examples: {
    name: 'nightly',
    known: 'hourly',
    create:
      'nightly --interval 24h --retain 7 --storage-type local --path-prefix /var/backups/holdfast --local-max-space 10737418240',
    update: 'nightly --retain 14',
  },
} as const

const status: Verb = {
  name: 'status',
  description: 'show when a configuration last took a snapshot, whether it was verified, and when the next is due',
  arguments: [{ term: '<name>', text: 'name of the configuration', names: 'snapshot-config' }],
  example: 'snapshot status hourly',
  run: async (session) => {
    await readEntry(configuration, session)
    const { body } = await callOperation(session.client, 'snapshots.status', { path: { name: session.word(0) } })
    return { row: { name: session.word(0), ...(body as { data: object }).data } }
  },
}

/** What `holdfast snapshot` does with configurations, besides `list` and what takes and tests snapshots. */
export const configurationVerbs: readonly Verb[] = [
  ...entryVerbs(configuration).filter(({ name }) => name !== 'list'),
  status,
]
