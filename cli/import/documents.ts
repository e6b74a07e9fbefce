import type { Answer, Call, Client } from '../connection/client.ts'
import { CliFailure } from '../io.ts'
import type { PatientAnswer, PatientClient } from './patient-client.ts'

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
    const separator = path.includes('?') ? '&' : '?'
    const call = { method: 'GET', path: `${path}${separator}page%5Bnumber%5D=${page}&page%5Bsize%5D=100` }
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

/**
 * Creates a resource and returns it. `find` looks for it by its unique name: it did not exist before, so if it exists
 * after an attempt whose answer was lost, that attempt created it.
 */
export async function createOnce(
  client: PatientClient,
  path: string,
  resource: object,
  find: () => Promise<Resource | undefined>,
): Promise<Resource> {
  const call = { method: 'POST', path, body: { data: resource } }
  const answer = await client.ask(call)
  return (await resultOfLostAttempt(answer, find)) ?? dataOf(requireSuccessAfterRetry(client, call, answer))
}

/** What an attempt whose answer was lost has created, if the repeated call is refused. */
export async function resultOfLostAttempt<T>(
  { status, isRepeated }: PatientAnswer,
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  return isRepeated && (status === 409 || status === 422) ? await find() : undefined
}

/** Fails if the server refused, and says so if an earlier attempt may have been carried out. */
export function requireSuccessAfterRetry(client: Client, call: Call, answer: PatientAnswer): Answer {
  try {
    return client.requireSuccess(call, answer)
  } catch (thrown) {
    if (!answer.isRepeated || !(thrown instanceof CliFailure)) throw thrown
    const hint = 'An earlier attempt was cut off and may have been carried out; check what exists.'
    throw new CliFailure(`${thrown.message}\n  ${hint}`, thrown.exitCode)
  }
}

/** The resource of an answer. */
export const dataOf = ({ body }: Answer): Resource => (body as { data: Resource }).data

/** An execution mode that can be copied: agents belong to the server they are registered with. */
export const copyableMode = (resource: Resource, name: string): string | undefined =>
  ['remote', 'local'].find((mode) => mode === resource.attributes[name])

/** A string attribute; empty if it is not a string. */
export const textOf = ({ attributes }: Resource, name: string): string => {
  const value = attributes[name]
  return typeof value === 'string' ? value : ''
}
