import { ROOT } from '../../scripts/setup/root.mjs'
import type { LocalPlaces } from '../kernel/local-places.ts'
import type { Settings } from './app-settings.ts'

/** The settings that decide where files may lie. */
export type PlaceSettings = Pick<Settings, 'mode' | 'dataDir' | 'localPaths'>

/** Where a server with these settings may write files that callers name. */
export const localPlaces = ({ mode, dataDir, localPaths }: PlaceSettings): LocalPlaces => ({
  mode,
  dataDir,
  allowedRoots: localPaths,
  programDir: ROOT,
})
