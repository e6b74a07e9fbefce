import { readFileSync } from 'node:fs'
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { clientVariables } from '../compat/vendor-names.ts'
import { textOf } from '../kernel/failure.ts'
import { systemCode } from '../kernel/system-errors.ts'
import { onOff } from './kinds.ts'
import type { NamedSetting } from './setting.ts'

/** One thing wrong with the configuration: where the value came from, what is wrong, what to do. */
export type Problem = { where: string; text: string; fix: string }

/** A value somebody wrote, and where. */
export type WrittenValue = {
  /** Its key as in the file: `tls.cert_file`, `listeners[0].address`. */
  key: string
  raw: unknown
  /** File and line, environment variable, or flag. */
  where: string
}

/** What a source gave: the values, and what could not be understood. */
type SourceReading = { written: readonly WrittenValue[]; problems: readonly Problem[] }

/** A file that is longer is another one, named by mistake. */
const maxFileBytes = 100_000

/** Reads a YAML file into values with the line of each. */
export function readFileSource(file: string): SourceReading & { readonly text?: string } {
  const refuse = (text: string, fix: string) => ({ written: [], problems: [{ where: file, text, fix }] })
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    const fix = 'Check the path given with --config or HOLDFAST_CONFIG.'
    const code = systemCode(thrown)
    if (code === 'ENOENT') return refuse('the configuration file does not exist', fix)
    if (code === 'EISDIR') return refuse('the configuration file is a directory', fix)
    return refuse(`the file cannot be read: ${textOf(thrown)}`, 'Check its owner and mode.')
  }
  if (Buffer.byteLength(text) > maxFileBytes)
    return refuse(`the file has more than ${maxFileBytes} bytes`, 'Name a configuration file, and shorten it.')
  return { ...readYaml(text, file), text }
}

/** Reads YAML text; `file` is the name its lines are reported under. */
function readYaml(source: string, file: string): SourceReading {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false })
  const whereOf = (offset: number): string => `${file}:${lines.linePos(offset).line}`
  const problems = [...document.errors, ...document.warnings].map(({ code, message, pos }): Problem => {
    const fault = yamlFaults[code] ?? {
      text: `not valid YAML: ${message}`,
      fix: 'Correct the line; a group is indented by two spaces.',
    }
    return { where: whereOf(pos[0]), ...fault }
  })
  const top = document.contents
  if (problems.length > 0 || top === null) return { written: [], problems }
  if (isMap(top)) return { written: [...leaves(top, '', { document, whereOf })], problems }
  const text = 'the file is not a map of settings'
  return { written: [], problems: [{ where: `${file}:1`, text, fix: 'Write lines such as "listen: 127.0.0.1:8200".' }] }
}

const yamlFaults: Readonly<Record<string, Pick<Problem, 'text' | 'fix'>>> = {
  DUPLICATE_KEY: { text: 'the key is given a second time', fix: 'Keep one of the two.' },
  MULTIPLE_DOCS: { text: 'the file holds several documents', fix: 'Keep one, without a line ---.' },
}

/** The document that nodes come from, which resolves aliases, and how to tell the line of a node. */
type Origin = { readonly document: Document; readonly whereOf: (offset: number) => string }

/** Yields the values that hold no further settings. A list of plain values is such a value, a list of maps is not. */
function* leaves(node: Node, above: string, origin: Origin): Generator<WrittenValue> {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : String(key)
      if (value !== null) yield* leaves(value as Node, above === '' ? name : `${above}.${name}`, origin)
    }
  } else if (isSeq(node) && node.items.some(isMap)) {
    for (const [index, item] of node.items.entries()) yield* leaves(item as Node, `${above}[${index}]`, origin)
  } else {
    const raw = rawOf(node, origin.document)
    if (raw !== null) yield { key: above, raw, where: origin.whereOf(node.range?.[0] ?? 0) }
  }
}

/** Resolves an alias; one without an anchor of that name stays the text that was written. */
const rawOf = (node: Node, document: Document): unknown =>
  isAlias(node) ? (node.resolve(document)?.toJSON() ?? `*${node.source}`) : node.toJSON()

/** The environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Variables of the same prefix that are not settings of the server. */
const nonSettingVariables: readonly string[] = ['HOLDFAST_CONFIG', ...Object.values(clientVariables).flat()]

/** Variables that clusters set in every process beside a service called `holdfast`. */
const clusterVariable = /_(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT(?:_\d+_[A-Z]+(?:_(?:ADDR|PORT|PROTO))?)?)$/

/** What the environment gave, and the variables that name no setting: other programs set some, too. */
type EnvironmentReading = Pick<SourceReading, 'written'> & { readonly ignored: readonly string[] }

/** Reads the settings from `HOLDFAST_*` variables. An empty variable counts as not set. */
export function readEnvironment(known: readonly NamedSetting[], environment: Environment): EnvironmentReading {
  const written = known.flatMap(({ key, variable: where = '' }) => {
    const raw = environment[where]
    return raw ? [{ key, raw, where }] : []
  })
  const expected = new Set([...known.map(({ variable }) => variable), ...nonSettingVariables])
  const isStranger = (name: string): boolean => name.startsWith('HOLDFAST_') && !expected.has(name)
  const ignored = Object.keys(environment).filter((name) => isStranger(name) && !clusterVariable.test(name))
  return { written, ignored: ignored.sort() }
}

/** What the command line contained: settings, and the file with more of them. */
type FlagReading = SourceReading & { configFile?: string }

/** Reads the settings from `--flag value` and `--flag=value`; a switch may stand alone. */
export function readFlags(known: readonly NamedSetting[], args: readonly string[]): FlagReading {
  const written: WrittenValue[] = []
  const problems: Problem[] = []
  let configFile: string | undefined
  for (let at = 0; at < args.length; at++) {
    const { name, value } = splitFlag(args[at] ?? '')
    const found = known.find(({ flag }) => flag === name)
    if (!found && name !== '--config') {
      const text = name.startsWith('-') ? 'there is no such flag' : 'the argument is not understood'
      const fix = name === '--dev' ? 'holdfast dev starts a server to try things out.' : 'See --help for the flags.'
      problems.push({ where: name, text, fix })
      continue
    }
    const next = args[at + 1]
    const takesNext = value === undefined && next !== undefined && !next.startsWith('-')
    if (takesNext) at++
    const raw = value ?? (takesNext ? next : found?.setting.kind === onOff ? 'on' : undefined)
    if (raw === undefined) problems.push({ where: name, text: 'the flag has no value', fix: `Write ${name}=VALUE.` })
    else if (found) written.push({ key: found.key, raw, where: name })
    else configFile = raw
  }
  return { written, problems, ...(configFile !== undefined && { configFile }) }
}

/** Takes a flag apart. A single dash before a long name is allowed: users of this family of tools are used to it. */
function splitFlag(argument: string): { name: string; value?: string } {
  const long = /^-[a-z][a-z-]+(?:=|$)/.test(argument) ? `-${argument}` : argument
  const equals = long.indexOf('=')
  if (!long.startsWith('--') || equals < 0) return { name: long }
  return { name: long.slice(0, equals), value: long.slice(equals + 1) }
}
