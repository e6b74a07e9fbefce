import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The directory of the checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * The compile cache of programs, since most of the time of a start goes into stripping types: next to the packages,
 * where only those can write who could change the program itself. The launcher sets it for the programs that it starts;
 * programs started without the launcher set it themselves.
 */
export const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'holdfast')

/** Tells a server which process passes signals on to it. If that one is killed, the server ends by itself. */
export const LAUNCHER_VARIABLE = 'HOLDFAST_LAUNCHER_PID'
