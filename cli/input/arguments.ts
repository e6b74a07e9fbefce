import { readFileSync } from 'node:fs'
import { CliFailure, decodeText, fileFailure, type Io } from '../io.ts'
import { readSecret } from './secret-input.ts'

/** Users of related command lines write long options with one dash (`-format=json`); both spellings are accepted. */
export const doubleDashes = (args: readonly string[]): string[] => {
  const end = args.indexOf('--')
  return args.map((argument, at) =>
    /^-[a-z][a-z-]+(?:=|$)/i.test(argument) && (end < 0 || at < end) ? `-${argument}` : argument,
  )
}

/**
 * The body of a write: `key=value`, `key:=json`, `key=@file`, `key=-` from standard input, `@file.json` or `-` for the whole.
 */
export async function parseFields(io: Io, words: readonly string[]): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = Object.create(null)
  for (const word of words) {
    const equals = word.indexOf('=')
    if (word === '-') Object.assign(fields, parseObject(await readDocument(io), 'standard input'))
    else if (word.startsWith('@')) Object.assign(fields, parseObject(readText(word.slice(1)), word.slice(1)))
    else if (equals > 1 && word[equals - 1] === ':') addField(fields, word.slice(0, equals - 1), parseValue(word))
    else if (equals > 0)
      addField(fields, word.slice(0, equals), await readValue(io, word.slice(0, equals), word.slice(equals + 1)))
    else throw new CliFailure(`'${word}' is not understood. Write key=value, key:=json, key=@file or @file.json.`)
  }
  return fields
}

/** A repeated key makes a list. */
function addField(fields: Record<string, unknown>, key: string, value: unknown): void {
  const present = fields[key]
  fields[key] = present === undefined ? value : Array.isArray(present) ? [...present, value] : [present, value]
}

async function readDocument(io: Io): Promise<string> {
  if (io.keyboard) io.err('Enter a JSON object, then press Ctrl-D.\n')
  return await io.readInput()
}

/** A value as it is given: `@file` is the text of a file, `-` standard input, or a secret that a terminal hides. */
export async function readValue(io: Io, key: string, text: string): Promise<string> {
  if (text === '-') return withoutLineEnd(await readSecret(io, key))
  if (text.startsWith('\\@')) return text.slice(1)
  return text.startsWith('@') ? readText(text.slice(1)) : text
}

/** `echo` and terminals add a line break after a token or a key, which is removed; longer texts stay as they are. */
const withoutLineEnd = (input: string): string => input.replace(/^([^\n]*?)\r?\n$/, '$1')

function readText(path: string): string {
  try {
    return decodeText(readFileSync(path), `The file ${path}`)
  } catch (thrown) {
    throw thrown instanceof CliFailure ? thrown : fileFailure(path, 'read', thrown)
  }
}

/** The value of `key:=json`: plain text cannot tell a string from a number or a boolean. */
function parseValue(word: string): unknown {
  try {
    return JSON.parse(word.slice(word.indexOf('=') + 1))
  } catch (thrown) {
    throw new CliFailure(`The value after := in '${word}' is not JSON: ${(thrown as Error).message}`)
  }
}

function parseObject(text: string, from: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (thrown) {
    throw new CliFailure(`${from} does not contain JSON: ${(thrown as Error).message}`)
  }
  throw new CliFailure(`${from} does not contain a JSON object.`)
}
