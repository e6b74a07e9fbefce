let due: (() => void)[] = []

/**
 * Does something when this turn of the event loop has dealt with all that had come in when it began. What is asked for while
 * such things are done is done with them, last: in the next turn it would wait for whatever comes in until then.
 */
export function atTurnEnd(action: () => void): void {
  if (due.push(action) === 1) setImmediate(runDue)
}

function runDue(): void {
  for (let next = 0; next < due.length; next++) runApart(due[next] as () => void)
  due = []
}

/** Does something as if it had been asked for alone: its error keeps no others from their turn, and is not hidden. */
export function runApart(action: () => void): void {
  try {
    action()
  } catch (error) {
    process.nextTick(() => {
      throw error
    })
  }
}
