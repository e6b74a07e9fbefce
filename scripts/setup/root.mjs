import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The directory of the checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * Where programs keep what Node compiled of them, because most of the time of a start goes into stripping types: beside the
 * packages, where nobody can write who could not change the program itself. The launcher names it for those that it
 * starts; programs that are started without it name it themselves.
 */
export const COMPILED = join(ROOT, 'node_modules', '.cache', 'holdfast')
