export { forgetAttempt, takeAttempt } from './throttle-actions.ts'
export { attemptSweep } from './throttle-jobs.ts'
export { countersFor, passwordCounter } from './throttle-rules.ts'
