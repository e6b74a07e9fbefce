import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { Engine } from '../support/databases.ts'
import type { TestAppOptions } from '../support/test-app.ts'
import { type ClientBench, clientBench } from './client-bench.ts'

/** The compatible command lines, on the path or where a variable says. */
export const commandLines = [
  ['bao', process.env.HOLDFAST_COMPAT_BAO ?? 'bao'],
  ['vault', process.env.HOLDFAST_COMPAT_VAULT ?? 'vault'],
] as const

/** A server, a home directory, and a program that talks to it. */
export type CommandLineBench = ClientBench & {
  /** What the program prints for a caller with this token, or with the token it has stored. */
  textAs(token: string, ...args: string[]): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  runAs(token: string, ...args: string[]): Promise<any>
  /** The same as root. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  run(...args: string[]): Promise<any>
  /** The error that the program prints. */
  refusal(token: string, ...args: string[]): Promise<string>
}

/** Sets that up for one test. */
export async function commandLineBench(
  program: string,
  engine: Engine,
  options: TestAppOptions = {},
): Promise<CommandLineBench> {
  const bench = await clientBench(engine, options)
  const { app, directory, file, serverCa } = bench
  const facts = { ADDR: app.httpsUrl, CACERT: await file('server-ca.pem', serverCa.pem), FORMAT: 'json' }
  const textAs = async (token: string, ...args: string[]): Promise<string> => {
    const settings = Object.entries({ ...facts, ...(token ? { TOKEN: token } : {}) })
    const env = Object.fromEntries(
      settings.flatMap(([name, value]) => [`BAO_${name}`, `VAULT_${name}`].map((each) => [each, value])),
    )
    const { stdout } = await promisify(execFile)(program, args, {
      env: { PATH: process.env.PATH, HOME: directory, ...env },
    })
    return stdout
  }
  const runAs = async (token: string, ...args: string[]) => parsed(await textAs(token, ...args))
  return {
    ...bench,
    textAs,
    runAs,
    run: (...args) => runAs(app.rootToken, ...args),
    refusal: (token, ...args) =>
      textAs(token, ...args).then(
        (text) => expect.unreachable(text),
        (error: { stderr: string }) => error.stderr,
      ),
  }
}

/** An answer, if it is JSON. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
