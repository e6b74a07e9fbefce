import type { DatabaseSync } from 'node:sqlite'

/** Runs the writes of one turn of the event loop in one transaction; each resolves once they are committed. */
export function sharedCommits(database: DatabaseSync): (write: () => void) => Promise<void> {
  let waiting: { readonly write: () => void; readonly done: () => void }[] = []
  const commit = (): void => {
    const group = waiting
    waiting = []
    database.exec('begin immediate')
    for (const { write } of group) write()
    database.exec('commit')
    for (const { done } of group) done()
  }
  return (write) =>
    new Promise((done) => {
      if (waiting.push({ write, done }) === 1) setImmediate(commit)
    })
}
