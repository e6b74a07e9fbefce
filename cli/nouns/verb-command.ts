import { Argument, type Command, Option } from 'commander'
import { clientFor, clientWithoutTimeout, formatFor, withClientFlags, withKnownValues } from '../commands/context.ts'
import { parseFields, readValue } from '../input/arguments.ts'
import { CliFailure, type Io } from '../io.ts'
import { lineFor, renderData, renderTable, renderValue } from '../output/formats.ts'
import { type Field, type FieldKind, fields } from './fields.ts'
import type { Flags, NameKind, Noun, Result, Row, Session, Verb, VerbArgument, VerbFlag } from './noun.ts'

const nameKinds = new WeakMap<Argument | Option, NameKind>()

/** What an argument, or the value of an option, names; undefined if no server knows the names. */
export const nameKindOf = (of: Argument | Option): NameKind | undefined => nameKinds.get(of)

/** An argument whose values a shell can complete. */
export function argumentOf({ term, text, names }: VerbArgument): Argument {
  const argument = new Argument(term, text)
  if (names) nameKinds.set(argument, names)
  return argument
}

const examples = new WeakMap<Command, string>()

/** What follows `holdfast` in the example of a command; undefined for commands that are no verbs of a noun. */
export const exampleOf = (command: Command): string | undefined => examples.get(command)

/** Adds a noun and its verbs to a command line. */
export function addNoun(parent: Command, io: Io, noun: Noun): void {
  const command = parent.command(noun.name).description(noun.description)
  addVerbs(command, io, noun)
}

/** Adds the verbs of a noun to the command of that name. */
export function addVerbs(command: Command, io: Io, { verbs, nouns = [] }: Pick<Noun, 'verbs' | 'nouns'>): void {
  for (const verb of verbs) addVerb(command, io, verb)
  for (const below of nouns) addNoun(command, io, below)
}

function addVerb(parent: Command, io: Io, verb: Verb): void {
  const command = parent.command(verb.name).description(verb.description)
  for (const argument of verb.arguments ?? []) command.addArgument(argumentOf(argument))
  if (verb.fieldsOf) command.argument('[fields...]', 'more fields: key=value, key:=json, @file.json')
  for (const flag of verb.flags ?? []) command.addOption(optionOf(flag))
  if (verb.name !== 'list' && !verb.asks) command.option('--field <name>', 'print this field and nothing else')
  if (verb.asks) command.option('--yes', 'do not ask; must be given where no terminal can answer')
  const flagged = fieldFlagsOf(verb)
  for (const { options } of flagged) for (const option of options) command.addOption(option.helpGroup('Fields:'))
  withClientFlags(command.optionsGroup('Connection and output:'))
  command.addHelpText('after', `\nExample:\n  $ holdfast ${verb.example}`)
  examples.set(command, verb.example)
  command.action(async () => {
    const flags = command.opts() as Flags
    const client = verb.waits ? clientWithoutTimeout(io, flags) : clientFor(io, flags)
    const args = command.processedArgs as (string | readonly string[] | undefined)[]
    const words = [args.at(-1) ?? []].flat()
    const session: Session = {
      io,
      client,
      flags,
      word: (at) => String(args[at] ?? ''),
      words,
      fields: async () => ({ ...(await fieldsFromFlags(io, flags, flagged)), ...(await parseFields(io, words)) }),
    }
    const result = await verb.run(session)
    print(io, flags, result)
    if (result.problem !== undefined) throw new CliFailure(result.problem, 2)
  })
}

/** A flag that may be repeated takes one word each time, so that it never takes the words that follow. */
const collect = (given: string, before: readonly string[] = []): readonly string[] => [...before, ...given.split(',')]

function optionOf({ term, text, names, values, required, many }: VerbFlag): Option {
  const option = withKnownValues(new Option(term, text), values ?? [])
  if (values === undefined) option.argChoices = undefined
  if (names) nameKinds.set(option, names)
  if (many) option.argParser(collect)
  return option.makeOptionMandatory(required === true)
}

/** A field of a request with the options that set it. */
type FieldFlag = { readonly name: string; readonly kind: FieldKind; readonly options: readonly Option[] }

const words: Readonly<Record<Exclude<FieldKind, 'flag' | readonly string[]>, string>> = {
  text: ' <text>',
  number: ' <number>',
  list: ' <a,b>',
  map: ' <key=value>',
  json: ' <json>',
}

function fieldFlagsOf({ fieldsOf }: Verb): FieldFlag[] {
  if (!fieldsOf) return []
  const { operation, without = [] } = fieldsOf
  const known: readonly Field[] = fields[operation]
  return known
    .filter(([name]) => !without.includes(name))
    .map(([name, kind, text]) => ({ name, kind, options: optionsOf(name, kind, text) }))
}

/** A field that can be true or false has two options, and help shows the first. */
function optionsOf(name: string, kind: FieldKind, text: string): Option[] {
  const long = `--${name.replaceAll('_', '-')}`
  if (kind === 'flag') {
    if (long.startsWith('--no-')) return [new Option(long, text)]
    return [new Option(long, text), new Option(long.replace('--', '--no-'), `not: ${text}`).hideHelp()]
  }
  if (typeof kind !== 'string') return [withKnownValues(new Option(`${long} <word>`, text), kind)]
  const option = new Option(`${long}${words[kind]}`, text)
  return [kind === 'map' ? option.argParser(collect) : option]
}

async function fieldsFromFlags(io: Io, flags: Flags, flagged: readonly FieldFlag[]): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const { name, kind, options } of flagged) {
    const [option] = options
    const given = option && flags[option.attributeName()]
    // Commander takes --no-parent for the opposite of a flag --parent that is true unless it is given.
    if (option?.negate && options.length === 1) {
      if (given === false) found[name] = true
    } else if (given !== undefined) found[name] = await fieldValue(io, name, kind, given)
  }
  return found
}

async function fieldValue(io: Io, name: string, kind: FieldKind, given: unknown): Promise<unknown> {
  if (kind === 'flag') return given
  if (kind === 'map') return Object.fromEntries([given].flat().map((each) => pairOf(name, String(each))))
  if (typeof kind !== 'string') return given
  const text = await readValue(io, name, String(given))
  if (kind === 'list') return text.split(',').filter((each) => each !== '')
  if (kind === 'number' && !Number.isFinite(Number(text)))
    throw new CliFailure(`--${name} takes a number, not '${text}'.`)
  if (kind === 'number') return Number(text)
  if (kind === 'json') return jsonOf(name, text)
  return text
}

function pairOf(name: string, text: string): [string, string] {
  const equals = text.indexOf('=')
  if (equals < 1) throw new CliFailure(`--${name} takes key=value, not '${text}'.`)
  return [text.slice(0, equals), text.slice(equals + 1)]
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new CliFailure(`--${name} takes JSON: ${(thrown as Error).message}`)
  }
}

function print(io: Io, flags: Flags, result: Result): void {
  const format = formatFor(io, flags)
  if (flags.field !== undefined)
    io.out(lineFor(io, fieldOf('row' in result ? result.row : undefined, String(flags.field))))
  else if ('text' in result) io.out(lineFor(io, result.text))
  else if ('rows' in result) {
    const { rows, columns, hint, data = rows } = result
    io.out(format === 'table' ? tableOf(io, columns, rows) : renderData(data, format))
    if (hint !== undefined) io.err(`${hint}\n`)
  } else if (format !== 'table') io.out('row' in result && result.row ? renderData(result.row, format) : '')
  else if ('done' in result) io.out(`${result.done}\n`)
  else io.out(objectTableOf(io, result.row, result.columns))
}

function fieldOf(row: Row | undefined, name: string): string {
  if (row && Object.hasOwn(row, name)) return renderValue(row[name])
  throw new CliFailure(`There is no field '${name}'. There are: ${Object.keys(row ?? {}).join(', ')}.`)
}

const tableOf = (io: Io, columns: readonly string[], rows: readonly Row[]): string =>
  renderTable(
    columns,
    rows.map((row) => columns.map((column) => cellOf(row[column]))),
    io.columns,
  )

/** One line: what is not there is empty, a list of words is written as people do, and of a text its first line is shown. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  const isPlain = Array.isArray(value) && value.every((each) => typeof each === 'string' || typeof each === 'number')
  const [line = '', ...more] = (isPlain ? value.join(', ') : renderValue(value)).trimEnd().split(/\r?\n/)
  return more.length === 0 ? line : `${line} … (${more.length + 1} lines)`
}

/** What people read: without what is empty, and without objects, which other formats show. */
function objectTableOf(io: Io, row: Row, columns: readonly string[] = Object.keys(row)): string {
  const shown = columns.filter((name) => cellOf(row[name]) !== '' && !isStructured(row[name]))
  return renderTable(
    ['Key', 'Value'],
    shown.map((name) => [name, cellOf(row[name])]),
    io.columns,
  )
}

const isStructured = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (!Array.isArray(value) || value.some((each) => typeof each === 'object'))
