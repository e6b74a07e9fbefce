import { startBareCopy } from './harness/bare-copy.ts'
import type { Bench } from './harness/bench.ts'
import type { ChildServer } from './harness/child-server.ts'
import { type Contender, compareRates, type Pace } from './harness/compare-rates.ts'
import { startHoldfast } from './harness/holdfast-server.ts'
import { bearerHeaders, documentOf, send } from './harness/platform-client.ts'
import { openClient, requestBytes } from './harness/raw-load.ts'
import { renderRates } from './harness/table.ts'

const connections = 32
const path = '/api/v2/organizations/bench'
const manyTeams = 200

/** Reading an organization with permissions evaluated: against Node alone, and in many teams against one. */
export const bench: Bench = {
  about: `GET of an organization by a user token: against bare node:http, and in ${manyTeams} teams against one`,
  async *run(pace) {
    const server = await startHoldfast()
    try {
      const owner = await createUser(server, 'owner')
      await send(server, '/organizations', documentOf('organizations', { name: 'bench', email: 'a@b' }), owner)
      const few = await createMember(server, owner, 'few', 1)
      const many = await createMember(server, owner, 'many', manyTeams)
      yield `Against Node, ${connections} kept connections.\n\n${await againstNode(pace, server, owner)}`
      yield `A member of ${manyTeams} teams against a member of one; 1 / 1.3 is the target.\n\n${await compareTeamCounts(pace, server, few, many)}`
    } finally {
      await server.stop()
    }
  },
}

/** Creates a user and returns a token. */
async function createUser(server: ChildServer, username: string): Promise<string> {
  const { id } = await send(server, '/admin/users', documentOf('users', { username, email: emailOf(username) }))
  const token = await send(server, `/users/${id}/authentication-tokens`, documentOf('authentication-tokens'))
  return token.attributes.token ?? ''
}

const emailOf = (username: string): string => `${username}@example.com`

/** Creates a member of the organization in this many teams and returns a token. */
async function createMember(server: ChildServer, owner: string, username: string, teams: number): Promise<string> {
  const token = await createUser(server, username)
  const invitation = documentOf('organization-memberships', { email: emailOf(username) })
  const { id } = await send(server, '/organizations/bench/organization-memberships', invitation, owner)
  for (let n = 0; n < teams; n++) {
    const team = documentOf('teams', { name: `${username}-${n}` })
    const { id: teamId } = await send(server, '/organizations/bench/teams', team, owner)
    const members = { data: [{ type: 'organization-memberships', id }] }
    await send(server, `/teams/${teamId}/relationships/organization-memberships`, members, owner)
  }
  return token
}

function contender(name: string, server: ChildServer, token: string, target?: number): Contender {
  const requests = [requestBytes('GET', path, bearerHeaders(token))]
  const client = openClient({ port: server.facts.port, requests, connections })
  return { name, target, run: client.run, cpu: server.cpu }
}

async function againstNode(pace: Pace, server: ChildServer, token: string): Promise<string> {
  const bare = await startBareCopy(server, path, bearerHeaders(token))
  try {
    const contenders = [contender('bare node:http', bare, token), contender('holdfast', server, token, 0.5)]
    return renderRates(await compareRates(contenders, pace))
  } finally {
    await bare.stop()
  }
}

async function compareTeamCounts(pace: Pace, server: ChildServer, few: string, many: string): Promise<string> {
  const contenders = [contender('one team', server, few), contender(`${manyTeams} teams`, server, many, 1 / 1.3)]
  return renderRates(await compareRates(contenders, pace))
}
