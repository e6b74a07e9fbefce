/** Something the user can fix; its message is shown as it is, without a stack trace. */
export class SetupProblem extends Error {}

/**
 * A problem the user can solve becomes a sentence and exit code 1.
 * @type {(work: () => Promise<void>) => Promise<void>}
 */
export const reportProblem = async (work) => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error
    console.error(`\n${error.message}`)
    process.exitCode = 1
  }
}
