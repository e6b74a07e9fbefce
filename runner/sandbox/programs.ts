import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The first program of this name in the folders of a PATH. */
export async function programOnPath(
  name: string,
  path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name)
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (folder !== '' && isThere) return file
  }
  return undefined
}
