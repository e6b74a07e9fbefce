import { siteAdministrator } from '../../../access/permissions/index.ts'
import { failure } from '../../../kernel/failure.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { documentSchema } from '../../../kit/jsonapi/index.ts'
import { authorOf } from '../../change-log/index.ts'
import { changeUser, type UserChanges } from '../user-actions.ts'
import type { User } from '../user-rules.ts'
import { userSchema } from '../user-wire.ts'
import { addressed, answerPerson } from './admin-user-answers.ts'
import { administeredQuery, personInPath } from './admin-user-wire.ts'

/** An action on a person: what it changes, and the refusal if the person is in that state already. */
type Action = {
  readonly name: string
  readonly summary: string
  readonly change: UserChanges
  readonly isSo: (user: User) => boolean
  readonly already: string
}

const actions: readonly Action[] = [
  {
    name: 'suspend',
    summary: "Suspend a user: sign-in is refused and the user's tokens stop working.",
    change: { suspended: true },
    isSo: (user) => user.suspended,
    already: 'is suspended already',
  },
  {
    name: 'unsuspend',
    summary: 'Lift the suspension of a user.',
    change: { suspended: false },
    isSo: (user) => !user.suspended,
    already: 'is not suspended',
  },
  {
    name: 'grant_admin',
    summary: 'Make a user a site administrator.',
    change: { siteAdmin: true },
    isSo: (user) => user.siteAdmin,
    already: 'administers the site already',
  },
  {
    name: 'revoke_admin',
    summary: 'Remove site administration from a user.',
    change: { siteAdmin: false },
    isSo: (user) => !user.siteAdmin,
    already: 'does not administer the site',
  },
]

const changeBy =
  ({ name, change, isSo, already }: Action) =>
  (before: User): UserChanges => {
    if (isSo(before)) throw failure('malformed', `user.${name}`, `${before.username} ${already}.`)
    return change
  }

const actionEndpoint = (action: Action) =>
  endpoint({
    id: `admin-users.${action.name.replace('_', '-')}`,
    route: `POST /admin/users/:userId/actions/${action.name}`,
    summary: action.summary,
    access: siteAdministrator(),
    params: personInPath,
    query: administeredQuery,
    returns: { 200: documentSchema(userSchema) },
    fails: ['missing', 'malformed', 'invalid'],
    handle: async (call) => {
      const { id } = await addressed(call)
      return answerPerson(call, await changeUser(call.deps, authorOf(call), id, changeBy(action)))
    },
  })

/** Suspending people, and making them administrators of the site. */
export const adminActionEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', actions.map(actionEndpoint))
