import type { Fault } from '../../../../../kernel/failure.ts'
import type { WorkspaceSettings } from '../../workspace-rules.ts'
import { type AskedSettings, faultAt } from '../asked-rules.ts'

type Triggers = Pick<WorkspaceSettings, 'fileTriggersEnabled' | 'triggerPrefixes' | 'triggerPatterns'>
type Asked = Pick<AskedSettings, 'fileTriggersEnabled' | 'triggerPrefixes' | 'triggerPatterns'>

/** Which changes of a repository start runs, after a request. Patterns and prefixes replace each other. */
export function settleTriggers(
  asked: Asked,
  before: Triggers,
  tags: { readonly regex: string | null; readonly given: boolean },
): { readonly triggers: Triggers; readonly faults: readonly Fault[] } {
  const prefixes = asked.triggerPrefixes === null ? [] : asked.triggerPrefixes
  const patterns = asked.triggerPatterns === null ? [] : asked.triggerPatterns
  const faults: Fault[] = []
  if (prefixes?.length && patterns?.length) {
    faults.push(faultAt('trigger-patterns', 'Trigger patterns cannot be combined with trigger-prefixes'))
  }
  const offByTags = tags.given && tags.regex !== null && asked.fileTriggersEnabled === undefined
  const triggers: Triggers = {
    fileTriggersEnabled: asked.fileTriggersEnabled ?? (offByTags ? false : before.fileTriggersEnabled),
    triggerPrefixes: patterns?.length ? [] : unique(prefixes ?? before.triggerPrefixes),
    triggerPatterns: prefixes?.length ? [] : unique(patterns ?? before.triggerPatterns),
  }
  const clash = triggers.fileTriggersEnabled || prefixes?.length || patterns?.length || hasLists(triggers)
  if (tags.regex !== null && clash) faults.push(clashWithTags)
  return { triggers, faults }
}

const clashWithTags = faultAt(
  'vcs-repo/tags-regex',
  'Tags regex cannot be combined with trigger-patterns, trigger-prefixes or file-triggers-enabled',
)

const hasLists = (triggers: Triggers): boolean =>
  triggers.triggerPrefixes.length > 0 || triggers.triggerPatterns.length > 0

const unique = (entries: readonly string[]): readonly string[] => [...new Set(entries)]
