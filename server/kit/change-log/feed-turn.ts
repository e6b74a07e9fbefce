import { limitConcurrency } from '../../kernel/limit-concurrency.ts'
import { perApp } from '../deps.ts'

/** How many of those who follow the change log may ask the database at once, so that requests find free connections. */
const maxAtOnce = 3

/** Runs what one follower of the change log asks the database, when it is its turn. */
export const feedTurn = perApp(() => limitConcurrency(maxAtOnce))
