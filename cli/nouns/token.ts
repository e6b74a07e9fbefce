import { callOperation, listEntries, resourceOf } from '../connection/operations.ts'
import { confirm } from '../input/confirmation.ts'
import { readSecret } from '../input/secret-input.ts'
import { CliFailure } from '../io.ts'
import { idFromFlag } from './lookup.ts'
import type { Noun, Result, Row, Session, Verb, VerbArgument, VerbFlag } from './noun.ts'
import { allFlag, documentOf, flat, listVerb, organizationFlag } from './resource-verbs.ts'

/** Whose API tokens a command is about, instead of the service tokens of /v1. */
const holderFlags: readonly VerbFlag[] = [
  { term: '--user <user>', text: 'API tokens of this user, or of yourself: me', names: 'user' },
  { term: '--team <team>', text: 'API tokens of this team', names: 'team' },
  organizationFlag,
]

type Holder = { readonly user: string } | { readonly team: string } | undefined

async function holderOf(session: Session): Promise<Holder> {
  const { user, team } = session.flags
  if (user !== undefined && team !== undefined) throw new CliFailure('Give --user or --team, not both.')
  if (team !== undefined) return { team: String(await idFromFlag(session, 'team')) }
  if (user === undefined) return undefined
  if (user === 'me') return { user: resourceOf(await callOperation(session.client, 'account.details')).id }
  return { user: String(await idFromFlag(session, 'user')) }
}

const apiColumns = ['id', 'description', 'hint', 'created-at', 'last-used-at', 'expired-at']

const list: Verb = {
  name: 'list',
  description: 'list the accessors of service tokens, or the API tokens of a user or a team',
  flags: [...holderFlags, allFlag],
  example: 'token list --team deployers',
  run: async (session) => {
    const holder = await holderOf(session)
    if (!holder) {
      const accessors = await listEntries(session.client, 'tokens.list-accessors')
      return { rows: accessors.map(({ name, ...facts }) => ({ accessor: name, ...facts })), columns: ['accessor'] }
    }
    const isTeam = 'team' in holder
    const listing = listVerb({
      operation: isTeam ? 'team-tokens.list' : 'user-tokens.list',
      description: '',
      columns: apiColumns,
      place: async (): Promise<Record<string, string>> => (isTeam ? { teamId: holder.team } : { userId: holder.user }),
      example: '',
    })
    return await listing.run(session)
  },
}

/** API tokens have ids, service tokens are secret themselves, or named by their accessors. */
const isApiToken = (word: string): boolean => /^at-[A-Za-z0-9]+$/.test(word)

const tokenArgument: VerbArgument = {
  term: '[token]',
  text: 'a token or - to type one, its accessor with --accessor, or the id of an API token; by default your own token',
}
const accessorFlag: VerbFlag = { term: '--accessor', text: 'the word is the accessor of a token' }

/** The token that a word means, as the fields of a request; undefined for one's own. */
async function namedToken({ io, word, flags }: Session): Promise<Row | undefined> {
  const given = word(0)
  if (given === '') return undefined
  if (flags.accessor) return { accessor: given }
  return { token: given === '-' ? (await readSecret(io, 'Token')).trim() : given }
}

type ServiceVerb = 'lookup' | 'renew' | 'revoke'

/** Calls what is there for one's own token, for any token, and for the token of an accessor. */
async function callForToken(session: Session, verb: ServiceVerb, body: object = {}): Promise<unknown> {
  const named = await namedToken(session)
  const { client } = session
  if (!named) {
    if (verb === 'lookup') return (await callOperation(client, 'tokens.lookup-self')).body
    return (await callOperation(client, `tokens.${verb}-self`, { body })).body
  }
  const operation = 'accessor' in named ? (`tokens.${verb}-accessor` as const) : (`tokens.${verb}` as const)
  return (await callOperation(client, operation, { body: { ...named, ...body } })).body
}

const authOf = (body: unknown): Result => {
  const { client_token: token, ...facts } = (body as { auth: Row }).auth
  return { row: { token, ...facts } }
}

const show: Verb = {
  name: 'show',
  description: 'show a token: what it may do and how long it lasts',
  arguments: [tokenArgument],
  flags: [accessorFlag],
  example: 'token show',
  run: async (session) => {
    const word = session.word(0)
    if (isApiToken(word))
      return { row: flat(resourceOf(await callOperation(session.client, 'tokens.show', { path: { tokenId: word } }))) }
    const { data } = (await callForToken(session, 'lookup')) as { data: Row }
    return { row: data }
  },
}

const create: Verb = {
  name: 'create',
  description: 'create a service token below your own, or an API token of a user or a team; it is shown once',
  flags: [
    ...holderFlags,
    { term: '--description <text>', text: 'what an API token is for' },
    { term: '--expires-at <time>', text: 'when an API token expires' },
  ],
  fieldsOf: { operation: 'tokens.create', without: ['lease'] },
  example: 'token create --policies web --ttl 1h --field token',
  run: async (session) => {
    const holder = await holderOf(session)
    const { description, expiresAt } = session.flags
    const fields = await session.fields()
    if (!holder) {
      if (description !== undefined || expiresAt !== undefined)
        throw new CliFailure(
          '--description and --expires-at are for API tokens, with --user or --team; service tokens have --display-name and --ttl.',
        )
      return authOf((await callOperation(session.client, 'tokens.create', { body: fields })).body)
    }
    const [stray] = Object.keys(fields)
    if (stray !== undefined) throw new CliFailure(`An API token takes --description and --expires-at, and no ${stray}.`)
    const attributes = {
      ...(description !== undefined && { description }),
      ...(expiresAt !== undefined && { 'expired-at': expiresAt }),
    }
    const body = documentOf('authentication-tokens', attributes)
    const answer =
      'team' in holder
        ? await callOperation(session.client, 'team-tokens.create', { path: { teamId: holder.team }, body })
        : await callOperation(session.client, 'user-tokens.create', { path: { userId: holder.user }, body })
    return { row: flat(resourceOf(answer)), columns: ['id', 'token', 'description', 'created-at', 'expired-at'] }
  },
}

const renew: Verb = {
  name: 'renew',
  description: 'renew a service token',
  arguments: [tokenArgument],
  flags: [accessorFlag, { term: '--increment <duration>', text: 'for this long from now' }],
  example: 'token renew --increment 1h',
  run: async (session) => {
    const { increment } = session.flags
    return authOf(await callForToken(session, 'renew', increment === undefined ? {} : { increment }))
  },
}

const remove: Verb = {
  name: 'delete',
  description: 'revoke a token and those created with it; by default your own',
  arguments: [tokenArgument],
  flags: [accessorFlag],
  example: 'token delete --accessor UXlWmAfzJDySaZ9YxD1hOzYB --yes',
  asks: true,
  run: async (session) => {
    const word = session.word(0)
    const what =
      word === '' ? 'your own token' : session.flags.accessor || isApiToken(word) ? `the token ${word}` : 'the token'
    await confirm(session.io, session.flags.yes === true, async () => `This revokes ${what}.`)
    if (isApiToken(word)) await callOperation(session.client, 'tokens.delete', { path: { tokenId: word } })
    else await callForToken(session, 'revoke')
    return { done: `Revoked: ${what}`, row: { revoked: true } }
  },
}

/** `holdfast token`. */
export const token: Noun = {
  name: 'token',
  description: 'service tokens of /v1, and API tokens of users and teams',
  verbs: [list, show, create, renew, remove],
}
