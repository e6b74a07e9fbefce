import { benchRootToken } from '../servers/holdfast.ts'
import type { ChildServer } from './child-server.ts'

/** The headers of a caller. */
export const bearerHeaders = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

/** A document of `/api/v2` about one resource. */
export const documentOf = (type: string, attributes: object = {}, relationships?: object): object => ({
  data: { type, attributes, ...(relationships ? { relationships } : {}) },
})

type Answer = { data: { id: string; attributes: Record<string, string> } }

/** Sends a document to a path below `/api/v2` and returns the answer; any answer other than success is an error. */
export async function send(
  server: ChildServer,
  path: string,
  document: object,
  token = benchRootToken,
): Promise<Answer['data']> {
  const answer = await fetch(`http://127.0.0.1:${server.facts.port}/api/v2${path}`, {
    method: 'POST',
    headers: { ...bearerHeaders(token), 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify(document),
  })
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? { id: '', attributes: {} } : ((await answer.json()) as Answer).data
}
