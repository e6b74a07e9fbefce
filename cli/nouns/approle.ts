import { callOperation, listEntries } from '../connection/operations.ts'
import { confirm } from '../input/confirmation.ts'
import { entryVerbs, mountOf } from './entry-verbs.ts'
import type { Noun, Row, Session, Verb, VerbFlag } from './noun.ts'

const mountFlag: VerbFlag = { term: '--mount <path>', text: 'where the method is mounted, if not at approle' }
const roleArgument = { term: '<name>', text: 'name of the application role', names: 'approle-role' } as const

const roles = entryVerbs({
  title: 'application role',
  kind: 'approle-role',
  command: 'approle',
  list: 'approle-roles.list',
  read: 'approle-roles.read',
  write: 'approle-roles.write',
  remove: 'approle-roles.delete',
  flags: [mountFlag],
  columns: ['name'],
  stakes: 'with its secret ids, so that nobody logs in by it any more',
  examples: {
    name: 'web',
    known: 'web',
    create: 'web --token-policies web --token-ttl 20m --secret-id-ttl 10m',
    update: 'web --token-ttl 30m',
  },
})

const at = (session: Session) => ({ path: { name: session.word(0) }, ...mountOf(session) })
const dataOf = (body: unknown): Row => (Object(body) as { data?: Row }).data ?? {}

const roleId: Verb = {
  name: 'role-id',
  description: 'show the role id of an application role, which is no secret',
  arguments: [roleArgument],
  flags: [mountFlag],
  example: 'approle role-id web',
  run: async (session) => {
    const { body } = await callOperation(session.client, 'approle-role-id.read', at(session))
    return { row: dataOf(body) }
  },
}

const secretIds: readonly Verb[] = [
  {
    name: 'create',
    description: 'make a secret id, which is shown this once',
    arguments: [roleArgument],
    flags: [mountFlag],
    fieldsOf: { operation: 'approle-secret-ids.make' },
    example: 'approle secret-id create web --num-uses 1 --ttl 10m',
    run: async (session) => {
      const input = { ...at(session), body: await session.fields() }
      const { body } = await callOperation(session.client, 'approle-secret-ids.make', input)
      return { row: dataOf(body) }
    },
  },
  {
    name: 'list',
    description: 'list the accessors of the secret ids of an application role',
    arguments: [roleArgument],
    flags: [mountFlag],
    example: 'approle secret-id list web',
    run: async (session) => {
      const found = await listEntries(session.client, 'approle-secret-ids.list', at(session))
      return { rows: found.map(({ name }) => ({ accessor: name })), columns: ['accessor'] }
    },
  },
  {
    name: 'destroy',
    description: 'destroy the secret id with an accessor',
    arguments: [roleArgument, { term: '<accessor>', text: 'accessor of the secret id' }],
    flags: [mountFlag],
    example: 'approle secret-id destroy web 932417ba-3d3b-4b86-bee2-61727144d0c8 --yes',
    asks: true,
    run: async (session) => {
      const accessor = session.word(1)
      const question = async () =>
        `This destroys the secret id with the accessor '${accessor}' of '${session.word(0)}'.`
      await confirm(session.io, session.flags.yes === true, question)
      const body = { secret_id_accessor: accessor }
      await callOperation(session.client, 'approle-accessors.destroy', { ...at(session), body })
      return { done: `Destroyed: ${accessor}` }
    },
  },
]

/** `holdfast approle`. */
export const approle: Noun = {
  name: 'approle',
  description: 'login of applications: roles and secret ids',
  verbs: [...roles, roleId],
  nouns: [{ name: 'secret-id', description: 'secret ids of application roles', verbs: secretIds }],
}
