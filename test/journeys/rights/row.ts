import { doc } from '../../support/platform.ts'
import type { Right } from './holders.ts'
import type { Caller } from './levels.ts'
import type { Ids, Scene } from './scene.ts'

/** How an endpoint is called, and what an allowed call needs. */
export type Ask = {
  /** What is special about this call, if the endpoint has several lines. */
  readonly what?: string
  /** A valid body, so that nothing but the right refuses the call. */
  readonly body?: (ids: Ids) => unknown
  /** The body says what the call is about, so that it is read before the right is known. */
  readonly isAddressedByBody?: boolean
  readonly query?: (ids: Ids) => string
  /** What is addressed instead of what the parameters of the path mean in the scene. */
  readonly aim?: (ids: Ids) => Ids
  /** Sets the scene for the refused calls, so that they would succeed if they were allowed. */
  readonly before?: (scene: Scene) => Promise<undefined>
  /** Readies the scene for a call that is allowed; what it makes is addressed instead of what the scene has. */
  readonly ready?: (scene: Scene, caller: Caller) => Promise<Ids | undefined>
  /** Those who hold this right are refused openly, with 403. */
  readonly openlyRefused?: Right
  /** The answer has no end. */
  readonly stream?: boolean
}

/** An endpoint by its id, the right it needs, and how it is called. */
export type Row = readonly [endpoint: string, right: Right, ask?: Ask]

/** A list of resources by id. */
export const listOf = (type: string, ...ids: (string | undefined)[]): object => ({
  data: ids.map((id) => ({ type, id })),
})

/** A list of tag bindings. */
export const bindings = (): object => ({ data: [{ type: 'tag-bindings', attributes: { key: 'cost', value: 'net' } }] })

/** A body that is the same for every call. */
export const sending = (type: string, attributes: object = {}): Pick<Ask, 'body'> => ({
  body: () => doc(type, attributes),
})
