export { attemptSweep, forgetAttempt, takeAttempt } from './throttle-actions.ts'
export { countersFor, passwordCounter } from './throttle-rules.ts'
