import type { Siblings } from '../kernel/siblings.ts'
import type { Peers } from '../kit/peers.ts'

type Said = { from: number; payload: unknown }

/** The other processes of this node. Siblings hear themselves as well; peers hear only the others. */
export const peersOf = (worker: Siblings & { readonly number: number }): Peers => ({
  number: worker.number,
  broadcast: (topic, payload) => worker.broadcast<Said>({ name: topic, kept: false }, { from: worker.number, payload }),
  on: (topic, listener) =>
    worker.onBroadcast<Said>({ name: topic, kept: false }, ({ from, payload }) => {
      if (from !== worker.number) listener(payload)
    }),
})
