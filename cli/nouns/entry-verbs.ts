import type { OperationName } from '../../api-client/client.ts'
import { callOperation, findByOperation, listEntries, type OperationInput } from '../connection/operations.ts'
import { confirm } from '../input/confirmation.ts'
import { CliFailure } from '../io.ts'
import type { NameKind, Result, Row, Session, Verb, VerbArgument, VerbFlag } from './noun.ts'
import { allFlag, nothingToChange } from './resource-verbs.ts'

/** Entries of a list of `/v1`, which have a name, are read, written and deleted. */
export type Entries = {
  /** What one is called, as in "There is no policy 'web'". */
  readonly title: string
  readonly kind: NameKind
  /** The words that lead to its verbs. */
  readonly command: string
  readonly list: OperationName
  readonly read: OperationName
  /** One whose fields are known, unless a word has the content. */
  readonly write: OperationName
  readonly remove: OperationName
  readonly flags?: readonly VerbFlag[]
  readonly without?: readonly string[]
  readonly columns: readonly string[]
  /** What a deletion takes away. */
  readonly stakes: string
  /** A word that has the content, where flags do not. */
  readonly content?: { readonly argument: VerbArgument; readonly bodyOf: (session: Session) => Promise<object> }
  readonly shownAs?: (row: Row, session: Session) => Result
  readonly examples: { readonly create: string; readonly update: string; readonly name: string; readonly known: string }
}

type FieldsOperation = NonNullable<Verb['fieldsOf']>['operation']

/** Where the method of an entry is mounted, for nouns with that flag. */
export const mountOf = ({ flags }: Pick<Session, 'flags'>): Pick<OperationInput, 'mount'> =>
  flags.mount === undefined ? {} : { mount: String(flags.mount) }

const at = (session: Session): OperationInput & { path: { name: string } } => ({
  path: { name: session.word(0) },
  ...mountOf(session),
})

const nameArgument = ({ title, kind }: Entries): VerbArgument => ({
  term: '<name>',
  text: `name of the ${title}`,
  names: kind,
})

/** An entry, or a failure that says how to find the names. */
export async function readEntry(entries: Pick<Entries, 'read' | 'title' | 'command'>, session: Session): Promise<Row> {
  const found = (await findByOperation(session.client, entries.read, at(session))) as { data: Row } | undefined
  if (found) return { name: session.word(0), ...found.data }
  throw new CliFailure(
    `There is no ${entries.title} '${session.word(0)}'. 'holdfast ${entries.command} list' shows all.`,
    2,
  )
}

async function requireAbsent(entries: Entries, session: Session): Promise<void> {
  if ((await findByOperation(session.client, entries.read, at(session))) === undefined) return
  const update = `'holdfast ${entries.command} update' changes it`
  throw new CliFailure(`There is a ${entries.title} '${session.word(0)}' already; ${update}.`)
}

/** `list`, `show`, `create`, `update` and `delete` of entries. */
export function entryVerbs(entries: Entries): Verb[] {
  return [
    listEntriesVerb(entries),
    showEntryVerb(entries),
    ...(['create', 'update'] as const).map((name) => writeVerb(entries, name)),
    removeVerb(entries),
  ]
}

const listEntriesVerb = ({ title, command, list, columns, flags = [] }: Entries): Verb => ({
  name: 'list',
  description: `list the names of each ${title}`,
  flags: [...flags, allFlag],
  example: `${command} list`,
  run: async (session) => ({ rows: await listEntries(session.client, list, mountOf(session)), columns }),
})

const showEntryVerb = (entries: Entries): Verb => ({
  name: 'show',
  description: `show a ${entries.title}`,
  arguments: [nameArgument(entries)],
  flags: entries.flags ?? [],
  example: `${entries.command} show ${entries.examples.known}`,
  run: async (session) => {
    const row = await readEntry(entries, session)
    return entries.shownAs?.(row, session) ?? { row }
  },
})

/** Both write; each refuses what the other is for, so that nothing is replaced by mistake. */
const writeVerb = (entries: Entries, name: 'create' | 'update'): Verb => ({
  name,
  description: `${name} a ${entries.title}`,
  arguments: [
    name === 'create' ? { ...nameArgument(entries), names: undefined } : nameArgument(entries),
    ...(entries.content ? [entries.content.argument] : []),
  ],
  flags: entries.flags ?? [],
  ...(!entries.content && {
    fieldsOf: { operation: entries.write as FieldsOperation, without: entries.without ?? [] },
  }),
  example: `${entries.command} ${name} ${entries.examples[name]}`,
  run: async (session) => {
    const body = await (entries.content?.bodyOf(session) ?? session.fields())
    if (Object.keys(body).length === 0) throw nothingToChange(`${entries.command} ${name}`)
    await (name === 'create' ? requireAbsent(entries, session) : readEntry(entries, session))
    const answer = await callOperation(session.client, entries.write, { ...at(session), body })
    for (const warning of warningsOf(answer.body)) session.io.err(`Warning: ${warning}\n`)
    return {
      done: `${name === 'create' ? 'Created' : 'Updated'}: ${session.word(0)}`,
      row: await readEntry(entries, session),
    }
  },
})

const warningsOf = (body: unknown): readonly string[] =>
  (Object(body) as { warnings?: readonly string[] | null }).warnings ?? []

const removeVerb = (entries: Entries): Verb => ({
  name: 'delete',
  description: `delete a ${entries.title}`,
  arguments: [nameArgument(entries)],
  flags: entries.flags ?? [],
  example: `${entries.command} delete ${entries.examples.name} --yes`,
  asks: true,
  run: async (session) => {
    await readEntry(entries, session)
    const name = session.word(0)
    await confirm(
      session.io,
      session.flags.yes === true,
      async () => `This deletes the ${entries.title} '${name}', ${entries.stakes}.`,
    )
    await callOperation(session.client, entries.remove, at(session))
    return { done: `Deleted: ${name}`, row: { name, deleted: true } }
  },
})
