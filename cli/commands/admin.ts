import type { Command } from 'commander'
import { type Client, createClient } from '../connection/client.ts'
import { readSecret } from '../input/secret-input.ts'
import { CliFailure, type Io } from '../io.ts'
import { renderData, renderTable } from '../output/formats.ts'
import { type ClientFlags, clientFor, formatFor, withClientFlags } from './context.ts'
import { addRemovals } from './removals.ts'

type CreateUserFlags = ClientFlags & {
  email: string
  siteAdmin?: boolean
  passwordStdin?: boolean
  userToken?: boolean
  organization?: string
}

type CreatedResource = {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: { readonly organizations?: { readonly data: readonly { readonly id: string }[] } }
}

/** `holdfast admin`: creates users, and shows removals, with the root token or that of a site administrator. */
export function addAdmin(program: Command, io: Io): void {
  const admin = program.command('admin').description('create users and first owners, watch removals')
  addRemovals(admin, io)
  withClientFlags(admin.command('create-user'))
    .description('create a user; without a password the answer contains an invitation link')
    .argument('<username>', 'name to sign in with')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--site-admin', 'make the user a site administrator')
    .option('--password-stdin', 'read the password from standard input')
    .option('--user-token', 'also create a user token, shown once')
    .option('--organization <name>', 'also create this organization, with the user as its first owner')
    .action(async (username: string, flags: CreateUserFlags) => {
      const client = clientFor(io, flags)
      const user = await createUser(io, client, username, flags)
      const facts = { id: user.id, username, ...invitationOf(user) }
      const furnished = await createTokenAndOrganization(client, user, flags).catch(async (thrown: unknown) => {
        const failed = await rollBackUser(client, user, username, thrown)
        // The link is shown only once, so it must not be lost if the user is kept.
        if (!failed.isUndone) show(io, flags, facts)
        throw failed.failure
      })
      show(io, flags, { ...facts, ...furnished })
    })
}

function show(io: Io, flags: CreateUserFlags, result: Record<string, unknown>): void {
  const format = formatFor(io, flags)
  const rows = Object.entries(result).map(([key, value]) => [key, String(value)])
  io.out(format === 'table' ? renderTable(['Key', 'Value'], rows) : renderData(result, format))
}

function invitationOf({ attributes }: CreatedResource): Record<string, unknown> {
  const invitation = attributes['invitation-url']
  return invitation === undefined ? {} : { invitation_url: invitation }
}

async function createUser(io: Io, client: Client, username: string, flags: CreateUserFlags): Promise<CreatedResource> {
  const password = flags.passwordStdin ? (await readSecret(io, 'Password')).replace(/\r?\n$/, '') : undefined
  if (password === '') throw new CliFailure('Standard input contains no password.')
  const attributes = { username, email: flags.email, 'is-admin': flags.siteAdmin ?? false, password }
  return await createResource(client, '/api/v2/admin/users', 'users', attributes)
}

/** A token and an organization, if requested. An organization is created by its owner, who needs a token. */
async function createTokenAndOrganization(
  client: Client,
  user: CreatedResource,
  flags: CreateUserFlags,
): Promise<Record<string, unknown>> {
  const { organization, userToken, email } = flags
  if (!organization && !userToken) return {}
  const tokens = `/api/v2/users/${user.id}/authentication-tokens`
  const issued = await createResource(client, tokens, 'authentication-tokens', { description: 'holdfast admin' })
  const token = String(issued.attributes.token)
  const withdraw = () => client.call({ method: 'DELETE', path: `/api/v2/authentication-tokens/${issued.id}` })
  if (organization) {
    const owner = createClient({ ...client.connection, token })
    try {
      await createResource(owner, '/api/v2/organizations', 'organizations', { name: organization, email })
    } catch (thrown) {
      // Why there is no organization matters more than whether a token that nobody has seen was revoked.
      await Promise.allSettled([withdraw()])
      throw thrown
    }
  }
  if (!userToken) await withdraw()
  return { ...(organization ? { organization } : {}), ...(userToken ? { user_token: token } : {}) }
}

type Rollback = { readonly isUndone: boolean; readonly failure: unknown }

/** If a later step fails, the user is removed again, unless that would remove memberships as well. */
async function rollBackUser(
  client: Client,
  user: CreatedResource,
  username: string,
  thrown: unknown,
): Promise<Rollback> {
  if (!(thrown instanceof CliFailure)) return { isUndone: false, failure: thrown }
  const ended = (isUndone: boolean, what: string): Rollback => ({
    isUndone,
    failure: new CliFailure(`${thrown.message}\n  ${what}`, thrown.exitCode),
  })
  // Earlier invitations have become memberships.
  const joined = user.relationships?.organizations?.data.map(({ id }) => id) ?? []
  if (joined.length > 0)
    return ended(false, `${username} was created and is kept, as a member of ${joined.join(', ')}.`)
  try {
    await client.call({ method: 'DELETE', path: `/api/v2/admin/users/${user.id}` })
    return ended(true, `Nothing was created, not even ${username}. Fix this and run the command again.`)
  } catch (another) {
    if (!(another instanceof CliFailure)) throw another
    return ended(false, `${username} was created and could not be removed again. ${another.message}`)
  }
}

async function createResource(
  client: Client,
  path: string,
  type: string,
  attributes: object,
): Promise<CreatedResource> {
  const { body } = await client.call({ method: 'POST', path, body: { data: { type, attributes } } })
  return (body as { data: CreatedResource }).data
}
