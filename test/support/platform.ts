import { expect } from 'vitest'
import type { Answer, Client } from './client.ts'
import type { TestApp } from './test-app.ts'

/** A person with a user token. */
export type Person = Client & {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly token: string
}

/** A team with a token. */
export type TeamCaller = Client & { readonly id: string; readonly name: string; readonly token: string }

/** An organization with its owner and its default project. */
export type Organization = {
  readonly name: string
  readonly id: string
  readonly owner: Person
  readonly projectId: string
}

/** A JSON:API document with one resource. */
export const doc = (type: string, attributes: object = {}, relationships?: object): object => ({
  data: { type, attributes, ...(relationships ? { relationships } : {}) },
})

/** Pointers of the errors of an answer, in order. */
export const pointers = (answer: Answer): string[] =>
  answer.body.errors.map((error: { source?: { pointer?: string } }) => error.source?.pointer)

/** Fails with the answer if it is not the expected one. */
export function mustBe(answer: Answer, status: number): Answer {
  expect({ status: answer.status, text: answer.status === status ? '' : answer.text }).toEqual({ status, text: '' })
  return answer
}

/** Makes a person with a user token, and with a password if one is given. */
export async function person(app: Pick<TestApp, 'root'>, username: string, password?: string): Promise<Person> {
  const email = `${username}@example.com`
  const made = mustBe(await app.root.post('/api/v2/admin/users', doc('users', { username, email, password })), 201)
  const id = made.body.data.id as string
  const issued = mustBe(
    await app.root.post(`/api/v2/users/${id}/authentication-tokens`, doc('authentication-tokens')),
    201,
  )
  const token = issued.body.data.attributes.token as string
  return { ...app.root.as(token), id, username, email, token }
}

/** Makes an organization owned by a person. */
export async function organization(owner: Person, name: string): Promise<Organization> {
  const made = mustBe(
    await owner.post('/api/v2/organizations', doc('organizations', { name, email: owner.email })),
    201,
  )
  const { data } = made.body
  return { name, id: data.attributes['external-id'], owner, projectId: data.relationships['default-project'].data.id }
}

/** Lets a person join an organization, in these teams. */
export async function join(of: Organization, member: Person, teamIds: readonly string[] = []): Promise<string> {
  const relationships = { teams: { data: teamIds.map((id) => ({ type: 'teams', id })) } }
  const body = doc('organization-memberships', { email: member.email }, relationships)
  const path = `/api/v2/organizations/${of.name}/organization-memberships`
  return mustBe(await of.owner.post(path, body), 201).body.data.id
}

/** Makes a team with a token. */
export async function team(of: Organization, name: string, attributes: object = {}): Promise<TeamCaller> {
  const made = mustBe(
    await of.owner.post(`/api/v2/organizations/${of.name}/teams`, doc('teams', { name, ...attributes })),
    201,
  )
  const id = made.body.data.id as string
  const issued = mustBe(await of.owner.post(`/api/v2/teams/${id}/authentication-token`), 201)
  const token = issued.body.data.attributes.token as string
  return { ...of.owner.as(token), id, name, token }
}

let workspacesMade = 0

/** Creates a workspace for the owner of an organization, with a unique name by default; returns its id. */
export async function workspaceIn(of: Organization, attributes: object = {}, relationships?: object): Promise<string> {
  const body = doc('workspaces', { name: `workspace-${++workspacesMade}`, ...attributes }, relationships)
  return mustBe(await of.owner.post(`/api/v2/organizations/${of.name}/workspaces`, body), 201).body.data.id
}

/** The token of an organization. */
export async function organizationToken(of: Organization): Promise<Client> {
  const issued = mustBe(await of.owner.post(`/api/v2/organizations/${of.name}/authentication-token`), 201)
  return of.owner.as(issued.body.data.attributes.token)
}
