import { callOperation, findByOperation } from '../connection/operations.ts'
import { CliFailure } from '../io.ts'
import { entryVerbs, mountOf } from './entry-verbs.ts'
import type { Noun, Row, Session, Verb, VerbFlag } from './noun.ts'
import { nothingToChange } from './resource-verbs.ts'

const mountFlag: VerbFlag = { term: '--mount <path>', text: 'where the method is mounted, if not at jwt' }

const roles = entryVerbs({
  title: 'role of JWT logins',
  kind: 'jwt-role',
  command: 'jwt',
  list: 'jwt-roles.list',
  read: 'jwt-roles.read',
  write: 'jwt-roles.write',
  remove: 'jwt-roles.delete',
  flags: [mountFlag],
  columns: ['name'],
  stakes: 'so that nobody logs in by it any more',
  examples: {
    name: 'deploy',
    known: 'deploy',
    create:
      'deploy --role-type jwt --user-claim sub --bound-audiences holdfast --bound-claims \'{"repository": "acme/app"}\'',
    update: 'deploy --token-ttl 10m',
  },
})

async function configOf(session: Session): Promise<Row> {
  const found = (await findByOperation(session.client, 'jwt-config.read', mountOf(session))) as
    | { data: Row }
    | undefined
  if (found) return found.data
  throw new CliFailure("Nothing is set yet. 'holdfast jwt config write' says where keys come from.", 2)
}

const config: readonly Verb[] = [
  {
    name: 'show',
    description: 'show where the keys of tokens come from',
    flags: [mountFlag],
    example: 'jwt config show',
    run: async (session) => ({ row: await configOf(session) }),
  },
  {
    name: 'write',
    description: 'replace all settings; what is not given gets its default',
    flags: [mountFlag],
    fieldsOf: { operation: 'jwt-config.write' },
    example: 'jwt config write --oidc-discovery-url https://token.actions.githubusercontent.com',
    run: async (session) => {
      const body = await session.fields()
      if (Object.keys(body).length === 0) throw nothingToChange('jwt config write')
      await callOperation(session.client, 'jwt-config.write', { ...mountOf(session), body })
      return { done: 'Written.', row: await configOf(session) }
    },
  },
]

/** `holdfast jwt`. */
export const jwt: Noun = {
  name: 'jwt',
  description: 'login with JWTs: roles, and where the keys of tokens come from',
  verbs: roles,
  nouns: [{ name: 'config', description: 'where the keys of tokens come from', verbs: config }],
}
