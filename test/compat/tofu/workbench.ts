import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Engine } from '../../support/databases.ts'
import { doc, mustBe, type Organization, organization, type Person, person } from '../../support/platform.ts'
import { isInstalled } from '../../support/programs/programs.ts'
import type { TestApp } from '../../support/test-app.ts'
import { clientBench } from '../client-bench.ts'

/** The command lines that these tests use, each on the path or where its variable says. */
const programs = {
  tofu: process.env.HOLDFAST_COMPAT_TOFU ?? 'tofu',
  terraform: process.env.HOLDFAST_COMPAT_TERRAFORM ?? 'terraform',
} as const

/** A command line. */
export type Tool = keyof typeof programs

/** Runs a group of tests once with each tool; those of a tool that is not installed are skipped. */
export function eachTool(body: (tool: Tool) => void): void {
  for (const tool of Object.keys(programs) as Tool[])
    describe.skipIf(!isInstalled(programs[tool], 'version'))(tool, () => body(tool))
}

/** Its full path, for starting it with another PATH. */
function programOf(tool: Tool): string {
  const found = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, programs[tool]))
  return found.find((file) => existsSync(file)) ?? programs[tool]
}

/** How a command ended. */
type Ended = { readonly code: number | null; readonly out: string }

/** A directory with a configuration, and the command line in it. */
type Desk = {
  readonly directory: string
  /** Runs a command and expects it to succeed; returns what it printed. */
  run(...args: string[]): Promise<string>
  /** Runs a command, however it ends. */
  attempt(...args: string[]): Promise<Ended>
  /** Starts a command and leaves it running. */
  start(...args: string[]): ChildProcess
  write(name: string, text: string): Promise<void>
}

/** A TLS server, an organization, and directories to work in. */
export type Workbench = {
  readonly app: TestApp
  readonly host: string
  /** The CA certificate of the server. */
  readonly caFile: string
  /** The command line itself. */
  readonly program: string
  readonly ann: Person
  readonly org: Organization
  /** A fresh directory for a caller with this token, with this configuration. */
  desk(configuration: string, options?: { token?: string; environment?: Record<string, string> }): Promise<Desk>
  /** The block that points a configuration at a workspace, or at several. */
  cloud(workspaces: string): string
}

/** Sets a server up for one test. */
export async function workbench(tool: Tool, engine: Engine): Promise<Workbench> {
  const { app, serverCa, directory, file } = await clientBench(engine)
  const caFile = await file('ca.pem', serverCa.pem)
  const host = `localhost:${new URL(app.httpsUrl).port}`
  const ann = await person(app, 'ann')
  const org = await organization(ann, 'acme')
  // These tests are about state: the tools run here, whatever the mode of a workspace.
  const local = doc('organizations', { 'remote-execution-enabled': false })
  mustBe(await ann.patch('/api/v2/organizations/acme', local), 200)
  let count = 0
  return {
    app,
    host,
    caFile,
    program: programOf(tool),
    ann,
    org,
    cloud: (workspaces) =>
      `terraform {\n  cloud {\n    hostname = "${host}"\n    organization = "${org.name}"\n    workspaces {\n${workspaces}\n    }\n  }\n}\n`,
    desk: async (configuration, { token = ann.token, environment = {} } = {}) => {
      const place = join(directory, `desk-${++count}`)
      await mkdir(place)
      await writeFile(join(place, 'main.tf'), configuration)
      const settings = join(directory, `settings-${count}`)
      await writeFile(settings, `credentials "${host}" {\n  token = "${token}"\n}\n`)
      const env = {
        PATH: process.env.PATH,
        HOME: directory,
        SSL_CERT_FILE: caFile,
        TF_CLI_CONFIG_FILE: settings,
        TF_IN_AUTOMATION: '1',
        TF_INPUT: '0',
        CHECKPOINT_DISABLE: '1',
        ...environment,
      }
      return deskAt(programs[tool], place, env)
    },
  }
}

function deskAt(program: string, directory: string, env: NodeJS.ProcessEnv): Desk {
  const start = (...args: string[]) => spawn(program, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const attempt = (...args: string[]): Promise<Ended> => {
    const child = start(...args)
    let out = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (out += String(chunk)))
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, out }))
    })
  }
  return {
    directory,
    start,
    attempt,
    write: (name, text) => writeFile(join(directory, name), text),
    run: async (...args) => {
      const { code, out } = await attempt(...args)
      expect({ args, code, out: code === 0 ? '' : out }).toEqual({ args, code: 0, out: '' })
      return out
    },
  }
}
