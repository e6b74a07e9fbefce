import type { OperationName } from '../../api-client/client.ts'
import { callOperation, resourceOf } from '../connection/operations.ts'
import { confirm } from '../input/confirmation.ts'
import type { Noun, Verb } from './noun.ts'
import { createVerb, deleteVerb, flat, listVerb, located, showVerb, target, updateVerb } from './resource-verbs.ts'

const shown = ['id', 'username', 'email', 'is-admin', 'is-suspended', 'invitation-url', 'organizations', 'created-at']

/** What happens to a user, and how it is told. */
const actionVerb = (
  name: string,
  operation: OperationName,
  told: { description: string; done: string; stakes?: string },
): Verb => ({
  name,
  description: told.description,
  arguments: [target('user')],
  example: `user ${name} ann${told.stakes ? ' --yes' : ''}`,
  ...(told.stakes && { asks: true }),
  run: async (session) => {
    const { resource, path } = await located(session, 'user')
    const username = String(resource.attributes.username)
    if (told.stakes)
      await confirm(session.io, session.flags.yes === true, async () => `This ${told.stakes} '${username}'.`)
    const changed = resourceOf(await callOperation(session.client, operation, { path }))
    return { done: `${told.done}: ${username}`, row: flat(changed) }
  },
})

/** `holdfast user`: for site administrators. */
export const user: Noun = {
  name: 'user',
  description: 'users of the whole site; for its administrators',
  verbs: [
    listVerb({
      operation: 'admin-users.list',
      description: 'list users',
      columns: ['username', 'id', 'email', 'is-admin', 'is-suspended', 'created-at'],
      filters: [
        { term: '--search <text>', text: 'a part of the username or e-mail address', query: (given) => ({ q: given }) },
        { term: '--admin', text: 'site administrators', query: (given) => ({ 'filter[admin]': given }) },
        { term: '--suspended', text: 'those that are suspended', query: (given) => ({ 'filter[suspended]': given }) },
      ],
      example: 'user list --search ann',
    }),
    showVerb({ kind: 'user', description: 'show a user', columns: shown, example: 'user show ann' }),
    createVerb({
      operation: 'admin-users.create',
      type: 'users',
      called: 'username',
      description: 'create a user; without a password, the answer has an invitation link',
      columns: shown,
      example: 'user create cleo --email cleo@example.com',
    }),
    updateVerb({
      kind: 'user',
      operation: 'admin-users.update',
      type: 'users',
      description: 'change a user',
      columns: shown,
      example: 'user update ann --email ann@example.org',
    }),
    deleteVerb({
      kind: 'user',
      operation: 'admin-users.delete',
      description: 'delete a user',
      stakes: () => 'with all tokens and memberships',
      example: 'user delete cleo --yes',
    }),
    actionVerb('suspend', 'admin-users.suspend', {
      description: 'stop a user from signing in and using tokens',
      done: 'Suspended',
      stakes: 'ends all sessions and tokens of',
    }),
    actionVerb('unsuspend', 'admin-users.unsuspend', {
      description: 'let a suspended user in again',
      done: 'Unsuspended',
    }),
  ],
}
