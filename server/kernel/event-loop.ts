let dueActions: (() => void)[] = []

/**
 * Runs an action at the end of this turn of the event loop, after all input that had arrived when the turn began.
 * Actions added while such actions run come last in the same round: in the next turn they would wait for newer input.
 */
export function runAfterPendingInput(action: () => void): void {
  if (dueActions.push(action) === 1) setImmediate(runDueActions)
}

function runDueActions(): void {
  for (let next = 0; next < dueActions.length; next++) runIsolated(dueActions[next] as () => void)
  dueActions = []
}

/** Runs an action so that its error does not keep others from running, but is still thrown, as uncaught. */
export function runIsolated(action: () => void): void {
  try {
    action()
  } catch (error) {
    process.nextTick(() => {
      throw error
    })
  }
}
