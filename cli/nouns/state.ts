import { createHash } from 'node:crypto'
import { readWhole } from '../connection/client.ts'
import { callOperation, findResource, pageOf, pagesOf, type Resource, resourceOf } from '../connection/operations.ts'
import { readValue } from '../input/arguments.ts'
import { confirm } from '../input/confirmation.ts'
import { CliFailure } from '../io.ts'
import type { Noun, Session, Verb, VerbArgument, VerbFlag } from './noun.ts'
import { flat, listVerb, located, organizationFlag, reference, resultOf, target } from './resource-verbs.ts'
import { differences } from './state-diff.ts'

const columns = ['serial', 'id', 'status', 'size', 'resource-count', 'tool-version', 'created-at']
const shown = [...columns, 'lineage', 'md5', 'encrypted', 'intermediate']
const flags: readonly VerbFlag[] = [organizationFlag]
const versionText = 'its serial or id'

/** The versions of a workspace are found by the names of both. */
async function namesOf(session: Session): Promise<Record<string, string>> {
  const { resource } = await located(session, 'workspace')
  const organization = Object(resource.relationships?.organization?.data) as { id: string }
  return {
    'filter[organization][name]': organization.id,
    'filter[workspace][name]': String(resource.attributes.name),
  }
}

const list = listVerb({
  operation: 'state-versions.list',
  description: 'list the versions of the state of a workspace, newest first',
  arguments: [target('workspace')],
  columns,
  flags,
  query: namesOf,
  example: 'state list app-prod',
})

/** A version by its serial or id; the current one if there is no word. */
async function versionOf(session: Session, word: string): Promise<Resource> {
  if (word === '') {
    const { path } = await located(session, 'workspace')
    return resourceOf(await callOperation(session.client, 'state-versions.current', { path }))
  }
  if (word.startsWith('sv-'))
    return resourceOf(await callOperation(session.client, 'state-versions.show', { path: { stateVersionId: word } }))
  if (!/^\d+$/.test(word)) throw new CliFailure(`'${word}' is no version: write ${versionText}.`)
  const found = await findVersion(session, ({ attributes }) => String(attributes.serial) === word)
  if (found) return found
  throw new CliFailure(
    `There is no version with serial ${word}; 'holdfast state list ${session.word(0)}' shows all.`,
    2,
  )
}

/** The newest version that is wanted. */
const findVersion = async (session: Session, isWanted: (version: Resource) => boolean): Promise<Resource | undefined> =>
  findResource(pagesOf(session.client, 'state-versions.list', { query: await namesOf(session) }), isWanted)

/** The file of a version. Its address is signed, and names the host by the server's own settings. */
async function download(session: Session, { attributes, id }: Resource): Promise<string> {
  const address = attributes['hosted-state-download-url']
  if (typeof address !== 'string') throw new CliFailure(`The version ${id} has no content to download.`, 2)
  const { pathname, search } = new URL(address)
  const incoming = await session.client.open({ method: 'GET', path: `${pathname}${search}` })
  return (await readWhole(incoming)).toString('utf8')
}

const versionArgument: VerbArgument = { term: '[version]', text: `${versionText}; by default the current one` }

const show: Verb = {
  name: 'show',
  description: 'show a version of a state',
  arguments: [target('workspace'), versionArgument],
  flags,
  example: 'state show app-prod 12',
  run: async (session) => resultOf(await versionOf(session, session.word(1)), shown),
}

const outputs: Verb = {
  name: 'outputs',
  description: 'show the outputs of a workspace; sensitive ones without their values',
  arguments: [target('workspace')],
  flags,
  example: 'state outputs app-prod --json',
  run: async (session) => {
    const { path } = await located(session, 'workspace')
    const page = pageOf(await callOperation(session.client, 'state-version-outputs.current', { path }))
    return { rows: page.resources.map(flat), columns: ['name', 'type', 'sensitive', 'value'] }
  },
}

const pull: Verb = {
  name: 'pull',
  description: 'print a state',
  arguments: [target('workspace'), versionArgument],
  flags,
  example: 'state pull app-prod > app-prod.tfstate',
  waits: true,
  run: async (session) => ({ text: await download(session, await versionOf(session, session.word(1))) }),
}

type WorkspacePath = Readonly<Record<string, string>>

/** Does what needs the lock, which is taken unless the caller says that it is held already. */
async function withLock<T>(session: Session, path: WorkspacePath, reason: string, work: () => Promise<T>): Promise<T> {
  const { client } = session
  if (session.flags.lock === false) return await work()
  await callOperation(client, 'workspaces.lock', { path, body: { reason } })
  const done = await work().catch(async (thrown: unknown) => {
    // Why it failed matters more than whether the lock could be released.
    await Promise.allSettled([callOperation(client, 'workspaces.unlock', { path })])
    throw thrown
  })
  await callOperation(client, 'workspaces.unlock', { path })
  return done
}

const lockFlag: VerbFlag = { term: '--no-lock', text: 'you hold the lock of the workspace already, and keep it' }

type StateFile = { readonly serial: number; readonly lineage: string }

function parseState(text: string, file: string): StateFile {
  try {
    const { serial, lineage } = Object(JSON.parse(text)) as Partial<StateFile>
    if (typeof serial === 'number' && typeof lineage === 'string') return { serial, lineage }
  } catch (thrown) {
    throw new CliFailure(`${file} is no state: ${(thrown as Error).message}`)
  }
  throw new CliFailure(`${file} is no state: it has no serial and lineage.`)
}

const push: Verb = {
  name: 'push',
  description: 'make a file the state of a workspace',
  arguments: [target('workspace'), { term: '<file>', text: 'the state, or - for standard input' }],
  flags: [{ term: '--force', text: 'whatever its lineage and serial are' }, lockFlag, ...flags],
  example: 'state push app-prod app-prod.tfstate',
  asks: true,
  waits: true,
  run: async (session) => {
    const file = session.word(1)
    const text = await readValue(session.io, 'state', file === '-' ? '-' : `@${file}`)
    const { serial, lineage } = parseState(text, file === '-' ? 'Standard input' : file)
    const { resource, path } = await located(session, 'workspace')
    const { force, yes } = session.flags
    const name = String(resource.attributes.name)
    if (force)
      await confirm(session.io, yes === true, async () => `This replaces the state of '${name}', whatever it is.`)
    const md5 = createHash('md5').update(text).digest('hex')
    const attributes = { serial, lineage, md5, ...(force === true && { force: true }) }
    const body = { data: { type: 'state-versions', attributes } }
    const version = await withLock(session, path, `holdfast state push ${file}`, async () => {
      const announced = resourceOf(await callOperation(session.client, 'state-versions.create', { path, body }))
      await upload(session, announced, text)
      return announced
    })
    return { done: `Pushed: serial ${serial} of ${name}`, row: { id: version.id, serial, lineage, md5 } }
  },
}

async function upload(session: Session, { attributes }: Resource, text: string): Promise<void> {
  const { pathname, search } = new URL(String(attributes['hosted-state-upload-url']))
  const headers = { 'content-type': 'application/octet-stream' }
  await session.client.call({ method: 'PUT', path: `${pathname}${search}`, body: Buffer.from(text), headers })
}

const diff: Verb = {
  name: 'diff',
  description: 'show which resources and outputs differ between two versions of a state, without their values',
  arguments: [
    target('workspace'),
    { term: '[from]', text: `${versionText}; by default the version before` },
    { term: '[to]', text: `${versionText}; by default the current one` },
  ],
  flags,
  example: 'state diff app-prod 11 12',
  waits: true,
  run: async (session) => {
    const to = await versionOf(session, session.word(2))
    const from = session.word(1) === '' ? await versionBefore(session, to) : await versionOf(session, session.word(1))
    const [before, after] = [await download(session, from), await download(session, to)]
    const rows = differences(JSON.parse(before), JSON.parse(after))
    const hint = `Serial ${String(from.attributes.serial)} is compared with ${String(to.attributes.serial)}.${rows.length === 0 ? ' Nothing differs.' : ''}`
    return { rows, columns: ['change', 'address', 'attributes'], hint }
  },
}

async function versionBefore(session: Session, to: Resource): Promise<Resource> {
  let isBeyond = false
  const before = await findVersion(session, ({ id, attributes }) => {
    if (id === to.id) isBeyond = true
    return isBeyond && id !== to.id && attributes.status === 'finalized'
  })
  if (before) return before
  throw new CliFailure(`There is no version before serial ${String(to.attributes.serial)}.`, 2)
}

const rollback: Verb = {
  name: 'rollback',
  description: 'make an earlier version the current state again',
  arguments: [target('workspace'), { term: '<version>', text: versionText }],
  flags: [lockFlag, ...flags],
  example: 'state rollback app-prod 11 --yes',
  asks: true,
  waits: true,
  run: async (session) => {
    const version = await versionOf(session, session.word(1))
    const { resource, path } = await located(session, 'workspace')
    const { serial } = version.attributes
    const name = String(resource.attributes.name)
    await confirm(
      session.io,
      session.flags.yes === true,
      async () =>
        `This makes serial ${String(serial)} the state of '${name}'. Throw away plans that were saved before.`,
    )
    const relationships = { 'rollback-state-version': reference('state-versions', version.id) }
    const body = { data: { type: 'state-versions', relationships } }
    const made = await withLock(session, path, `holdfast state rollback to serial ${String(serial)}`, async () =>
      resourceOf(await callOperation(session.client, 'state-versions.rollback', { path, body })),
    )
    return { done: `Rolled back: ${name} to serial ${String(serial)}`, row: flat(made) }
  },
}

/** `holdfast state`. */
export const state: Noun = {
  name: 'state',
  description: 'the state of a workspace and its versions',
  verbs: [list, show, outputs, pull, push, diff, rollback],
}
