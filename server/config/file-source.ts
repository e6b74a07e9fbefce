import { readFileSync } from 'node:fs'
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml'
import { textOf } from '../kernel/failure.ts'
import { systemCode } from '../kernel/system-errors.ts'
import type { Problem, SourceReading, Written } from './problem.ts'

/** Reads a YAML file into values with the line each stands on. */
export function readFileSource(file: string): SourceReading {
  try {
    return readYaml(readFileSync(file, 'utf8'), file)
  } catch (thrown) {
    return { written: [], problems: [unreadable(file, thrown)] }
  }
}

function unreadable(file: string, thrown: unknown): Problem {
  const absent = systemCode(thrown) === 'ENOENT'
  return {
    where: file,
    text: absent ? 'the configuration file does not exist' : `the file cannot be read: ${textOf(thrown)}`,
    fix: absent ? 'Check the path given with --config or HOLDFAST_CONFIG.' : 'Check its owner and mode.',
  }
}

/** Reads YAML text; `file` is the name its lines are reported under. */
function readYaml(source: string, file: string): SourceReading {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false })
  const whereOf = (offset: number): string => `${file}:${lines.linePos(offset).line}`
  const problems = [...document.errors, ...document.warnings].map(
    (error): Problem => ({
      where: whereOf(error.pos[0]),
      text: error.code === 'DUPLICATE_KEY' ? 'the key stands here a second time' : `not valid YAML: ${error.message}`,
      fix: error.code === 'DUPLICATE_KEY' ? 'Keep one of the two.' : 'Correct the line; two blanks indent a group.',
    }),
  )
  const top = document.contents
  if (problems.length > 0 || top === null) return { written: [], problems }
  if (isMap(top)) return { written: [...leaves(top, '', whereOf)], problems }
  const text = 'the file is not a map of settings'
  return { written: [], problems: [{ where: `${file}:1`, text, fix: 'Write lines such as "listen: 127.0.0.1:8200".' }] }
}

type WhereOf = (offset: number) => string

/** Values that hold no further settings; a list of plain values is one of them, a list of maps is not. */
function* leaves(node: Node, key: string, whereOf: WhereOf): Generator<Written> {
  if (isMap(node)) {
    for (const pair of node.items) yield* pairLeaves(pair, key, whereOf)
  } else if (isSeq(node) && node.items.some(isMap)) {
    for (const [index, item] of node.items.entries()) yield* leaves(item as Node, `${key}[${index}]`, whereOf)
  } else {
    const raw: unknown = node.toJSON()
    if (raw !== null) yield { key, raw, where: whereOf(node.range?.[0] ?? 0) }
  }
}

function* pairLeaves(pair: Pair, above: string, whereOf: WhereOf): Generator<Written> {
  const name = isScalar(pair.key) ? String(pair.key.value) : String(pair.key)
  const key = above === '' ? name : `${above}.${name}`
  if (pair.value !== null) yield* leaves(pair.value as Node, key, whereOf)
}
