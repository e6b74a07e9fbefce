import { formatFor } from '../commands/context.ts'
import { parseFields } from '../input/arguments.ts'
import { confirm } from '../input/confirmation.ts'
import { CliFailure } from '../io.ts'
import { renderValue } from '../output/formats.ts'
import { metadata, versions } from './kv-metadata.ts'
import {
  addressOf,
  callFor,
  dataOf,
  folderOf,
  mountFlag,
  nameOf,
  namesIn,
  noSecret,
  type Spot,
  secretArgument,
  secretOf,
  versionedSecretOf,
} from './kv-paths.ts'
import type { Noun, Result, Row, Session, Verb, VerbFlag } from './noun.ts'

const versionFlag: VerbFlag = { term: '--version <number>', text: 'which version; by default the latest' }
const casFlag: VerbFlag = {
  term: '--cas <number>',
  text: 'only if this is the version that is current; 0 if there must be none',
}
const versionsFlag: VerbFlag = { term: '--versions <a,b>', text: 'which versions', required: true, many: true }
const valuesArgument = {
  term: '[values...]',
  text: 'key=value, key=@file, key=- to be asked or from standard input, key:=json, @file.json, or - for all as JSON',
}

type VersionInfo = {
  readonly version: number
  readonly created_time: string
  readonly deletion_time: string
  readonly destroyed: boolean
}

const isWhole = (text: string): boolean => /^\d+$/.test(text)

/** The number that a flag has; undefined if it was not given. */
function numberFrom({ flags }: Session, flag: 'version' | 'cas' | 'from' | 'to'): number | undefined {
  const given = flags[flag]
  if (given === undefined) return undefined
  if (isWhole(String(given))) return Number(given)
  throw new CliFailure(`--${flag} takes the number of a version, not '${given}'.`)
}

function numbersFrom({ flags }: Session): readonly number[] {
  const given = (flags.versions as readonly string[] | undefined) ?? []
  const wrong = given.find((each) => !isWhole(each))
  if (wrong !== undefined) throw new CliFailure(`--versions takes numbers of versions, not '${wrong}'.`)
  return given.map(Number)
}

/** What became of a version that is known, and cannot be read. */
function gone(spot: Spot, { version, destroyed, deletion_time }: VersionInfo): CliFailure {
  const name = nameOf(spot)
  if (destroyed) return new CliFailure(`Version ${version} of '${name}' was destroyed: its values are gone.`, 2)
  return new CliFailure(
    `Version ${version} of '${name}' was deleted at ${deletion_time}. 'holdfast kv undelete ${name} --versions ${version}' brings it back.`,
    2,
  )
}

/** A secret as it was written, with what is known about the version if the engine keeps versions. */
async function readSecret(session: Session, spot: Spot): Promise<{ data: Row; info?: VersionInfo }> {
  const version = numberFrom(session, 'version')
  const query = version === undefined ? '' : `?version=${version}`
  const call = { method: 'GET', path: `${addressOf(spot, 'data')}${query}` }
  const answer = await session.client.ask(call)
  const { metadata: info, data } = dataOf(answer) as { metadata?: VersionInfo; data?: Row | null }
  if (spot.hasVersions && answer.status === 404 && info) throw gone(spot, info)
  if (answer.status === 404) throw noSecret(spot)
  const whole = dataOf(session.client.requireSuccess(call, answer))
  return spot.hasVersions && data && info ? { data, info } : { data: whole }
}

const get: Verb = {
  name: 'get',
  description: 'show a secret, or with --field one value of it and nothing else',
  arguments: [secretArgument],
  flags: [versionFlag, mountFlag],
  example: 'kv get secret/app/db --field password',
  run: async (session) => {
    const spot = await secretOf(session)
    if (session.flags.version !== undefined && !spot.hasVersions) await versionedSecretOf(session)
    const { data, info } = await readSecret(session, spot)
    const isTable = formatFor(session.io, session.flags) === 'table'
    return {
      rows: Object.keys(data).map((key) => ({ key, value: data[key] === null ? 'null' : data[key] })),
      columns: ['key', 'value'],
      row: data,
      data: info ? { data, metadata: info } : { data },
      ...(isTable && info && { hint: `Version ${info.version}, written ${info.created_time}.` }),
    }
  },
}

async function valuesFrom(session: Session): Promise<Record<string, unknown>> {
  const values = await parseFields(session.io, session.words)
  if (Object.keys(values).length > 0) return values
  throw new CliFailure('Nothing to write. Give key=value, key=-, key=@file or @file.json.')
}

const optionsFrom = (session: Session): { options?: { cas: number } } => {
  const cas = numberFrom(session, 'cas')
  return cas === undefined ? {} : { options: { cas } }
}

const written = (spot: Spot, row: Row): Result => ({
  done: `Written: ${nameOf(spot)}${row.version === undefined ? '' : `, version ${renderValue(row.version)}`}`,
  row,
})

const put: Verb = {
  name: 'put',
  description: 'write a secret; what was there before is no longer current',
  arguments: [secretArgument, valuesArgument],
  flags: [casFlag, mountFlag],
  example: 'kv put secret/app/db user=app password=-',
  run: async (session) => {
    const spot = await (session.flags.cas === undefined ? secretOf : versionedSecretOf)(session)
    const options = optionsFrom(session)
    const values = await valuesFrom(session)
    const body = spot.hasVersions ? { data: values, ...options } : values
    return written(spot, dataOf(await session.client.call({ method: 'POST', path: addressOf(spot, 'data'), body })))
  },
}

const patch: Verb = {
  name: 'patch',
  description: 'change values of a secret and keep the others; key:=null removes one',
  arguments: [secretArgument, valuesArgument],
  flags: [
    casFlag,
    {
      term: '--method <method>',
      text: 'patch asks for the right of that name; rw reads and writes, which takes the rights for both',
      values: ['patch', 'rw'],
    },
    mountFlag,
  ],
  example: 'kv patch secret/app/db password=-',
  run: async (session) => {
    const { method = 'patch' } = session.flags
    if (method !== 'patch' && method !== 'rw') throw new CliFailure(`--method takes patch or rw, not '${method}'.`)
    const spot = await versionedSecretOf(session)
    const options = optionsFrom(session)
    const values = await valuesFrom(session)
    return written(spot, await (method === 'rw' ? readAndWrite : sendPatch)(session, spot, values, options))
  },
}

type Change = (session: Session, spot: Spot, values: Row, options: { options?: { cas: number } }) => Promise<Row>

const sendPatch: Change = async (session, spot, data, options) => {
  const call = {
    method: 'PATCH',
    path: addressOf(spot, 'data'),
    body: { data, ...options },
    headers: { 'content-type': 'application/merge-patch+json' },
  }
  const answer = await session.client.ask(call)
  if (answer.status === 403)
    session.io.err("Hint: this takes the capability 'patch'; --method rw takes read and update instead.\n")
  const info = dataOf(answer) as Partial<VersionInfo>
  if (answer.status === 404 && info.version !== undefined) throw gone(spot, info as VersionInfo)
  if (answer.status === 404) throw noSecret(spot)
  return dataOf(session.client.requireSuccess(call, answer))
}

/** Writes only onto the version that was read, so that no change of somebody else is lost. */
const readAndWrite: Change = async (session, spot, values, options) => {
  const { data, info } = await readSecret(session, spot)
  const merged = Object.entries({ ...data, ...values }).filter(([, value]) => value !== null)
  const body = { data: Object.fromEntries(merged), options: { cas: info?.version ?? 0, ...options.options } }
  return dataOf(await session.client.call({ method: 'POST', path: addressOf(spot, 'data'), body }))
}

const remove: Verb = {
  name: 'delete',
  description: 'delete a secret: with versions, the latest or those that are named, and undelete brings them back',
  arguments: [secretArgument],
  flags: [{ ...versionsFlag, required: undefined }, mountFlag] as readonly VerbFlag[],
  example: 'kv delete secret/app/db',
  asks: true,
  run: async (session) => {
    const numbers = numbersFrom(session)
    const spot = await (numbers.length > 0 ? versionedSecretOf : secretOf)(session)
    const name = nameOf(spot)
    if (!spot.hasVersions)
      await confirm(
        session.io,
        session.flags.yes === true,
        async () => `This deletes '${name}'; there are no versions.`,
      )
    await session.client.call(
      numbers.length > 0
        ? { method: 'POST', path: addressOf(spot, 'delete'), body: { versions: numbers } }
        : { method: 'DELETE', path: addressOf(spot, 'data') },
    )
    return { done: `Deleted: ${name}`, row: { path: name, deleted: true } }
  },
}

const undelete: Verb = {
  name: 'undelete',
  description: 'bring deleted versions of a secret back',
  arguments: [secretArgument],
  flags: [versionsFlag, mountFlag],
  example: 'kv undelete secret/app/db --versions 3',
  run: async (session) => {
    const spot = await versionedSecretOf(session)
    const body = { versions: numbersFrom(session) }
    await session.client.call({ method: 'POST', path: addressOf(spot, 'undelete'), body })
    return { done: `Brought back: ${nameOf(spot)}`, row: { path: nameOf(spot), ...body } }
  },
}

const destroy: Verb = {
  name: 'destroy',
  description: 'remove the values of versions of a secret for good',
  arguments: [secretArgument],
  flags: [versionsFlag, mountFlag],
  example: 'kv destroy secret/app/db --versions 1,2 --yes',
  asks: true,
  run: async (session) => {
    const spot = await versionedSecretOf(session)
    const numbers = numbersFrom(session)
    const which = `${numbers.length === 1 ? 'version' : 'versions'} ${numbers.join(', ')} of '${nameOf(spot)}'`
    await confirm(session.io, session.flags.yes === true, async () => `This destroys ${which}.`)
    await session.client.call({ method: 'POST', path: addressOf(spot, 'destroy'), body: { versions: numbers } })
    return { done: `Destroyed: ${which}`, row: { path: nameOf(spot), versions: numbers } }
  },
}

const list: Verb = {
  name: 'list',
  description: 'list the secrets and folders in a folder',
  arguments: [{ term: '[path]', text: 'the mount or a folder; not needed with --mount', names: 'secret' }],
  flags: [mountFlag],
  example: 'kv list secret/app',
  run: async (session) => {
    const folder = await folderOf(session)
    const names = await namesIn(session.client, folder)
    return { rows: names.map((name) => ({ name })), columns: ['name'], data: names }
  },
}

const rollback: Verb = {
  name: 'rollback',
  description: 'write a version that is the same as an earlier one',
  arguments: [secretArgument],
  flags: [{ ...versionFlag, text: 'the version to go back to', required: true }, casFlag, mountFlag],
  example: 'kv rollback secret/app/db --version 3',
  run: async (session) => {
    const spot = await versionedSecretOf(session)
    const body = { version: numberFrom(session, 'version'), ...optionsFrom(session) }
    const call = { method: 'POST', path: addressOf(spot, 'restore'), body }
    const answer = await session.client.ask(call)
    const info = dataOf(answer)
    if (answer.status === 404 && info.version !== undefined) throw gone(spot, info as VersionInfo)
    if (answer.status === 404) throw noSecret(spot)
    return written(spot, dataOf(session.client.requireSuccess(call, answer)))
  },
}

type Difference = {
  readonly from: number
  readonly to: number
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  readonly values?: Readonly<Record<string, Row>>
}

const diff: Verb = {
  name: 'diff',
  description: 'show what differs between two versions of a secret, without the values unless asked for',
  arguments: [secretArgument],
  flags: [
    { term: '--from <number>', text: 'the earlier version; by default the one before' },
    { term: '--to <number>', text: 'the later version; by default the latest' },
    { term: '--values', text: 'show the values, too, which takes the right to read the secret' },
    mountFlag,
  ],
  example: 'kv diff secret/app/db --from 2 --to 3',
  run: async (session) => {
    const spot = await versionedSecretOf(session)
    const asked = { from: numberFrom(session, 'from'), to: numberFrom(session, 'to'), values: session.flags.values }
    const sent = Object.entries(asked).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))
    const call = { method: 'GET', path: `${addressOf(spot, 'diff')}?${query}` }
    const answer = await session.client.ask(call)
    if (answer.status === 404)
      throw new CliFailure(
        `There are no two such versions of '${nameOf(spot)}' that can be read. 'holdfast kv versions ${nameOf(spot)}' shows all.`,
        2,
      )
    return differenceOf(dataOf(session.client.requireSuccess(call, answer)) as unknown as Difference)
  },
}

function differenceOf(found: Difference): Result {
  const rows = (['added', 'changed', 'removed'] as const).flatMap((change) =>
    found[change].map((key) => ({ change, key, ...found.values?.[key] })),
  )
  const hint = `Version ${found.from} is compared with ${found.to}.${rows.length === 0 ? ' Nothing differs.' : ''}`
  return { rows, columns: ['change', 'key', ...(found.values ? ['from', 'to'] : [])], data: found, hint }
}

const history: Verb = {
  name: 'history',
  description: 'show who has read, written and deleted a secret, and when',
  arguments: [secretArgument],
  flags: [mountFlag],
  example: 'kv history secret/app/db',
  run: async (session) => {
    const spot = await versionedSecretOf(session)
    const answer = await callFor(session.client, spot, { method: 'GET', path: addressOf(spot, 'history') })
    const { entries } = dataOf(answer) as { entries: readonly Row[] }
    return { rows: entries, columns: ['display_name', 'operation', 'version', 'count', 'first', 'last'] }
  },
}

const enableVersioning: Verb = {
  name: 'enable-versioning',
  description: 'let an engine keep versions of its secrets from now on; there is no way back',
  arguments: [{ term: '<mount>', text: 'where the engine is mounted', names: 'kv-mount' }],
  example: 'kv enable-versioning legacy',
  run: async (session) => {
    const { mount, key } = await folderOf(session)
    if (key !== '') throw new CliFailure(`Nothing is mounted at '${session.word(0)}'; the mount is '${mount}'.`)
    const path = `/v1/sys/mounts/${mount}tune`
    await session.client.call({ method: 'POST', path, body: { options: { version: '2' } } })
    return { done: `Keeps versions now: ${mount}`, row: { mount, version: '2' } }
  },
}

/** `holdfast kv`. */
export const kv: Noun = {
  name: 'kv',
  description: 'secrets by path, with their versions',
  verbs: [get, put, patch, remove, undelete, destroy, list, versions, diff, rollback, history, enableVersioning],
  nouns: [metadata],
}
