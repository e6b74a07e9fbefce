import { buildUi } from '../../scripts/setup/ui.mjs'
import { chromiumPath } from './chromium-path.ts'

/** The pages that browsers are shown, built once for all tests. */
export async function setup(): Promise<void> {
  if (chromiumPath) await buildUi(process.execPath)
}
