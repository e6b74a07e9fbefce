import type { ClientFlags } from '../commands/context.ts'
import type { Client } from '../connection/client.ts'
import type { Io } from '../io.ts'
import type { fields } from './fields.ts'

/** Things that a server keeps, and whose names a shell can complete. */
export type NameKind =
  | 'workspace'
  | 'project'
  | 'team'
  | 'organization'
  | 'user'
  | 'variable'
  | 'policy'
  | 'secret'
  | 'kv-mount'
  | 'approle-role'
  | 'cert-role'
  | 'cert-crl'
  | 'jwt-role'
  | 'snapshot-config'

/** A word of a command line: `<workspace>`, `[file]`, `<tags...>`. */
export type VerbArgument = { readonly term: string; readonly text: string; readonly names?: NameKind }

/** A flag of a verb: `--locked`, `--search <text>`. */
export type VerbFlag = {
  readonly term: string
  readonly text: string
  readonly names?: NameKind
  /** Words that the value may be. */
  readonly values?: readonly string[]
  readonly required?: true
  /** True if it may be given several times, or with commas. */
  readonly many?: true
}

/** Flags as they were given; those of a verb are known by their names in camel case. */
export type Flags = ClientFlags & Readonly<Record<string, unknown>>

/** A verb while it runs. */
export type Session = {
  readonly io: Io
  readonly client: Client
  readonly flags: Flags
  /** A word of the command line; empty if it was not given. */
  word(at: number): string
  /** The words that the last argument takes. */
  readonly words: readonly string[]
  /** The fields that flags and words give to the request. */
  fields(): Promise<Record<string, unknown>>
}

/** A line of a table, or a document. */
export type Row = Readonly<Record<string, unknown>>

/** What a verb found or did. With a problem, the command fails after it has shown this. */
export type Result = { readonly problem?: string } & Shown

type Shown =
  /** Other formats than a table show the data instead, if there is any. */
  | {
      readonly rows: readonly Row[]
      readonly columns: readonly string[]
      readonly hint?: string
      readonly data?: unknown
      /** What `--field` chooses from, where the table is about one thing. */
      readonly row?: Row
    }
  /** A table shows these members only, if there are any; other formats show all. */
  | { readonly row: Row; readonly columns?: readonly string[] }
  /** A sentence, and for programs the facts. */
  | { readonly done: string; readonly row?: Row }
  /** A text of the server, as it is. */
  | { readonly text: string }

/** Something that a command does. */
export type Verb = {
  readonly name: string
  readonly description: string
  readonly arguments?: readonly VerbArgument[]
  readonly flags?: readonly VerbFlag[]
  /** An operation whose fields are flags, and those of its fields that are said in another way. */
  readonly fieldsOf?: { readonly operation: keyof typeof fields; readonly without?: readonly string[] }
  /** What follows `holdfast` in an example. */
  readonly example: string
  /** True if it may take any time. */
  readonly waits?: true
  /** True if it asks first, so that it has `--yes`. */
  readonly asks?: true
  run(session: Session): Promise<Result>
}

/** A noun of the command line with its verbs. */
export type Noun = {
  readonly name: string
  readonly description: string
  readonly verbs: readonly Verb[]
  readonly nouns?: readonly Noun[]
}
