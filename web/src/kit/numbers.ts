const grouped = new Intl.NumberFormat('en')

/** 100,000, with a true minus. */
export const count = (value: number): string => grouped.format(value).replace('-', '−')

/** Bytes as B, kB, MB, GB with three digits. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1000
  let at = 0
  while (value >= 999.5 && at < units.length - 1) {
    value /= 1000
    at++
  }
  return `${Number(value.toPrecision(3))} ${units[at]}`
}

/** "1 workspace", "2 workspaces". */
export const counted = (value: number, one: string, several = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : several}`
