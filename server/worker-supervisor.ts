import cluster, { type Worker as Child } from 'node:cluster'
import { closeUnconfirmed } from './handed-connections.ts'
import { backOff } from './kernel/back-off.ts'
import type { Log } from './kernel/log.ts'

/** A message from one worker process to the others. It is copied on its way, so it must be plain data. */
type Broadcast = { kind: 'word'; topic: string; payload: unknown }

/** What the supervisor says to a worker process. */
export type ToWorker =
  | { kind: 'hello'; number: number; isFirst: boolean }
  /** Asks the worker to answer once it has reported the signals it has received so far. */
  | { kind: 'asking'; signal: ForwardedSignal }
  /** Asks for a sign of life. */
  | { kind: 'beat' }
  | Broadcast
  | { kind: 'question'; topic: string; id: number; from: number }
  /** How many answers there will be. */
  | { kind: 'asked'; id: number; count: number }
  | { kind: 'answer'; id: number; from: number; payload: unknown }

/** What a worker process says to the supervisor. */
export type FromWorker =
  | { kind: 'joining' }
  | { kind: 'ready' }
  | { kind: 'signal'; signal: ForwardedSignal }
  /** Answers `asking`. */
  | { kind: 'reported'; signal: ForwardedSignal }
  /** Answers `beat`. */
  | { kind: 'alive' }
  | Broadcast
  | { kind: 'question'; topic: string; id: number; own: unknown }
  | { kind: 'answer'; topic: string; to: number; id: number; payload: unknown }
  /** Asks for what those who have not answered in time said before. */
  | { kind: 'recalling'; topic: string; id: number; answered: readonly number[] }

/** Signals that concern every worker process. */
export const forwardedSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** One of them. */
type ForwardedSignal = (typeof forwardedSignals)[number]

/** How many processes to run, and how. */
export type SuperviseOptions = {
  count: number
  log: Log
  /** What SIGHUP means: reading files again, or stopping, as when a terminal is closed. */
  hangup: 'reload' | 'stop'
  /** Time for an orderly stop of all; what is left then is killed. */
  graceMs: number
  /** How often each worker that serves is asked for a sign of life. */
  beatMs?: number
  /** Further variables of the worker processes. */
  environment?: Readonly<Record<string, string>>
}

/** Runs the worker processes until they are stopped, and returns the exit code of the whole. */
export async function supervise(options: SuperviseOptions): Promise<number> {
  // Structured copies, so that bytes stay bytes.
  cluster.setupPrimary({ serialization: 'advanced' })
  const supervisor = new Supervisor(options)
  const onSignal = (signal: NodeJS.Signals): void => supervisor.onSignal(signal as ForwardedSignal)
  for (const signal of forwardedSignals) process.on(signal, onSignal)
  try {
    return await supervisor.run()
  } finally {
    for (const signal of forwardedSignals) process.off(signal, onSignal)
  }
}

type Slot = {
  readonly number: number
  child: Child | undefined
  /** True once it receives messages. */
  hasJoined: boolean
  /** True once it serves requests. */
  isServing: boolean
  /** Crashes since it last ran for a while. */
  crashes: number
  /** How often it was asked for a sign of life since its last message. */
  unanswered: number
  timer: NodeJS.Timeout | undefined
  /** Signals it received from elsewhere, such as the terminal: we need not send them again. */
  receivedSignals: Set<ForwardedSignal>
  /** Signals that we sent: its reports about these are ignored. */
  sentSignals: Set<ForwardedSignal>
  /** What it last said on each topic, as an answer or when it asked. */
  lastPayloads: Map<string, unknown>
}

/** If a signal is sent to the whole group, it reaches the workers within this time. */
const groupSignalMs = 100
/** How long a signal that a worker received from elsewhere counts as the one that the supervisor receives. */
const receivedSignalMs = 1_000
/** Long operations of a worker may take several of these. */
const defaultBeatMs = 10_000
/** A worker that has left so many unanswered is replaced. Counted, since time also passes while a machine sleeps. */
const toleratedBeats = 3
/** After this long without a crash, the count of crashes is reset. */
const steadyMs = 30_000
/** Waits before a worker that has crashed is started again. */
const restartWaits = { first: 100, longest: 10_000 }

class Supervisor {
  readonly #options: SuperviseOptions
  readonly #slots: Slot[]
  readonly #ended = Promise.withResolvers<number>()
  #isUp = false
  #isStopping = false
  #exitCode = 0

  constructor(options: SuperviseOptions) {
    this.#options = options
    this.#slots = Array.from({ length: options.count }, (_, index) => newSlot(index + 1))
  }

  run(): Promise<number> {
    const [first] = this.#slots
    if (first) this.#start(first)
    this.#beat()
    return this.#ended.promise
  }

  onSignal(signal: ForwardedSignal): void {
    const isStop = signal !== 'SIGHUP' || this.#options.hangup === 'stop'
    if (isStop && !this.#isStopping) this.#stop(this.#options.graceMs)
    setTimeout(() => {
      for (const slot of this.#slots) {
        if (slot.receivedSignals.delete(signal)) continue
        // A busy worker may have received the signal without having handled it yet: a second one would tell it not to
        // wait.
        if (slot.hasJoined) sendTo(slot, { kind: 'asking', signal })
        // A worker that has not joined has no files open to read again, and SIGHUP would end it.
        else if (isStop) this.#send(slot, signal)
      }
    }, groupSignalMs)
  }

  #start(slot: Slot): void {
    const child = cluster.fork(this.#options.environment)
    closeUnconfirmed(child)
    Object.assign(slot, { child, receivedSignals: new Set(), sentSignals: new Set(), lastPayloads: new Map() })
    child.on('message', (message: FromWorker) => this.#onMessage(slot, message))
    child.on('exit', (code, signal) => this.#onExit(slot, code, signal))
    // A message to a worker that has just died cannot be delivered; its exit is reported right afterwards.
    child.on('error', (error) =>
      this.#options.log.warn({ worker: slot.number, error }, 'could not send a message to a worker'),
    )
    slot.timer = setTimeout(() => {
      slot.crashes = 0
    }, steadyMs)
  }

  /** Repeated for ever: a stopped or endlessly busy worker would keep its connections waiting for ever. */
  #beat(): void {
    if (this.#isStopping) return
    setTimeout(() => this.#beat(), this.#options.beatMs ?? defaultBeatMs).unref()
    for (const slot of this.#slots.filter(({ isServing }) => isServing)) {
      if (slot.unanswered >= toleratedBeats) {
        this.#options.log.error({ worker: slot.number, workerPid: slot.child?.process.pid }, 'worker no longer answers')
        slot.child?.process.kill('SIGKILL')
      }
      slot.unanswered++
      sendTo(slot, { kind: 'beat' })
    }
  }

  #onMessage(slot: Slot, message: FromWorker): void {
    slot.unanswered = 0
    if (message.kind === 'alive') return
    if (message.kind === 'word') for (const other of this.#othersThan(slot)) sendTo(other, message)
    else if (message.kind === 'question') this.#relayQuestion(slot, message)
    else if (message.kind === 'answer') this.#relayAnswer(slot, message)
    else if (message.kind === 'recalling') this.#recall(slot, message)
    else if (message.kind === 'ready') this.#onReady(slot)
    else if (message.kind === 'joining') this.#sendHello(slot)
    else if (message.kind === 'reported') this.#forwardSignal(slot, message.signal)
    else if (!slot.sentSignals.delete(message.signal)) this.#noteReceived(slot, message.signal)
  }

  #noteReceived({ receivedSignals }: Slot, signal: ForwardedSignal): void {
    receivedSignals.add(signal)
    // A signal that was not for the whole group says nothing about the next one.
    setTimeout(() => receivedSignals.delete(signal), receivedSignalMs).unref()
  }

  #sendHello(slot: Slot): void {
    slot.hasJoined = true
    sendTo(slot, { kind: 'hello', number: slot.number, isFirst: !this.#isUp && slot.number === 1 })
  }

  #othersThan(speaker: Slot): Slot[] {
    return this.#slots.filter((slot) => slot !== speaker && slot.hasJoined)
  }

  #relayQuestion(asker: Slot, { topic, id, own }: Extract<FromWorker, { kind: 'question' }>): void {
    asker.lastPayloads.set(topic, own)
    const others = this.#othersThan(asker)
    sendTo(asker, { kind: 'asked', id, count: others.length })
    for (const other of others) sendTo(other, { kind: 'question', topic, id, from: asker.number })
  }

  /** A worker that has no answer now is answered for with what it last said. */
  #relayAnswer(answerer: Slot, { topic, to, id, payload }: Extract<FromWorker, { kind: 'answer' }>): void {
    if (payload !== undefined) answerer.lastPayloads.set(topic, payload)
    const asker = this.#slots[to - 1]
    if (asker) sendTo(asker, lastAnswer(answerer, topic, id))
  }

  #recall(asker: Slot, { topic, id, answered }: Extract<FromWorker, { kind: 'recalling' }>): void {
    const silent = this.#othersThan(asker).filter(({ number }) => !answered.includes(number))
    const known = silent.filter(({ lastPayloads }) => lastPayloads.has(topic))
    for (const slot of known) sendTo(asker, lastAnswer(slot, topic, id))
    sendTo(asker, { kind: 'asked', id, count: answered.length + known.length })
  }

  #onReady(slot: Slot): void {
    this.#options.log.info({ worker: slot.number, workerPid: slot.child?.process.pid }, 'worker ready')
    slot.isServing = true
    if (this.#isUp || this.#isStopping) return
    this.#isUp = true
    for (const other of this.#slots) if (other !== slot) this.#start(other)
  }

  #onExit(slot: Slot, code: number | null, signal: string | null): void {
    clearTimeout(slot.timer)
    // A worker that is stopped before it has served leaves nothing undone, however it ends.
    const isUnneeded = this.#isUp && this.#isStopping && !slot.isServing
    Object.assign(slot, { child: undefined, hasJoined: false, isServing: false })
    if (this.#isUp && !this.#isStopping) {
      this.#restartLater(slot, code, signal)
      return
    }
    if (code !== 0 && !isUnneeded) this.#exitCode ||= code ?? 1
    // A worker that cannot start the first time has said why; a second try would only repeat it.
    if (!this.#isStopping) this.#stop(0)
    if (this.#slots.every((each) => each.child === undefined)) this.#ended.resolve(this.#exitCode)
  }

  #restartLater(slot: Slot, code: number | null, signal: string | null): void {
    slot.crashes++
    const delayMs = backOff(restartWaits, slot.crashes)
    this.#options.log.error(
      { worker: slot.number, code, signal, delayMs },
      'worker ended unexpectedly, starting another',
    )
    slot.timer = setTimeout(() => this.#start(slot), delayMs)
  }

  #stop(graceMs: number): void {
    this.#isStopping = true
    for (const slot of this.#slots) if (slot.child === undefined) clearTimeout(slot.timer)
    if (this.#slots.every((slot) => slot.child === undefined)) this.#ended.resolve(this.#exitCode)
    const timer = setTimeout(() => {
      for (const slot of this.#slots) slot.child?.process.kill('SIGKILL')
    }, graceMs)
    void this.#ended.promise.then(() => clearTimeout(timer))
  }

  #forwardSignal(slot: Slot, signal: ForwardedSignal): void {
    if (!slot.receivedSignals.delete(signal)) this.#send(slot, signal)
  }

  #send(slot: Slot, signal: ForwardedSignal): void {
    if (slot.child === undefined) return
    slot.sentSignals.add(signal)
    slot.child.process.kill(signal)
  }
}

const newSlot = (number: number): Slot => ({
  number,
  child: undefined,
  hasJoined: false,
  isServing: false,
  crashes: 0,
  unanswered: 0,
  timer: undefined,
  receivedSignals: new Set(),
  sentSignals: new Set(),
  lastPayloads: new Map(),
})

const lastAnswer = ({ number, lastPayloads }: Slot, topic: string, id: number): ToWorker => ({
  kind: 'answer',
  id,
  from: number,
  payload: lastPayloads.get(topic),
})

function sendTo(slot: Slot, message: ToWorker): void {
  if (slot.child?.isConnected() === true) slot.child.send(message)
}
