import type { Command } from 'commander'
import { headerNames } from '../../server/compat/vendor-names.ts'
import type { Answer, Call } from '../connection/client.ts'
import { parseFields } from '../input/arguments.ts'
import { changedType, createdType, documentOf, withAttributes } from '../input/resource-document.ts'
import { CliFailure, type Io } from '../io.ts'
import { lineFor, renderData, renderObject, renderTable, renderValue } from '../output/formats.ts'
import { nextPageHint, renderResources } from '../output/resource-list.ts'
import { type ClientFlags, clientFor, formatFor, printDone, withClientFlags } from './context.ts'

type PathFlags = ClientFlags & { field?: string; force?: boolean; type?: string; wrapTtl?: string }

const documentFields =
  'key=value, key:=json, key=@file, key=-, @file.json, -; below api/ these are attributes, but a document with data is sent as it is'

/** `read`, `write`, `patch`, `list` and `delete` of any path, for everything that has no command of its own. */
export function addPathCommands(program: Command, io: Io): void {
  withField(withWrapping(program.command('read')))
    .description('read a path')
    .argument('<path>', 'for example auth/cert/certs/web')
    .argument('[fields...]', 'key=value pairs for the query')
    .action(async (path: string, words: string[], flags: PathFlags) => {
      const query = new URLSearchParams(await textFields(io, words)).toString()
      const target = `${fullPath(path)}${query && `${path.includes('?') ? '&' : '?'}${query}`}`
      show(io, flags, await callFor(io, flags, { method: 'GET', path: target }))
    })
  withField(withWrapping(program.command('write')))
    .description('write a path')
    .argument('<path>', 'for example sys/policies/acl/web')
    .argument('[fields...]', documentFields)
    .option('-f, --force', 'write without any field')
    .option('--type <type>', 'below api/, type of the new resource; by default the last word of the path')
    .action(async (path: string, words: string[], flags: PathFlags) => {
      if (words.length === 0 && !flags.force) throw new CliFailure('Nothing to write. Give key=value, or --force.')
      const fields = await parseFields(io, words)
      const target = fullPath(path)
      const type = isApiPath(target) && words.length > 0 ? (flags.type ?? createdType(target)) : undefined
      const body = type === undefined ? fields : documentOf(type, fields)
      // Below `/api` resources are created, and actions taken, only by POST.
      const method = isApiPath(target) ? 'POST' : 'PUT'
      const answer = await callFor(io, flags, { method, path: target, body })
      if (answer.body === null) printDone(io, flags, `Written: ${path}`)
      else show(io, flags, answer, `Written: ${path}`)
    })
  addPatch(program, io)
  withWrapping(program.command('list'))
    .description('list the keys below a path')
    .argument('<path>')
    .action(async (path: string, flags: PathFlags) => {
      const target = fullPath(path)
      if (isApiPath(target)) throw new CliFailure(`Lists below api/ are read: holdfast read ${path}`)
      const answer = await callFor(io, flags, { method: 'LIST', path: target })
      if (isWrapped(answer)) show(io, flags, answer)
      else showList(io, flags, answer)
    })
  withWrapping(program.command('delete'))
    .description('delete a path')
    .argument('<path>')
    .argument(
      '[fields...]',
      'a body that says what to delete: data:=json or @file.json; under /v1, key=value pairs for the query',
    )
    .action(async (path: string, words: string[], flags: PathFlags) => {
      const answer = await callFor(io, flags, { method: 'DELETE', ...(await deletionOf(io, fullPath(path), words)) })
      if (isWrapped(answer)) show(io, flags, answer)
      else printDone(io, flags, `Deleted: ${path}`)
    })
}

/** Members of a relationship are named in the body, only below `/api`. */
async function deletionOf(io: Io, path: string, words: readonly string[]): Promise<{ path: string; body?: object }> {
  if (words.length === 0) return { path }
  if (isApiPath(path)) return { path, body: await parseFields(io, words) }
  return { path: `${path}?${new URLSearchParams(await textFields(io, words))}` }
}

function addPatch(program: Command, io: Io): void {
  withField(withClientFlags(program.command('patch')))
    .description('change attributes of the resource at a path below api/')
    .argument('<path>', 'for example api/v2/workspaces/ws-…')
    .argument('<fields...>', documentFields)
    .option('--type <type>', 'type of the resource; by default the second to last word of the path')
    .action(async (path: string, words: string[], flags: PathFlags) => {
      const target = fullPath(path)
      if (!isApiPath(target)) throw new CliFailure(`Only paths below api/ are patched; write ${path} instead.`)
      const fields = await parseFields(io, words)
      const body = documentOf(flags.type ?? changedType(target), fields)
      const answer = await clientFor(io, flags).call({ method: 'PATCH', path: target, body })
      if (answer.body === null) printDone(io, flags, `Changed: ${path}`)
      else show(io, flags, answer, `Changed: ${path}`)
    })
}

const withField = (command: Command): Command =>
  command.option('--field <name>', 'print this field of the data and nothing else')

const withWrapping = (command: Command): Command =>
  withClientFlags(command).option(
    '--wrap-ttl <duration>',
    'let the server keep the answer for this long, such as 5m, and print the token that returns it',
  )

/** Sends a call, with the wish to have its answer wrapped if the flags say so. */
async function callFor(io: Io, flags: PathFlags, call: Call): Promise<Answer> {
  const { wrapTtl } = flags
  if (wrapTtl !== undefined && isApiPath(call.path))
    throw new CliFailure('Answers below api/ cannot be wrapped; --wrap-ttl is for the other paths.')
  const wrapping = wrapTtl === undefined ? undefined : { headers: { [headerNames.wrapTtl[0]]: wrapTtl } }
  return await clientFor(io, flags).call({ ...call, ...wrapping })
}

/** True for an answer that holds nothing but the token that opens it. */
const isWrapped = ({ body }: Answer): boolean => Boolean((Object(body) as { wrap_info?: unknown }).wrap_info)

/** Paths are below `/v1` unless they begin with an API prefix. */
const fullPath = (path: string): string => {
  const plain = path.replace(/^\/+/, '')
  return /^(?:v1|api)\//.test(plain) ? `/${plain}` : `/v1/${plain}`
}

const isApiPath = (path: string): boolean => path.startsWith('/api/')

async function textFields(io: Io, words: readonly string[]): Promise<[string, string][]> {
  return Object.entries(await parseFields(io, words)).map(([key, value]) => [key, renderValue(value)])
}

/** What an answer is about: its data, or the auth part of a login. */
const dataOf = (body: unknown): Record<string, unknown> => {
  const { data, auth, wrap_info } = Object(body) as Record<string, unknown>
  const isEmpty = typeof data === 'object' && data !== null && Object.keys(data).length === 0
  return Object((isEmpty ? undefined : data) ?? auth ?? wrap_info ?? data ?? body)
}

/** Shows what came back: data, or a text as it is. */
function show(io: Io, flags: PathFlags, { body, headers }: Answer, sentence?: string): void {
  if (typeof body === 'string') showText(io, headers, body)
  else showData(io, flags, body, sentence)
}

/** If the answer contains only warnings, the sentence says that the command succeeded. */
function showData(io: Io, flags: PathFlags, body: unknown, sentence?: string): void {
  const warnings = (Object(body) as { warnings?: readonly string[] | null }).warnings ?? []
  for (const warning of warnings) io.err(`Warning: ${warning}\n`)
  const format = formatFor(io, flags)
  const data = dataOf(body)
  if (flags.field !== undefined) io.out(lineFor(io, renderField(data, flags.field)))
  else if (format !== 'table') io.out(renderData(body, format))
  else if (sentence !== undefined && Object.keys(data).length === 0) printDone(io, flags, sentence)
  else io.out(renderResources(body) ?? renderObject(withAttributes(data)))
  const hint = nextPageHint(body)
  if (hint !== undefined) io.err(`${hint}\n`)
}

function showText(io: Io, headers: Answer['headers'], text: string): void {
  const type = headers['content-type'] ?? 'of no type'
  if (!type.startsWith('text/'))
    throw new CliFailure(
      `The answer is a file (${type}), which is not shown. 'holdfast snapshot save' saves snapshots.`,
    )
  io.out(lineFor(io, text))
}

/** What the table of a login, and command lines of this family, call the fields of a token. */
const tokenFields: Readonly<Record<string, string>> = {
  token: 'client_token',
  token_accessor: 'accessor',
  token_duration: 'lease_duration',
  token_renewable: 'renewable',
}

function renderField(data: Record<string, unknown>, requested: string): string {
  const isToken = Object.hasOwn(data, 'client_token') && !Object.hasOwn(data, requested)
  const name = (isToken ? tokenFields[requested] : undefined) ?? requested
  const fields = Object.hasOwn(data, name) ? data : withAttributes(data)
  if (!Object.hasOwn(fields, name))
    throw new CliFailure(`There is no field '${name}'. There are: ${Object.keys(fields).join(', ')}.`)
  return renderValue(fields[name])
}

function showList(io: Io, flags: PathFlags, { body }: Answer): void {
  const { data } = Object(body) as { data?: { keys?: readonly string[] } }
  const keys = data?.keys ?? []
  const format = formatFor(io, flags)
  io.out(
    format === 'table'
      ? renderTable(
          ['Keys'],
          keys.map((key) => [key]),
        )
      : renderData(keys, format),
  )
}
