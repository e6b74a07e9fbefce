/** A folder or file of the machine that a step sees, and where. */
export type Mount = { readonly from: string; readonly to: string; readonly isWritable?: boolean }

/** What a step may use before it is killed. */
export type Limits = {
  readonly seconds: number
  readonly memoryBytes: number
  /** Of the work folder. */
  readonly diskBytes: number
}

/** One program that is run, fenced in by the layer. */
export type Step = {
  /** The program and its arguments, as it sees them. */
  readonly command: readonly [string, ...string[]]
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  /** What it sees in layers that have mounts; without them it sees what its user sees. */
  readonly mounts: readonly Mount[]
  /** Folders of the machine that count as its disk. */
  readonly workFolder: string
  readonly hasNetwork: boolean
  readonly limits: Limits
  readonly output: (bytes: Buffer, stream: 'out' | 'err') => void
}

/** Why the runner ended a step by itself. */
export type StopReason = 'interrupt' | 'kill' | 'timed-out' | 'out-of-memory' | 'output-too-large'

/** How a step ended. Nothing of it runs any more. */
export type StepEnd = {
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  readonly stopped: StopReason | undefined
  readonly usage: Usage
}

/** What a step has used, as far as it was seen. */
export type Usage = { readonly cpuMs: number; readonly maxRss: number; readonly wallMs: number }

/** A step that runs. */
export type RunningStep = {
  /** Asks the tool, and nothing else, to end; a second time has no effect, since it would then abandon its state. */
  interrupt(): void
  /** Ends it and all that it has started. */
  kill(reason: Exclude<StopReason, 'interrupt'>): void
  readonly pid: number
  readonly ended: Promise<StepEnd>
}

/** A property of isolation, by the word that `runner_require` and `not-in-force` use. */
export const properties = [
  'files',
  'runner-memory',
  'network',
  'metadata',
  'memory',
  'processes',
  'disk',
  'own-user',
  'dies-with-runner',
  'leaves-nothing',
] as const

/** The name of a property of isolation. */
export type Property = (typeof properties)[number]

/** What of each property the layer gives here, as its probe has found it. */
export type Isolation = Readonly<Record<Property, 'in-force' | 'best-effort' | 'not-in-force'>>

/** Properties that the layer does not give here. */
export const notInForce = (isolation: Isolation): Property[] =>
  properties.filter((property) => isolation[property] === 'not-in-force')

/** How tools are fenced in. */
export type Layer = {
  readonly name: 'process' | 'namespace'
  readonly isolation: Isolation
  /** The folder of a run as its steps see it, which the plan records. */
  seenFolder(runFolder: string, runId: string): string
  start(step: Step): Promise<RunningStep>
}
