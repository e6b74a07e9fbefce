import type { Peers, Question } from './kit/peers.ts'
import type { FromWorker, ToWorker } from './worker-supervisor.ts'

type Listener = (payload: unknown) => void

/** A message that the supervisor passed on from another worker process. */
type RelayedMessage = Extract<ToWorker, { kind: 'word' | 'question' | 'asked' | 'answer' }>

/** A question of this process. How many were asked is known before the first answer. */
type Pending = { asked: number; readonly answers: Map<number, unknown>; readonly end: () => void }

/** A worker process that has joined the supervisor, through which it exchanges messages with the others. */
export class JoinedWorker implements Peers {
  readonly number: number
  readonly isFirst: boolean
  readonly isAlone = false
  readonly #send: (message: FromWorker) => void
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #answerers = new Map<string, () => Promise<unknown>>()
  readonly #questions = new Map<number, Pending>()
  #lastQuestion = 0

  constructor({ number, isFirst }: Extract<ToWorker, { kind: 'hello' }>, send: (message: FromWorker) => void) {
    this.number = number
    this.isFirst = isFirst
    this.#send = send
  }

  ready(): void {
    this.#send({ kind: 'ready' })
  }

  broadcast(topic: string, payload: unknown): void {
    this.#send({ kind: 'word', topic, payload })
  }

  on(topic: string, listener: Listener): () => void {
    const ofTopic = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, ofTopic.add(listener))
    return () => void ofTopic.delete(listener)
  }

  async ask(topic: string, { own, withinMs }: Question): Promise<ReadonlyMap<number, unknown>> {
    const id = ++this.#lastQuestion
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const question = { asked: Number.POSITIVE_INFINITY, answers: new Map<number, unknown>(), end }
    this.#questions.set(id, question)
    this.#send({ kind: 'question', topic, id, own })
    const patience = setTimeout(() => {
      this.#send({ kind: 'recalling', topic, id, answered: [...question.answers.keys()] })
    }, withinMs)
    const limit = setTimeout(end, 2 * withinMs)
    await ended
    clearTimeout(patience)
    clearTimeout(limit)
    this.#questions.delete(id)
    return question.answers
  }

  answer(topic: string, give: () => Promise<unknown>): void {
    this.#answerers.set(topic, give)
  }

  /** Takes what the supervisor passed on. */
  receive(message: RelayedMessage): void {
    if (message.kind === 'word') for (const listen of this.#listeners.get(message.topic) ?? []) listen(message.payload)
    else if (message.kind === 'question') void this.#answerQuestion(message)
    else this.#collectAnswer(message)
  }

  async #answerQuestion({ topic, id, from }: Extract<RelayedMessage, { kind: 'question' }>): Promise<void> {
    // Those who answer report their errors themselves; the question is answered either way.
    const payload = await this.#answerers
      .get(topic)?.()
      .catch(() => undefined)
    this.#send({ kind: 'answer', topic, to: from, id, payload })
  }

  #collectAnswer(message: Extract<RelayedMessage, { kind: 'asked' | 'answer' }>): void {
    const question = this.#questions.get(message.id)
    if (!question) return
    if (message.kind === 'asked') question.asked = message.count
    else question.answers.set(message.from, message.payload)
    if (question.answers.size >= question.asked) question.end()
  }
}
