import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** `HOLDFAST_CHROMIUM`, a browser on the PATH, or one that Playwright has downloaded; undefined if there is none. */
export const chromiumPath: string | undefined = process.env.HOLDFAST_CHROMIUM || findChromium()

function findChromium(): string | undefined {
  const downloads = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), '.cache', 'ms-playwright')
  const builds = existsSync(downloads) ? readdirSync(downloads).filter((name) => name.startsWith('chromium')) : []
  const inBuild = ['chrome-linux/chrome', 'chrome-linux64/chrome', 'chrome-linux/headless_shell']
  const onPath = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe']
  return [
    ...onPath.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ...builds.flatMap((build) => inBuild.map((file) => join(downloads, build, file))),
  ].find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** What a browser needs where no display and perhaps no sandbox is. */
export const chromiumArgs: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
