import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Principal } from '../kernel/principal.ts'
import type { AclVerdict, Operation, RateState } from '../kit/access.ts'
import type { Deps } from '../kit/deps.ts'
import type { Endpoint, RequestFacts } from '../kit/endpoint.ts'
import type { Reply } from '../kit/reply.ts'
import type { Address } from './address.ts'
import type { Deadline } from './deadline.ts'
import type { HttpLimits } from './limits.ts'
import type { Match } from './router.ts'

type Filling<T> = { -readonly [K in keyof T]: T[K] }

/** A request on its way through the pipeline. Each step reads what earlier ones found and adds its own finding. */
export type Exchange = {
  readonly deps: Deps
  readonly limits: HttpLimits
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly address: Address
  readonly startedAt: number
  readonly deadline: Deadline
  /** Filled step by step; handlers see it complete and read-only. */
  readonly facts: Filling<RequestFacts>
  operation: Operation
  match: Match | undefined
  endpoint: Endpoint | undefined
  caller: Principal
  verdict: AclVerdict | undefined
  rate: RateState | undefined
  wrapTtl: number | undefined
  body: unknown
  query: unknown
  subject: unknown
  warnings: string[]
  readonly auditMemo: { value?: unknown }
  auditedRequest: boolean
  auditedResponse: boolean
  reply: Reply | undefined
  status: number
}

/** One step. It throws to refuse; it returns a promise only if it has to wait. */
export type Step = (exchange: Exchange) => Promise<void> | void
