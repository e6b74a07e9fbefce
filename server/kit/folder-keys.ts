/**
 * The entries directly in a folder: names, and folders below it with a slash. The folder ends in a slash, or is empty.
 */
export function folderKeys(paths: readonly string[], folder: string): string[] {
  const keys = new Set<string>()
  for (const path of paths) {
    if (!path.startsWith(folder)) continue
    const rest = path.slice(folder.length)
    const slash = rest.indexOf('/')
    keys.add(slash < 0 ? rest : rest.slice(0, slash + 1))
  }
  return [...keys].sort()
}

/** What follows everything in a folder, which ends in a slash: `0` comes after that. */
export const endOfFolder = (folder: string): string => `${folder.slice(0, -1)}0`
