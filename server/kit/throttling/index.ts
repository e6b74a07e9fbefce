export { attemptSweep, forgetAttempt, takeAttempt } from './throttle-actions.ts'
export {
  countersFor,
  defaultPairLimits,
  longestLifetime,
  mountKeys,
  nameInKey,
  type PairLimits,
  passwordCounter,
} from './throttle-rules.ts'
export { forgetBeginning, forgetFailures, loadBlocked } from './throttle-store.ts'
