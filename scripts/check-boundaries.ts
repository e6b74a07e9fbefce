import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { areaOf, arrowProblem, roleOf } from './boundaries/arrows.ts'
import { type Ban, CALLS, MODULES, WEB_MODULES, WEB_WORDS, WORDS } from './boundaries/bans.ts'
import { findCycles } from './boundaries/cycles.ts'
import { EXCEPTIONS, type Exception } from './boundaries/exceptions.ts'
import { type Import, importsOf, lineAt, readSource, type SourceText } from './boundaries/source-text.ts'
import { tableProblems } from './boundaries/tables.ts'

/** A line that crosses a boundary, and what to do about it. */
export type Problem = { file: string; line: number; rule: string; message: string }

/** Source texts by their path from the root of the checkout. */
export type Sources = ReadonlyMap<string, string>

type Parsed = { file: string; source: SourceText; imports: Import[] }

/**
 * Checks imports, cycles, that time, SQL, network and vendor names are used only where they belong, and that a table is
 * written by its owner only.
 */
export function checkBoundaries(sources: Sources, exceptions: readonly Exception[] = EXCEPTIONS): Problem[] {
  const files = [...sources].map(([file, text]): Parsed => {
    const source = readSource(text)
    return { file, source, imports: importsOf(source) }
  })
  const product = files.filter(({ file }) => areaOf(file) !== undefined)
  const found = [
    ...files.flatMap(arrowProblems),
    ...product.filter(({ file }) => file.startsWith('server/')).flatMap(banProblems(MODULES, [...CALLS, ...WORDS])),
    ...product.filter(({ file }) => file.startsWith('web/')).flatMap(banProblems(WEB_MODULES, WEB_WORDS)),
    ...cycleProblems(files),
    ...pureProblems(product),
    ...strayFiles(files),
    ...tableProblems(files).map((problem) => ({ ...problem, rule: 'table' })),
  ]
  return [...found.filter((problem) => !isExcepted(problem, exceptions)), ...unusedExceptions(found, exceptions)]
}

function arrowProblems({ file, imports }: Parsed): Problem[] {
  return imports.flatMap(({ specifier, line }) => {
    if (specifier.startsWith('node:') && areaOf(file) === 'api-client')
      return [{ file, line, rule: 'browser', message: 'browsers run this too: pass it in as an argument' }]
    if (!specifier.startsWith('.')) return []
    const message = arrowProblem(file, resolveFrom(file, specifier))
    return message ? [{ file, line, rule: 'arrow', message }] : []
  })
}

const banProblems =
  (modules: readonly Ban[], words: readonly Ban[]) =>
  ({ file, source, imports }: Parsed): Problem[] => {
    const imported = modules
      .filter((ban) => !ban.home.test(file))
      .flatMap((ban) =>
        imports
          .filter(({ specifier, typeOnly }) => ban.pattern.test(specifier) && !(typeOnly && ban.typesFree))
          .map(({ specifier, line }) => ({
            file,
            line,
            rule: ban.rule,
            message: `no '${specifier}' here: ${ban.instead}`,
          })),
      )
    const called = words.filter((ban) => !ban.home.test(file)).flatMap((ban) => callProblems(file, source, ban))
    return [...imported, ...called]
  }

function callProblems(file: string, source: SourceText, ban: Ban): Problem[] {
  const searched = ban.inStrings ? source.text : source.code
  return [...searched.matchAll(ban.pattern)].map((match) => ({
    file,
    line: lineAt(searched, match.index),
    rule: ban.rule,
    message: `no '${match[0]}' here: ${ban.instead}`,
  }))
}

/** How many files one of types and rules may reach, those of the kernel not counted. */
const MOST_REACHED = 39

function pureProblems(files: readonly Parsed[]): Problem[] {
  const reached = (from: string, seen: Set<string> = new Set()): Set<string> => {
    for (const { specifier } of byName.get(from)?.imports ?? []) {
      const file = resolveFrom(from, specifier)
      if (seen.has(file) || !byName.has(file) || areaOf(file) === 'kernel') continue
      seen.add(file)
      reached(file, seen)
    }
    return seen
  }
  const byName = new Map(files.map((file) => [file.file, file]))
  return files
    .filter(({ file }) => roleOf(file) === 'pure')
    .flatMap(({ file, source }) => {
      const problem = (message: string, line = 1): Problem => ({ file, line, rule: 'pure', message })
      const waiting = /\b(?:async|await|perApp)\b/.exec(source.code)
      const count = reached(file).size
      return [
        ...(waiting
          ? [
              problem(
                `no '${waiting[0]}' in a file of types and rules; end its name with its role`,
                lineAt(source.code, waiting.index),
              ),
            ]
          : []),
        ...(count > MOST_REACHED
          ? [problem(`reaches ${count} files; name the file that says what it needs, not an index`)]
          : []),
      ]
    })
}

function cycleProblems(files: readonly Parsed[]): Problem[] {
  const graph = new Map(
    files.map(({ file, imports }) => [file, imports.map(({ specifier }) => resolveFrom(file, specifier))]),
  )
  return findCycles(graph).map((path) => ({
    file: path[0] ?? '',
    line: 1,
    rule: 'cycle',
    message: `imports itself through ${path.slice(1).join(' → ')}; move what both need into a third file`,
  }))
}

function strayFiles(files: readonly Parsed[]): Problem[] {
  return files
    .filter(({ file }) => /^(server|web)\//.test(file) && !file.endsWith('.test.ts') && areaOf(file) === undefined)
    .map(({ file }) => ({
      file,
      line: 1,
      rule: 'place',
      message: 'belongs to no known part; give its folder a place in scripts/boundaries/arrows.ts',
    }))
}

const isExcepted = (problem: Problem, exceptions: readonly Exception[]): boolean =>
  exceptions.some(({ file, rule }) => file === problem.file && rule === problem.rule)

function unusedExceptions(found: readonly Problem[], exceptions: readonly Exception[]): Problem[] {
  return exceptions
    .filter((exception) => !found.some((problem) => isExcepted(problem, [exception])))
    .map(({ file, rule }) => ({ file, line: 1, rule, message: 'its exception is no longer needed; remove it' }))
}

function resolveFrom(file: string, specifier: string): string {
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)).replaceAll('\\', '/') : specifier
}

/** Reads the sources of a checkout. */
export function readSources(root: string): Sources {
  const files = globSync(['{server,cli,runner,api-client,test,bench,scripts}/**/*.ts', 'web/src/**/*.{ts,tsx,css}'], {
    cwd: root,
    exclude: ['**/node_modules/**', 'api-client/openapi.d.ts'],
  })
  return new Map(files.sort().map((file) => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')]))
}

/** Prints what is wrong, and returns how many problems there are. */
function reportBoundaries(root: string): number {
  const sources = readSources(root)
  const problems = checkBoundaries(sources)
  for (const { file, line, rule, message } of problems) console.error(`${file}:${line}  ${rule}: ${message}`)
  console.error(
    `${sources.size} files, ${problems.length === 0 ? 'no boundary crossed' : `${problems.length} problems`}`,
  )
  return problems.length
}

if (import.meta.main) process.exitCode = reportBoundaries(join(import.meta.dirname, '..')) > 0 ? 1 : 0
