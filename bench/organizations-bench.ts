import { startBareCopy } from './harness/bare-copy.ts'
import type { Bench } from './harness/bench.ts'
import { type ChildServer, startChildServer } from './harness/child-server.ts'
import { type Contender, compareRates, type Pace } from './harness/compare-rates.ts'
import { openClient, requestBytes } from './harness/raw-load.ts'
import { renderRates } from './harness/table.ts'
import { benchRootToken } from './servers/holdfast.ts'

const connections = 32
const path = '/api/v2/organizations/bench'
const manyTeams = 200

/** Reading an organization with permissions evaluated: against Node alone, and in many teams against one. */
export const bench: Bench = {
  about: `GET of an organization by a user token: against bare node:http, and in ${manyTeams} teams against one`,
  async *run(pace) {
    const server = await startChildServer(new URL('./servers/holdfast.ts', import.meta.url), {})
    try {
      const owner = await createUser(server, 'owner')
      await send(server, owner, 'POST', '/api/v2/organizations', 'organizations', { name: 'bench', email: 'a@b' })
      const few = await createMember(server, owner, 'few', 1)
      const many = await createMember(server, owner, 'many', manyTeams)
      yield `Against Node, ${connections} kept connections.\n\n${await againstNode(pace, server, owner)}`
      yield `A member of ${manyTeams} teams against a member of one; 1 / 1.3 is the target.\n\n${await compareTeamCounts(pace, server, few, many)}`
    } finally {
      await server.stop()
    }
  },
}

type Answer = { data: { id: string; attributes: Record<string, string> } }

async function send(
  server: ChildServer,
  token: string,
  method: string,
  target: string,
  type: string,
  attributes: object,
): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${server.facts.port}${target}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type, attributes } }),
  })
  if (!answer.ok) throw new Error(`${method} ${target}: ${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? { data: { id: '', attributes: {} } } : ((await answer.json()) as Answer)
}

async function createUser(server: ChildServer, username: string): Promise<string> {
  const attributes = { username, email: `${username}@example.com` }
  const { data } = await send(server, benchRootToken, 'POST', '/api/v2/admin/users', 'users', attributes)
  const tokens = `/api/v2/users/${data.id}/authentication-tokens`
  return (await send(server, benchRootToken, 'POST', tokens, 'authentication-tokens', {})).data.attributes.token ?? ''
}

async function createMember(server: ChildServer, owner: string, username: string, teams: number): Promise<string> {
  const token = await createUser(server, username)
  const invitation = { email: `${username}@example.com` }
  const memberships = `${path}/organization-memberships`
  const membership = await send(server, owner, 'POST', memberships, 'organization-memberships', invitation)
  for (let n = 0; n < teams; n++) {
    const team = await send(server, owner, 'POST', `${path}/teams`, 'teams', { name: `${username}-${n}` })
    const place = `http://127.0.0.1:${server.facts.port}/api/v2/teams/${team.data.id}/relationships/organization-memberships`
    const body = JSON.stringify({ data: [{ type: 'organization-memberships', id: membership.data.id }] })
    const headers = { authorization: `Bearer ${owner}`, 'content-type': 'application/vnd.api+json' }
    const answer = await fetch(place, { method: 'POST', headers, body })
    if (answer.status !== 204) throw new Error(`team member: ${answer.status}`)
  }
  return token
}

function contender(name: string, server: ChildServer, token: string, target?: number): Contender {
  const requests = [requestBytes('GET', path, { authorization: `Bearer ${token}` })]
  const client = openClient({ port: server.facts.port, requests, connections })
  return { name, target, run: client.run, cpu: server.cpu }
}

async function againstNode(pace: Pace, server: ChildServer, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const bare = await startBareCopy(server, path, headers)
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
