import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Clients that the compatibility tests use, by the name of their program. */
export const COMPAT_CLIENTS = ['tofu', 'terraform', 'bao', 'vault']

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const CHROMIUM_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * The full path of a program, if the PATH leads to it.
 * @param {string} name
 * @returns {string | undefined}
 */
export function findProgram(name) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : ['']
  const directories = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return directories
    .flatMap((directory) => endings.map((ending) => join(directory, name + ending)))
    .find((file) => isExecutable(file))
}

/**
 * A browser for the browser tests: `HOLDFAST_CHROMIUM`, one on the PATH, or one Playwright downloaded.
 * @returns {string | undefined}
 */
export function findChromium() {
  const named = process.env.HOLDFAST_CHROMIUM
  if (named) return named
  const installed = CHROMIUM_NAMES.map(findProgram).find((file) => file !== undefined)
  return installed ?? [...CHROMIUM_PLACES, ...playwrightBrowsers()].find(isExecutable)
}

function playwrightBrowsers() {
  const directory = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), '.cache', 'ms-playwright')
  if (!existsSync(directory)) return []
  const folders = readdirSync(directory).filter((name) => name.startsWith('chromium'))
  return folders.flatMap((name) =>
    ['chrome-linux/chrome', 'chrome-linux64/chrome', 'chrome-linux/headless_shell'].map((file) =>
      join(directory, name, file),
    ),
  )
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false // absent and not executable are the same here
  }
}
