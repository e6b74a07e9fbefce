import { siteAdministrator } from '../../../../access/permissions/index.ts'
import { failure } from '../../../../kernel/failure.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import { documentSchema } from '../../../../kit/jsonapi/index.ts'
import type { User } from '../user.ts'
import { changeUser, type UserChanges } from '../user-actions.ts'
import { userSchema } from '../user-fields.ts'
import { administeredQuery, answerPerson, personInPath, requireAddressedUser } from './admin-user-endpoints.ts'

/** An action on a person: what it changes, and the refusal if the person is in that state already. */
type Action = {
  readonly name: string
  readonly summary: string
  readonly change: UserChanges
  readonly isDone: (user: User) => boolean
  readonly alreadyText: string
}

const actions: readonly Action[] = [
  {
    name: 'suspend',
    summary: "Suspend a user: sign-in is refused and the user's tokens stop working.",
    change: { suspended: true },
    isDone: (user) => user.suspended,
    alreadyText: 'is suspended already',
  },
  {
    name: 'unsuspend',
    summary: 'Lift the suspension of a user.',
    change: { suspended: false },
    isDone: (user) => !user.suspended,
    alreadyText: 'is not suspended',
  },
  {
    name: 'grant_admin',
    summary: 'Make a user a site administrator.',
    change: { siteAdmin: true },
    isDone: (user) => user.siteAdmin,
    alreadyText: 'administers the site already',
  },
  {
    name: 'revoke_admin',
    summary: 'Remove site administration from a user.',
    change: { siteAdmin: false },
    isDone: (user) => !user.siteAdmin,
    alreadyText: 'does not administer the site',
  },
]

const changeBy =
  ({ name, change, isDone, alreadyText }: Action) =>
  (before: User): UserChanges => {
    if (isDone(before)) throw failure('malformed', `user.${name}`, `${before.username} ${alreadyText}.`)
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
      const { id } = await requireAddressedUser(call)
      return answerPerson(call, await changeUser(call.deps, authorOf(call), id, changeBy(action)))
    },
  })

/** Suspending people, and making them administrators of the site. */
export const adminActionEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', actions.map(actionEndpoint))
