import { areaOf, featureOf } from './arrows.ts'
import { lineAt, type SourceText } from './source-text.ts'

/** A source with its path. */
type File = { readonly file: string; readonly source: SourceText }

/** A place in a file, and what is wrong there. */
type Finding = { readonly file: string; readonly line: number; readonly message: string }

/** Who declares each table. */
type Owners = ReadonlyMap<string, { readonly owner: string; readonly file: string }>

/** Files that write tables of others, and why they may. */
const EXEMPT: readonly { readonly files: RegExp; readonly because: string }[] = [
  { files: /^server\/storage\/migrations\//, because: 'a migration changes tables, whoever owns them now' },
  { files: /^server\/storage\/cascade\.ts$/, because: 'it removes what foreign keys would remove' },
  { files: /^server\/storage\/bulk\//, because: 'archives and restores copy whole tables' },
]

/** Where a table may be written, besides in the stores of its owner: storage consists of statements. */
const STORES = /-store\.ts$|^server\/storage\//

/** Tables that one store writes alone, since each of their writes has to do more than the statement says. */
const SINGLE_STORES: Readonly<Record<string, string>> = {
  workspaces: 'server/product/workspaces/workspaces/workspace-store.ts',
}

const ADVICE = 'call a function that the owner exports, or move the statement there'

/** Tables that two declare, and statements that write a table anywhere but in a store of its owner. */
export function tableProblems(files: readonly File[]): Finding[] {
  const product = files.filter(({ file }) => areaOf(file) !== undefined)
  const { owners, problems } = tableOwners(product)
  const writers = product.filter(({ file }) => !EXEMPT.some((exempt) => exempt.files.test(file)))
  return [...problems, ...writers.flatMap((writer) => writeProblems(writer, owners))]
}

/**
 * The owner of each table: the feature whose file adds it to `DescribedTables`; outside of features, the part of the
 * tree.
 */
export function tableOwners(files: readonly File[]): { owners: Owners; problems: Finding[] } {
  const owners = new Map<string, { owner: string; file: string }>()
  const problems: Finding[] = []
  for (const { file, source } of files) {
    for (const inline of source.code.matchAll(/\binterface DescribedTables\s*\{[^{}]*\{/g)) {
      const message = 'give the row an interface of its own, and name that in DescribedTables'
      problems.push({ file, line: lineAt(source.code, inline.index), message })
    }
    for (const declared of source.code.matchAll(/\binterface DescribedTables\s*\{([^{}]*)\}/g)) {
      for (const [, table = ''] of (declared[1] ?? '').matchAll(/^\s*(\w+)\s*:/gm)) {
        const first = owners.get(table)
        const line = lineAt(source.code, declared.index)
        if (first) problems.push({ file, line, message: `table '${table}' is declared in ${first.file} already` })
        else owners.set(table, { owner: ownerOf(file), file })
      }
    }
  }
  return { owners, problems }
}

const ownerOf = (file: string): string => featureOf(file) ?? areaOf(file) ?? ''

/** A table that a statement writes; undefined where its name is known only when the program runs. */
type Write = { readonly at: number; readonly table: string | undefined }

function writeProblems({ file, source }: File, owners: Owners): Finding[] {
  return [...builtWrites(source), ...rawWrites(source, owners)].flatMap(({ at, table }) => {
    const message = writeProblem(file, table, owners)
    return message ? [{ file, line: lineAt(source.text, at), message }] : []
  })
}

function writeProblem(file: string, table: string | undefined, owners: Owners): string | undefined {
  if (table === undefined) return 'which table is written is not to be seen; name it, or list the names in its type'
  const owned = owners.get(table)
  if (!owned) return `table '${table}' has no owner; add its row to DescribedTables where it is written`
  if (owned.owner !== ownerOf(file)) return `table '${table}' is written by its owner ${owned.owner} only; ${ADVICE}`
  const single = SINGLE_STORES[table]
  if (single && file !== single) return `table '${table}' is written in ${single} only; call what it exports`
  if (!STORES.test(file)) return `table '${table}' is written in stores only; move the statement to a -store.ts file`
  return undefined
}

/** Statements that Kysely builds. */
function builtWrites({ text, code }: SourceText): Write[] {
  const calls = code.matchAll(/\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\s*\(\s*/g)
  return [...calls].flatMap(({ index: at, 0: call }): Write[] => {
    const argument = text.slice(at + call.length)
    const [, literal] = /^(['"`])(\w+)(?: as \w+)?\1/.exec(argument)?.slice(1) ?? []
    if (literal !== undefined) return [{ at, table: literal }]
    const names = namesOfType(text, /^\w+(?=\s*\))/.exec(argument)?.[0])
    return names.length > 0 ? names.map((table) => ({ at, table })) : [{ at, table: undefined }]
  })
}

/** The names that a variable can stand for, where the same file lists them as its type or value. */
function namesOfType(text: string, variable: string | undefined): string[] {
  if (variable === undefined) return []
  const lists = text.matchAll(new RegExp(`\\b${variable}\\s*:((?:\\s*\\|?\\s*'\\w+')+)`, 'g'))
  const names = [...lists].flatMap(([, list = '']) => list.match(/\w+/g) ?? [])
  return [...new Set(names)]
}

const NAME = /(?:(?:\$\{\w+\}|\w+)\.)?["`]?(\w+|\$\{[^}]*\})["`]?/.source
const RAW = [
  new RegExp(`\\b(?:(?:insert|replace|merge)\\s+into|delete\\s+from)\\s+${NAME}`, 'gi'),
  new RegExp(`\\bupdate\\s+${NAME}(?:\\s+as)?(?:\\s+\\w+)?\\s+set\\b`, 'gi'),
]

/** Statements that are written as text. Words that name no table are prose. */
function rawWrites({ text }: SourceText, owners: Owners): Write[] {
  return RAW.flatMap((pattern) => [...text.matchAll(pattern)]).flatMap(({ index: at, 1: name = '' }): Write[] => {
    if (name.startsWith('$')) return [{ at, table: undefined }]
    return owners.has(name) ? [{ at, table: name }] : []
  })
}
