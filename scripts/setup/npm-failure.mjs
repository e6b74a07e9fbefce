/** @typedef {{ when: RegExp, say: (found: string) => string }} Explanation */

/** @type {Explanation[]} */
const EXPLANATIONS = [
  {
    when: /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT)\b/,
    say: (found) =>
      `The npm registry cannot be reached (${found}).\n` +
      'Check the network, or point npm at a mirror with `npm config set registry <address>`, then run the command again.',
  },
  {
    when: /\b(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_HAS_EXPIRED)\b/,
    say: (found) =>
      `The npm registry's certificate is not trusted (${found}).\n` +
      'Behind a company proxy, set NODE_EXTRA_CA_CERTS to the file with its CA certificate.',
  },
  {
    when: /\b(ENOSPC|EDQUOT)\b|no space left/i,
    say: () => 'The disk is full. A full install takes about 1 GB here and 300 MB in the npm cache.',
  },
  {
    when: /\b(EACCES|EPERM|EROFS)\b/,
    say: (found) =>
      `npm may not write where it needs to (${found}).\n` +
      'Run as the owner of this directory; files left behind by another user (often root) must be removed or given to that owner.',
  },
  {
    when: /\b(E401|E403)\b/,
    say: (found) => `The npm registry refused access (${found}). Check the credentials npm uses.`,
  },
  {
    when: /\b(E404|ETARGET|ENOVERSIONS)\b/,
    say: (found) =>
      `The npm registry lacks a package that package-lock.json names (${found}). A mirror may be out of date.`,
  },
  {
    when: /\b(EINTEGRITY)\b/,
    say: () =>
      'A downloaded package differs from what package-lock.json promises.\n' +
      'Run `npm cache clean --force` and try again; if it happens again, do not trust the registry.',
  },
  {
    when: /\b(EUSAGE)\b.*|package-lock\.json.* in sync/,
    say: () => 'package.json and package-lock.json disagree. Run `npm install` once, or restore both files from git.',
  },
]

/**
 * npm's failure in plain words, followed by the first of its own error lines. Warnings about engines are noise here (the
 * packages run on the pinned Node, not on the one that installs them), and stack traces are in npm's log.
 * @param {string} output everything npm printed
 * @returns {string}
 */
export function explainNpmFailure(output) {
  const lines = output.split('\n')
  const errors = lines.filter((line) => /^npm (error|ERR!) \S/.test(line))
  const pointer = errors.filter((line) => line.includes(' A complete log '))
  const telling = errors.filter((line) => !pointer.includes(line)).slice(0, 6)
  const shown = indent([...telling, ...pointer])
  // A full disk is sometimes mentioned in a warning only, so the rest is read when the errors say nothing we know.
  for (const text of [errors.join('\n'), output]) {
    for (const { when, say } of EXPLANATIONS) {
      const found = when.exec(text)
      if (found) return `Installing failed. ${say(found[0])}\n\n${shown}`.trimEnd()
    }
  }
  return `Installing failed, and npm said:\n\n${telling.length > 0 ? shown : indent(lines.slice(-15))}`
}

/** @param {string[]} lines */
const indent = (lines) => lines.map((line) => `  ${line}`).join('\n')
