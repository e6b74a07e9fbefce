import type { Client } from '../connection/client.ts'
import { CliFailure } from '../io.ts'
import { dataOf, type Resource } from './documents.ts'

const accountOf = async (to: Client): Promise<Resource> =>
  dataOf(await to.call({ method: 'GET', path: '/api/v2/account/details' }))

/** The user, team or organization that a token belongs to. */
const ownerOf = (account: Resource): { id: string; type: string } =>
  account.relationships?.['authenticated-resource']?.data ?? account

/** Whether the token of the target belongs to the user or team with this id. */
export const isCaller = async (to: Client, id: string | undefined): Promise<boolean> =>
  id === ownerOf(await accountOf(to)).id

/** Refuses a token that cannot write all that is copied. Returns whether it may create organizations. */
export async function requireWriter(to: Client): Promise<{ mayCreateOrganizations: boolean }> {
  const account = await accountOf(to)
  if (ownerOf(account).type === 'organizations') {
    const text = 'The token of the target belongs to an organization, which may not write state.'
    throw new CliFailure(`${text} Use one of a user or a team.`)
  }
  const permissions = Object(account.attributes.permissions) as Record<string, unknown>
  return { mayCreateOrganizations: permissions['can-create-organizations'] !== false }
}
