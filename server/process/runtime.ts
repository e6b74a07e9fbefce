import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

/** Sets Node up for this program. Called before the rest of it is loaded. */
export function prepareRuntime(): void {
  // Most of the time to ready goes into stripping types, so the result is kept: beside the packages, where nobody can
  // write who could not change the program itself.
  enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'holdfast'))
  // What a request allocates is gone with its answer. V8 guesses from what it saw survive while the program warmed up
  // which objects live long, and puts their like into the old generation at once: a wrong guess makes every request dearer
  // until the next start (docs/decisions/0011).
  setFlagsFromString('--no-allocation-site-pretenuring')
}
