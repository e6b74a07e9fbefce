import type { Job } from '../protocol/messages.ts'

/** What the commands of a phase are about, by the paths that the tool sees. */
export type CommandFacts = {
  readonly job: Pick<Job, 'run' | 'kind'>
  /** The name of the tool as the server gives it, and the version that it told itself. */
  readonly tool: { readonly name: string; readonly version: string }
  /** The folder of the run. */
  readonly root: string
  readonly variableFiles: readonly string[]
  readonly parallelism: number | undefined
}

/** The version of a tool, as numbers; what follows a hyphen is left out. */
export function versionAtLeast(version: string, ...least: readonly number[]): boolean {
  const numbers = version
    .replace(/[-+].*$/, '')
    .split('.')
    .map(Number)
  for (const [index, wanted] of least.entries()) {
    const given = numbers[index] ?? 0
    if (given !== wanted) return given > wanted
  }
  return true
}

const isOpen = ({ name }: CommandFacts['tool']): boolean => name === 'opentofu'

/** Fetches modules and providers. */
export function initCommand(facts: CommandFacts, hasLockOfPlan: boolean): string[] {
  const readsVariables = isOpen(facts.tool) && versionAtLeast(facts.tool.version, 1, 8)
  return [
    // The state is there already; the tool asks whether to copy it to where it is.
    ...['init', '-input=false', '-no-color', '-force-copy'],
    ...(hasLockOfPlan ? ['-lockfile=readonly'] : []),
    ...(readsVariables ? variableFlags(facts) : []),
  ]
}

/** Makes a plan. */
export function planCommand(facts: CommandFacts): string[] {
  const { run } = facts.job
  const list = (flag: string, values: readonly string[] | null | undefined): string[] =>
    (values ?? []).map((value) => `-${flag}=${value}`)
  return [
    ...['plan', '-input=false', '-lock=false', '-detailed-exitcode', `-out=${facts.root}/plan.bin`],
    ...(run.log_format === 'json' ? ['-json'] : []),
    ...(run.is_destroy ? ['-destroy'] : []),
    ...(run.refresh_only ? ['-refresh-only'] : []),
    ...(run.refresh === false ? ['-refresh=false'] : []),
    ...list('target', run.targets),
    ...list('replace', run.replaces),
    ...list('invoke', run.invokes),
    ...(run.generate_config ? [`-generate-config-out=${facts.root}/generated.tf`] : []),
    ...parallelismFlag(facts),
    ...variableFlags(facts),
  ]
}

/** Carries out the plan that was taken out and checked. */
export function applyCommand(facts: CommandFacts): string[] {
  // Ephemeral variables must be given again; older tools refuse any.
  const takesVariables = isOpen(facts.tool)
    ? versionAtLeast(facts.tool.version, 1, 11)
    : versionAtLeast(facts.tool.version, 1, 10)
  return [
    ...['apply', '-input=false', '-lock=false'],
    ...(facts.job.run.log_format === 'json' ? ['-json'] : []),
    ...parallelismFlag(facts),
    ...(takesVariables ? variableFlags(facts) : []),
    `${facts.root}/plan.bin`,
  ]
}

const variableFlags = ({ variableFiles }: CommandFacts): string[] => variableFiles.map((file) => `-var-file=${file}`)

const parallelismFlag = ({ parallelism }: CommandFacts): string[] =>
  parallelism === undefined ? [] : [`-parallelism=${parallelism}`]

/** A flag that a version does not know, as a sentence; undefined if it knows all that were asked for. */
export function unsupportedOption({ job: { run }, tool }: CommandFacts): string | undefined {
  const asked = [
    [run.refresh_only, 'a refresh-only plan'],
    [(run.replaces ?? []).length > 0, 'to replace single resources'],
    [run.log_format === 'json', 'structured output'],
  ] as const
  const [first] = versionAtLeast(tool.version, 0, 15, 4) ? [] : asked.filter(([isAsked]) => isAsked)
  if (first) return `${tool.name} ${tool.version} does not know ${first[1]}; 0.15.4 does.`
  const generates = run.generate_config && !versionAtLeast(tool.version, 1, 5)
  return generates ? `${tool.name} ${tool.version} cannot generate configuration; 1.5 can.` : undefined
}

/** The providers that a lock file names, with the version that each has. */
export function lockedProviders(lockFile: string): { source: string; version: string }[] {
  const blocks = lockFile.matchAll(/^provider "([^"\n]+)" \{\n([^}]*)^\}/gm)
  return [...blocks].map(([, source = '', body = '']) => {
    const [, version = ''] = /^\s*version\s*=\s*"([^"\n]+)"/m.exec(body) ?? []
    return { source, version }
  })
}

const sourcePattern = /^[a-z0-9.:-]+\/[a-z0-9_-]+\/[a-z0-9_-]+$/i

/** A configuration that names providers and does nothing else. */
export function requiredProviders(
  used: readonly string[],
  locked: readonly { source: string; version: string }[],
): string {
  const sources = [...new Set([...used, ...locked.map(({ source }) => source)])].filter((source) =>
    sourcePattern.test(source),
  )
  const required = sources.map((source, index) => {
    const version = locked.find((each) => each.source === source)?.version
    const isVersion = version !== undefined && /^[\w.+-]+$/.test(version)
    return [`p${index}`, { source, ...(isVersion && { version }) }]
  })
  return JSON.stringify({ terraform: [{ required_providers: [Object.fromEntries(required)] }] })
}

/** The configuration file of the tool: the token with which it reads from the server, and where providers come from. */
export function toolConfiguration(host: string, token: string, mirrors: readonly string[]): string {
  const credentials = `credentials ${JSON.stringify(host)} {\n  token = ${JSON.stringify(token)}\n}\n`
  const from = mirrors.map((path) => `  filesystem_mirror {\n    path = ${JSON.stringify(path)}\n  }\n`).join('')
  const installation = from === '' ? '' : `provider_installation {\n${from}  direct {}\n}\n`
  return `disable_checkpoint = true\n${token === '' ? '' : credentials}${installation}`
}
