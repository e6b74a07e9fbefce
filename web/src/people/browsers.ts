// Of those that say they are several, the first counts: nearly all say that they are Chrome or Safari, too.
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['HeadlessChrome', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** A browser in words that its owner knows it by; what is unknown is shown as it came. */
export function browserName(userAgent: string): string {
  const browser = browsers.find(([mark]) => userAgent.includes(`${mark}/`))?.[1]
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1]
  if (browser === undefined) return userAgent.slice(0, 60) || 'An unknown browser'
  return system === undefined ? browser : `${browser} on ${system}`
}
