import type { Answer, Call, Client } from '../connection/client.ts'
import { CliFailure } from '../io.ts'
import type { PatientClient } from './patient-client.ts'

/** A resource of `/api/v2`, as servers of this API send it. */
export type Resource = {
  readonly id: string
  readonly type: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, { data?: { id: string; type: string } | null }>>
}

type Page = { data: Resource[]; meta?: { pagination?: { 'next-page'?: number | null } } }

/** All resources of a list, page by page. `absent` is called if there is no such list; otherwise that is a failure. */
export async function* listAll(client: Client, path: string, absent?: () => void): AsyncGenerator<Resource> {
  for (let page: number | null | undefined = 1; page; ) {
    const call = { method: 'GET', path: `${path}?page%5Bnumber%5D=${page}&page%5Bsize%5D=100` }
    const answer = await client.ask(call)
    if (answer.status === 404 && absent) return absent()
    const { data, meta } = client.requireSuccess(call, answer).body as Page
    yield* data
    page = meta?.pagination?.['next-page']
  }
}

/**
 * All resources of a list that not every server has. One whose documents name the relationship has it, and answers 404
 * if the token may not read it.
 */
export const listIfAny = (client: Client, owner: Resource, relationship: string, path: string) =>
  listAll(client, path, () => {
    if (owner.relationships?.[relationship]) throw new CliFailure('This token may not read it.', 2)
  })

/** One resource; undefined if it does not exist or this token may not see it. */
export async function findOne(client: Client, path: string): Promise<Resource | undefined> {
  const call = { method: 'GET', path }
  const answer = await client.ask(call)
  return answer.status === 404 ? undefined : dataOf(client.requireSuccess(call, answer))
}

/** The resource of an answer. */
export const dataOf = ({ body }: Answer): Resource => Object(body).data

/** What to do about an answer that refuses a change. */
type Refused = {
  /**
   * Looks for what a change that must be carried out once has done. It was not so before, so if it is so after an attempt
   * whose answer was lost, that attempt did it.
   */
  readonly find?: () => Promise<Resource | undefined>
  /** Takes out of the call what the answer refuses. Returns whether there was any; the call is then sent again. */
  readonly mend?: (answer: Answer) => boolean
}

/** Sends a change, and returns what it has made or changed. */
export async function send(client: PatientClient, call: Call, { find, mend }: Refused): Promise<Resource> {
  for (;;) {
    const answer = await client.ask(call)
    const { status, isRepeated } = answer
    const found = find && isRepeated && (status === 409 || status === 422) ? await find() : undefined
    if (found) return found
    if (mend?.(answer)) continue
    try {
      return dataOf(client.requireSuccess(call, answer))
    } catch (thrown) {
      if (!find || !isRepeated || !(thrown instanceof CliFailure)) throw thrown
      const hint = 'An earlier attempt was cut off and may have been carried out; check what exists.'
      throw new CliFailure(`${thrown.message}\n  ${hint}`, thrown.exitCode)
    }
  }
}

/** A string attribute; empty if it is not a string. */
export const textOf = ({ attributes }: Resource, name: string): string => {
  const value = attributes[name]
  return typeof value === 'string' ? value : ''
}

const accountOf = async (to: Client): Promise<Resource> =>
  dataOf(await to.call({ method: 'GET', path: '/api/v2/account/details' }))

/** The user, team or organization that a token belongs to. */
const ownerOf = (account: Resource): { id: string; type: string } =>
  account.relationships?.['authenticated-resource']?.data ?? account

/** Whether the token of the target belongs to the user or team with this id. */
export const isCaller = async (to: Client, id: string | undefined): Promise<boolean> =>
  id === ownerOf(await accountOf(to)).id

/** Refuses a token that cannot write all that is copied. Returns whether it may create organizations. */
export async function requireWriter(to: Client): Promise<boolean> {
  const account = await accountOf(to)
  if (ownerOf(account).type === 'organizations') {
    const text = 'The token of the target belongs to an organization, which may not write state.'
    throw new CliFailure(`${text} Use one of a user or a team.`)
  }
  return Object(account.attributes.permissions)['can-create-organizations'] !== false
}
