import { failure } from '../../../kernel/failure.ts'
import type { Author } from '../../../kit/change-log/index.ts'
import { requireNoFaults } from '../../../kit/jsonapi/index.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { isUsable, loadConfiguration } from '../configurations/index.ts'
import type { RequestedRun } from './creation.ts'
import { createRun, type NewRun } from './creation-actions.ts'
import { addEvent } from './record-actions.ts'
import { listGivenVariables } from './record-store.ts'
import type { Run } from './run.ts'
import { options } from './run-fields.ts'
import { isFinal } from './run-words.ts'
import { openGiven } from './variable-actions.ts'

type RetryDeps = Parameters<typeof createRun>[0]

/** Who retries a run, with what rights. */
type Retry = Pick<NewRun, 'by' | 'grants' | 'workspace'> & { readonly comment: string | undefined }

/**
 * Creates a run like one that has ended: with its configuration, its options and the variables that it was given, and with
 * the variables of the workspace as they are now.
 */
export async function retryRun(deps: RetryDeps, author: Author, old: Run, retry: Retry): Promise<Run> {
  if (!isFinal(old.status)) {
    const detail = `Run ${old.id} cannot be retried while it is ${old.status}: transition not allowed.`
    throw failure('conflict', 'run.retry-refused', detail)
  }
  const version = await loadConfiguration(deps.db, old.configurationVersionId)
  if (!version || !isUsable(version)) {
    const detail = 'Run cannot be retried: the content of its configuration version is gone'
    requireNoFaults([{ detail, pointer: '/data', code: 'runs.configuration-gone' }])
  }
  const { requested, forgotten } = await requestOf(deps, old)
  const { comment, by, ...target } = retry
  const run = await createRun(deps, author, {
    ...target,
    by,
    configurationId: old.configurationVersionId,
    requested,
    source: 'retry',
    reason: 'retry',
    message: old.message,
    idempotencyKey: null,
    requireNoFaults,
  })
  await inTransaction(deps.db, async (tx) => {
    await addEvent(deps, tx, old, { action: 'retried', description: `Retried as ${run.id}.`, actor: by, comment })
    if (forgotten.length === 0) return
    const description = `Sensitive values that ${old.id} was given are not kept; the workspace decides ${forgotten.join(', ')}.`
    await addEvent(deps, tx, run, { action: 'variables_overridden', description, actor: null })
  })
  return run
}

/** What the old run was asked to do, and which of its variables are not kept. */
async function requestOf(
  deps: RetryDeps,
  old: Run,
): Promise<{ readonly requested: RequestedRun; readonly forgotten: readonly string[] }> {
  const given = await listGivenVariables(deps.db, [old.id])
  const { invokeActionAddrs, planOnly, autoApply, toolVersion } = old
  const sent = options.given(old)
  const requested: RequestedRun = {
    ...sent,
    invokeActionAddrs,
    planOnly,
    autoApply,
    variables: given.flatMap((variable) => {
      const { key, value } = openGiven(deps, variable)
      return value === null ? [] : { key, value }
    }),
    // Only a plan may use another version than the workspace.
    ...(planOnly ? { toolVersion } : {}),
  }
  return { requested, forgotten: given.filter(({ sensitive }) => sensitive).map(({ key }) => key) }
}
