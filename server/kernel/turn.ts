let due: (() => void)[] = []

/** Does something when this turn of the event loop has dealt with all that had come in when it began. */
export function atTurnEnd(action: () => void): void {
  if (due.push(action) === 1) setImmediate(runDue)
}

function runDue(): void {
  const actions = due
  due = []
  for (const action of actions) {
    try {
      action()
    } catch (error) {
      // As if each had been asked for alone: nobody's error keeps the others from their turn.
      process.nextTick(() => {
        throw error
      })
    }
  }
}
