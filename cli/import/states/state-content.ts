import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Client, createClient, readWhole, TransientFailure } from '../../connection/client.ts'
import { CliFailure } from '../../io.ts'
import { type Resource, textOf } from '../documents.ts'
import type { PatientClient } from '../patient-client.ts'

/** What tells states apart: the lineage is that of a workspace's whole history, the serial counts within it. */
export type StateIdentity = { readonly serial: unknown; readonly lineage: string | undefined; readonly md5: string }

/** The identity of a state by its version's document, as far as the server says it. */
export const announcedIdentity = (version: Resource): StateIdentity => ({
  serial: version.attributes.serial,
  lineage: textOf(version, 'lineage') || undefined,
  md5: textOf(version, 'md5').toLowerCase(),
})

/** The identity of a state by its content. */
export function identityOf(content: Buffer): StateIdentity {
  const { serial, lineage } = parsed(content)
  const md5 = createHash('md5').update(content).digest('hex')
  return { serial, lineage: typeof lineage === 'string' ? lineage : undefined, md5 }
}

function parsed(content: Buffer): { serial?: unknown; lineage?: unknown } {
  try {
    return Object(JSON.parse(content.toString('utf8')))
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw new CliFailure('The state that was downloaded is not JSON.', 2)
    throw thrown
  }
}

/** Downloads the content of a state version, and makes sure that it is this one: proxies answer in its place. */
export async function downloadState(from: PatientClient, version: Resource): Promise<Buffer> {
  const url = textOf(version, 'hosted-state-download-url')
  if (url === '') throw new CliFailure('It cannot be downloaded; its content does not exist.')
  const content = await from.persist(() => download(from, url))
  const [sent, announced] = [identityOf(content), announcedIdentity(version)]
  if (announced.md5 === '' ? sent.serial !== announced.serial : sent.md5 !== announced.md5)
    throw new CliFailure(`The download is not this state, serial ${announced.serial}.`, 2)
  return content
}

const mostRedirects = 5

/**
 * Addresses of content may be paths, or name another host, which needs the token as well. If that redirects to a third
 * host, the address alone grants access, and the token is not sent.
 */
async function download({ connection }: Client, url: string): Promise<Buffer> {
  let at = new URL(url, connection.address)
  const named = at.origin
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const token = at.origin === named ? connection.token : undefined
    const host = createClient({ ...connection, address: new URL(at.origin), token })
    const incoming = await openAddress(host, `${at.pathname}${at.search}`)
    const { location } = incoming.headers
    if ((incoming.statusCode ?? 0) < 300 || location === undefined) return await readWhole(incoming)
    incoming.resume()
    at = new URL(location, at)
  }
  throw new CliFailure(`It cannot be downloaded: ${named} redirects again and again.`, 2)
}

/** Opens an address of content. Failures do not show it, since it may grant access to whoever reads it. */
async function openAddress(host: Client, path: string): Promise<IncomingMessage> {
  const { token } = host.connection
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  try {
    return await host.open({ method: 'GET', path, headers })
  } catch (thrown) {
    if (!(thrown instanceof CliFailure)) throw thrown
    const text = thrown.message.replaceAll(path, 'its content')
    if (thrown instanceof TransientFailure) throw new TransientFailure(text, thrown)
    const { exitCode } = thrown
    throw isRateLimit(text) ? new TransientFailure(text, { isUndone: true, exitCode }) : new CliFailure(text, exitCode)
  }
}

/** True for a refusal that passes if the caller waits. */
const isRateLimit = (text: string): boolean => / with 429\.$/m.test(text)
