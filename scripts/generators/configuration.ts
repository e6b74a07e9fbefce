import { renderConfigurationDocs } from '../../server/config/index.ts'
import type { Generated } from './generator.ts'

/** The page about settings, from their definitions. */
export async function generateConfigurationPage(): Promise<Generated> {
  return { 'docs/configuration.md': renderConfigurationDocs() }
}
