import { serverAuthor } from '../../server/kit/change-log/index.ts'
import type { Run } from '../../server/product/workspaces/runs/run.ts'
import { type Move, moveRun } from '../../server/product/workspaces/runs/run-actions.ts'
import { loadRun } from '../../server/product/workspaces/runs/run-store.ts'
import type { Trigger } from '../../server/product/workspaces/runs/run-words.ts'
import { archiveOf } from './archives.ts'
import type { Answer, Client } from './client.ts'
import { doc, mustBe, type Organization, workspaceIn } from './platform.ts'
import type { TestApp } from './test-app.ts'

/** Lets the server execute the runs of an organization. */
export async function enableRuns({ owner, name }: Organization): Promise<void> {
  const enabled = doc('organizations', { 'remote-execution-enabled': true })
  mustBe(await owner.patch(`/api/v2/organizations/${name}`, enabled), 200)
}

/** Sends an archive to a signed address, as command lines do. */
export const uploadArchive = (app: Pick<TestApp, 'anonymous'>, url: string, archive: Buffer): Promise<Answer> =>
  app.anonymous.send('PUT', new URL(url).pathname, undefined, {
    raw: archive,
    headers: { 'content-type': 'application/octet-stream' },
  })

/** A configuration version of a workspace, as it is after its content was uploaded. */
export async function uploadedConfiguration(
  app: Pick<TestApp, 'anonymous'>,
  caller: Client,
  workspaceId: string,
  attributes: object = {},
): Promise<string> {
  const path = `/api/v2/workspaces/${workspaceId}/configuration-versions`
  const sent = doc('configuration-versions', { 'auto-queue-runs': false, ...attributes })
  const { id, attributes: made } = mustBe(await caller.post(path, sent), 201).body.data
  mustBe(await uploadArchive(app, made['upload-url'], archiveOf()), 200)
  return id
}

/** A workspace whose runs have something to plan. */
export async function runnableWorkspace(
  app: Pick<TestApp, 'anonymous'>,
  of: Organization,
  attributes: object = {},
): Promise<string> {
  const id = await workspaceIn(of, attributes)
  await uploadedConfiguration(app, of.owner, id)
  return id
}

/** The document that creates a run. */
export const newRun = (workspaceId: string, attributes: object = {}, configurationId?: string): object =>
  doc('runs', attributes, {
    workspace: { data: { type: 'workspaces', id: workspaceId } },
    ...(configurationId
      ? { 'configuration-version': { data: { type: 'configuration-versions', id: configurationId } } }
      : {}),
  })

/** Creates a run; returns its document. */
export const createRun = async (
  caller: Client,
  workspaceId: string,
  attributes: object = {},
): Promise<Answer['body']> => mustBe(await caller.post('/api/v2/runs', newRun(workspaceId, attributes)), 201).body.data

/** Does to a run what its runner would. */
export async function executed(deps: TestApp['deps'], id: string, trigger: Trigger, move: Move = {}): Promise<Run> {
  const run = await loadRun(deps.db, id)
  if (!run) throw new Error(`There is no run ${id}`)
  return await moveRun(deps, serverAuthor, { run }, trigger, { runner: 'runner', ...move })
}
