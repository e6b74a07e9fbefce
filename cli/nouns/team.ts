import { callOperation } from '../connection/operations.ts'
import { inOrganization } from './lookup.ts'
import type { Noun, Verb } from './noun.ts'
import {
  createVerb,
  deleteVerb,
  listVerb,
  located,
  organizationFlag,
  showVerb,
  target,
  updateVerb,
} from './resource-verbs.ts'

const flags = [organizationFlag]
const shown = [
  ...['id', 'name', 'visibility', 'users-count', 'allow-certificate-login', 'allowed-login-methods'],
  ...['allow-member-token-management', 'users', 'created-at'],
]

/** Members are named by their usernames. */
const memberVerb = (name: 'add' | 'remove', description: string, done: string): Verb => ({
  name,
  description,
  arguments: [target('team'), { term: '<usernames...>', text: 'who', names: 'user' }],
  flags,
  example: `team ${name} deployers ann ben`,
  run: async (session) => {
    const { resource, path } = await located(session, 'team')
    // Whoever may change a team need not be allowed to list users, so names are sent as they are.
    const data = session.words.map((id) => ({ type: 'users', id }))
    await callOperation(session.client, name === 'add' ? 'teams.add-users' : 'teams.remove-users', {
      path,
      body: { data },
    })
    return { done: `${done} ${String(resource.attributes.name)}: ${session.words.join(', ')}` }
  },
})

/** `holdfast team`. */
export const team: Noun = {
  name: 'team',
  description: 'teams of an organization and their members',
  verbs: [
    listVerb({
      operation: 'teams.list',
      description: 'list teams',
      columns: ['name', 'id', 'visibility', 'users-count', 'allow-certificate-login', 'created-at'],
      filters: [{ term: '--search <text>', text: 'a part of the name', query: (given) => ({ q: given }) }],
      flags,
      place: inOrganization,
      example: 'team list --search deploy',
    }),
    showVerb({ kind: 'team', description: 'show a team', flags, columns: shown, example: 'team show owners' }),
    createVerb({
      operation: 'teams.create',
      type: 'teams',
      called: 'name',
      description: 'create a team',
      flags,
      place: inOrganization,
      columns: shown,
      example: 'team create deployers --allow-certificate-login --organization-access \'{"manage-workspaces": true}\'',
    }),
    updateVerb({
      kind: 'team',
      operation: 'teams.update',
      type: 'teams',
      description: 'change a team',
      flags,
      columns: shown,
      example: 'team update deployers --visibility organization',
    }),
    deleteVerb({
      kind: 'team',
      operation: 'teams.delete',
      description: 'delete a team',
      flags,
      stakes: () => 'its tokens and what it may do',
      example: 'team delete testers --yes',
    }),
    memberVerb('add', 'add members of the organization to a team', 'Added to'),
    memberVerb('remove', 'remove members from a team', 'Removed from'),
  ],
}
