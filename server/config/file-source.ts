import { readFileSync } from 'node:fs'
import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml'
import { textOf } from '../kernel/failure.ts'
import { systemCode } from '../kernel/system-errors.ts'
import type { Problem, SourceReading, WrittenValue } from './problem.ts'

/** Reads a YAML file, or what it contained earlier, into values with the line of each. */
export function readFileSource(file: string, earlier?: string): SourceReading & { readonly text?: string } {
  try {
    const text = earlier ?? readFileSync(file, 'utf8')
    return { ...readYaml(text, file), text }
  } catch (thrown) {
    return { written: [], problems: [unreadable(file, thrown)] }
  }
}

function unreadable(file: string, thrown: unknown): Problem {
  const fix = 'Check the path given with --config or HOLDFAST_CONFIG.'
  const code = systemCode(thrown)
  if (code === 'ENOENT') return { where: file, text: 'the configuration file does not exist', fix }
  if (code === 'EISDIR') return { where: file, text: 'the configuration file is a directory', fix }
  return { where: file, text: `the file cannot be read: ${textOf(thrown)}`, fix: 'Check its owner and mode.' }
}

/** Reads YAML text; `file` is the name its lines are reported under. */
function readYaml(source: string, file: string): SourceReading {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false })
  const whereOf = (offset: number): string => `${file}:${lines.linePos(offset).line}`
  const problems = [...document.errors, ...document.warnings].map(
    (error): Problem => ({ where: whereOf(error.pos[0]), ...faultOf(error) }),
  )
  const top = document.contents
  if (problems.length > 0 || top === null) return { written: [], problems }
  if (isMap(top)) return { written: [...leaves(top, '', { document, whereOf })], problems }
  const text = 'the file is not a map of settings'
  return { written: [], problems: [{ where: `${file}:1`, text, fix: 'Write lines such as "listen: 127.0.0.1:8200".' }] }
}

const yamlFaults: Readonly<Partial<Record<ErrorCode, { text: string; fix: string }>>> = {
  DUPLICATE_KEY: { text: 'the key is given a second time', fix: 'Keep one of the two.' },
  MULTIPLE_DOCS: { text: 'the file holds several documents', fix: 'Keep one, without a line ---.' },
}

const faultOf = ({ code, message }: YAMLParseError | YAMLWarning): { text: string; fix: string } =>
  yamlFaults[code] ?? {
    text: `not valid YAML: ${message}`,
    fix: 'Correct the line; a group is indented by two spaces.',
  }

/** The document that nodes come from, which resolves aliases, and how to tell the line of a node. */
type Origin = { readonly document: Document; readonly whereOf: (offset: number) => string }

/** Yields the values that hold no further settings. A list of plain values is such a value, a list of maps is not. */
function* leaves(node: Node, key: string, origin: Origin): Generator<WrittenValue> {
  if (isMap(node)) {
    for (const pair of node.items) yield* pairLeaves(pair, key, origin)
  } else if (isSeq(node) && node.items.some(isMap)) {
    for (const [index, item] of node.items.entries()) yield* leaves(item as Node, `${key}[${index}]`, origin)
  } else {
    const raw = readValue(node, origin.document)
    if (raw !== null) yield { key, raw, where: origin.whereOf(node.range?.[0] ?? 0) }
  }
}

function* pairLeaves(pair: Pair, above: string, origin: Origin): Generator<WrittenValue> {
  const name = isScalar(pair.key) ? String(pair.key.value) : String(pair.key)
  const key = above === '' ? name : `${above}.${name}`
  if (pair.value !== null) yield* leaves(pair.value as Node, key, origin)
}

/** Resolves an alias; one without an anchor of that name stays the text that was written. */
function readValue(node: Node, document: Document): unknown {
  if (!isAlias(node)) return node.toJSON()
  return node.resolve(document)?.toJSON() ?? `*${node.source}`
}
