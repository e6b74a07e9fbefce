// Read by whatever Node the user has, so the syntax here stays plain enough for versions we refuse.

/** The oldest Node that can install the project; the server itself runs on the pinned one. */
const OLDEST_STARTER = '20.19.0'

/** The oldest Node the server runs on. 26.8 and 26.9 lose the intermediates of a client's chain. */
export const OLDEST_RUNNER = '26.10.0'

/**
 * True if `version` is `oldest` or newer. Comparing them as words of a language would cost a command 30 ms.
 * @type {(version: string, oldest: string) => boolean}
 */
export const isAtLeast = (version, oldest) => {
  const [parts = [], least = []] = [version, oldest].map((each) => each.split('.').map((part) => parseInt(part, 10)))
  const [difference = 0] = parts.map((part, index) => part - (least[index] ?? 0)).filter((each) => each !== 0)
  return difference >= 0
}

/**
 * Ends the process if this Node cannot start the project.
 * @type {(version: string) => void}
 */
export const refuseOldNode = (version) => {
  if (isAtLeast(version, OLDEST_STARTER)) return
  console.error(`Holdfast needs Node ${OLDEST_STARTER} or newer to start; this is ${version}.`)
  console.error('Install a current Node and run the command again.')
  process.exit(1)
}
