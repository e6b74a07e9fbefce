import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Client, createClient, readWhole } from '../client.ts'
import { CliFailure } from '../io.ts'
import type { Copy } from './copy.ts'
import { dataOf, findOne, type Resource, textOf } from './documents.ts'

/** Says who holds a workspace while its state is brought, and is how an import that broke off is recognised. */
const lockReason = 'Import of state'

/** Copies the current state of a workspace, unless the target has one. */
export async function copyState(copy: Copy, source: Resource, target: Resource | undefined): Promise<void> {
  const name = textOf(source, 'name')
  if (target && !copy.dryRun) await releaseLeftover(copy.to, target)
  const current = await findOne(copy.from, `/api/v2/workspaces/${source.id}/current-state-version`)
  if (!current) return
  const there = target && (await findOne(copy.to, `/api/v2/workspaces/${target.id}/current-state-version`))
  if (there) {
    compareState(copy, name, current, there)
    return
  }
  if (target && !copy.dryRun) {
    const url = textOf(current, 'hosted-state-download-url')
    if (url === '') throw new CliFailure(`The state of ${name} cannot be downloaded; its content is not there.`)
    await sendState(copy.to, target.id, Number(current.attributes.serial), await download(copy.from, url))
  }
  copy.report.copied('state', `${name}, serial ${current.attributes.serial}`)
}

/** An import that failed or was killed while it brought this state left its lock, and maybe a version that never arrived. */
async function releaseLeftover(to: Client, { id, attributes }: Resource): Promise<void> {
  if (attributes.locked !== true || attributes['locked-reason'] !== lockReason) return
  await to.call({ method: 'POST', path: `/api/v2/workspaces/${id}/actions/force-unlock` })
}

function compareState({ report }: Copy, name: string, current: Resource, there: Resource): void {
  const [ours, theirs] = [there.attributes.serial, current.attributes.serial]
  if (ours === theirs) report.there('state')
  else
    report.note(`${name} has a state of its own here, serial ${ours}; the source has ${theirs}. It is left as it is.`)
}

const mostRedirects = 5

/**
 * Addresses of content may be paths, or lead to another host, which wants the token all the same. Where that redirects to a
 * third, the address alone is the right to read, and the token stays.
 */
async function download({ connection }: Client, url: string): Promise<Buffer> {
  let at = new URL(url, connection.address)
  const named = at.origin
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const token = at.origin === named ? connection.token : undefined
    const host = createClient({ ...connection, address: new URL(at.origin), token })
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
    const incoming = await host.open({ method: 'GET', path: `${at.pathname}${at.search}`, headers })
    const { location } = incoming.headers
    if ((incoming.statusCode ?? 0) < 300 || location === undefined) return await readWhole(incoming)
    incoming.resume()
    at = new URL(location, at)
  }
  throw new CliFailure(`The state cannot be downloaded: ${named} redirects again and again.`, 2)
}

/** Writes a state the way command lines do: lock, announce, upload, unlock. */
async function sendState(to: Client, workspaceId: string, serial: number, state: Buffer): Promise<void> {
  const workspace = `/api/v2/workspaces/${workspaceId}`
  await to.call({ method: 'POST', path: `${workspace}/actions/lock`, body: { reason: lockReason } })
  try {
    const attributes = { serial, md5: createHash('md5').update(state).digest('hex'), lineage: lineageOf(state) }
    const body = { data: { type: 'state-versions', attributes } }
    const made = dataOf(await to.call({ method: 'POST', path: `${workspace}/state-versions`, body }))
    const { pathname, search } = new URL(textOf(made, 'hosted-state-upload-url'))
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(state.length) }
    await to.call({ method: 'PUT', path: `${pathname}${search}`, body: Readable.from([state]), headers })
    await to.call({ method: 'POST', path: `${workspace}/actions/unlock` })
  } catch (thrown) {
    // What was announced and never arrived must not keep the workspace locked; who has taken it over meanwhile keeps it.
    const left = await findOne(to, workspace)
    if (left) await releaseLeftover(to, left)
    throw thrown
  }
}

function lineageOf(state: Buffer): string | null {
  try {
    const { lineage } = Object(JSON.parse(state.toString('utf8'))) as { lineage?: unknown }
    return typeof lineage === 'string' ? lineage : null
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw new CliFailure('The state that was downloaded is no JSON.', 2)
    throw thrown
  }
}
