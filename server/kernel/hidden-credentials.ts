const hidden = '[redacted]'

/** Whoever sends back what was read may have it encoded on the way. */
const hiddenMarks = /\[redacted\]|%5Bredacted%5D/gi

/** Parameters whose values are credentials, by their usual names; quotes are how databases write such values. */
const secretParameters =
  /((?:^|[?&;\s])(?:[\w-]*(?:token|secret|signature|password|passwd|credential|api[_-]?key)[\w-]*|sig|pwd)\s*=\s*)(?:'(?:[^'\\]|\\.)*'|[^&;#\s]*)/gi

/** An address as it may be shown, however it is written: passwords and secret parameters are replaced. */
export const shownAddress = (address: string): string => withoutLogin(address).replace(secretParameters, `$1${hidden}`)

function withoutLogin(address: string): string {
  // The parser of web addresses ignores these.
  const web = /^\s*https?:/i.test(address) ? address.replace(/[\t\n\r]/g, '') : ''
  if (URL.canParse(web)) {
    return web.replace(/^(\s*https?:[\\/]*)([^\\/?#]*)@/i, (_all, scheme, login) => `${scheme}${shownLogin(login)}@`)
  }
  // Nothing tells where the host ends: a password may hold any sign.
  return address.replace(/^((?:[^/]*\/\/|(?!.*\/\/))[^:/?#@]*):.*@/s, `$1:${hidden}@`)
}

/** A user without a password is often a token. */
function shownLogin(login: string): string {
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(login) ?? []
  return password === '' ? hidden : `${user}:${hidden}`
}

/** A text with every address in it as it may be shown. */
export const withoutCredentials = (text: string): string =>
  text.includes('://') ? text.replace(/[a-z][a-z\d+.-]*:\/\/\S*/gi, shownAddress) : text

/** An address that was sent; for one as it is shown, the stored address that it stands for, or undefined. */
export function sentAddress(sent: string, stored: readonly string[]): string | undefined {
  if (sent.search(hiddenMarks) === -1) return sent
  const shown = sent.replace(hiddenMarks, hidden)
  return stored.find((address) => shownAddress(address) === shown)
}
