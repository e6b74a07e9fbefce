import type { ChildServer } from '../harness/child-server.ts'
import { benchRootToken } from '../servers/holdfast.ts'

/** A request with the token of a caller; that of root without one. */
export type CallOptions = { readonly verb?: string; readonly token?: string; readonly body?: object }

/** Sends a request to either API and returns the text of its answer; any answer other than success is an error. */
export async function call(server: ChildServer, path: string, options: CallOptions = {}): Promise<string> {
  const { verb = 'GET', token = benchRootToken, body } = options
  const isPlatform = path.startsWith('/api/v2')
  const answer = await fetch(`http://127.0.0.1:${server.facts.port}${path}`, {
    method: verb,
    headers: {
      ...(isPlatform ? { authorization: `Bearer ${token}` } : { 'x-service-token': token }),
      'content-type': isPlatform ? 'application/vnd.api+json' : 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${verb} ${path}: ${answer.status} ${text.slice(0, 400)}`)
  return text
}
