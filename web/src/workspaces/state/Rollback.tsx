import { useState } from 'react'
import { useAnswer, useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { IconHistory } from '../../kit/icons.ts'
import { count } from '../../kit/numbers.ts'
import { useToasts } from '../../kit/Toasts.tsx'
import { lockOf } from '../lock/lock.ts'
import { useWorkspace } from '../workspace.tsx'
import { rollbackTarget, type Version } from './versions.ts'

/** The newest version of the state, which a rollback replaces. */
function useNewest(): Version | undefined {
  const { organization, name } = useWorkspace()
  const query = { 'filter[organization][name]': organization, 'filter[workspace][name]': name, 'page[size]': 1 }
  return useAnswer('state-versions.list', { params: { query } }).data?.data[0]
}

/** Makes an older version the newest one again, under the lock. */
export function Rollback({ before, version }: { before: Version | undefined; version: Version }) {
  const workspace = useWorkspace()
  const newest = useNewest()
  const lock = lockOf(workspace, useSession().user_id)
  const { isBusy, rollBack } = useRollback(lock?.isMine ?? false)
  const target = rollbackTarget(before, version, newest?.id)
  if (!newest || !target) return null
  const reason =
    workspace.reasonNot('can-create-state-versions') ??
    (lock && !lock.isMine
      ? `${lock.holder} holds the lock of ${workspace.name}. Ask for it to be released.`
      : undefined) ??
    (lock ? undefined : workspace.reasonNot('can-lock'))
  return (
    <Button small reason={reason} busy={isBusy} onClick={() => rollBack(target, newest)}>
      <IconHistory size={15} stroke={1.6} aria-hidden="true" />
      Roll back to {target.attributes.serial}…
    </Button>
  )
}

function useRollback(isMine: boolean) {
  const { id, name } = useWorkspace()
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const [isBusy, setBusy] = useState(false)
  const path = { workspaceId: id }

  const write = async (target: Version, newest: Version) => {
    const relationships = {
      'rollback-state-version': { data: { type: 'state-versions' as const, id: target.id } },
      'newest-state-version': { data: { type: 'state-versions' as const, id: newest.id } },
    }
    await call('state-versions.rollback', {
      params: { path },
      body: { data: { type: 'state-versions', relationships } },
    })
  }
  const underLock = async (target: Version, newest: Version) => {
    if (isMine) return await write(target, newest)
    await call('workspaces.lock', {
      params: { path },
      body: { reason: `Roll back to serial ${target.attributes.serial}` },
    })
    try {
      await write(target, newest)
    } finally {
      await call('workspaces.unlock', { params: { path } })
    }
  }
  const rollBack = async (target: Version, newest: Version) => {
    setBusy(true)
    const { serial } = target.attributes
    try {
      const question = { title: `Roll back to serial ${serial}?`, action: `Roll back to ${serial}`, destroys: false }
      const { yes } = await confirm({ ...question, text: await effectOf(target, newest, isMine) })
      if (!yes) return
      await underLock(target, newest)
      say.done(
        `${name} is rolled back to serial ${serial}`,
        isMine ? { text: 'It becomes current when you unlock.' } : {},
      )
    } catch (error) {
      say.failed(`${name} was not rolled back`, error)
    } finally {
      await refresh(['workspaces', 'state-versions', 'workspace-changes', 'workspace-resources'])
      setBusy(false)
    }
  }
  return { isBusy, rollBack }
}

/** What a rollback does to the state, in numbers. */
async function effectOf(target: Version, newest: Version, isMine: boolean): Promise<string> {
  const params = { path: { stateVersionId: target.id }, query: { since: newest.id } }
  const { resources = [], outputs = [], status } = (await call('state-versions.compare', { params })).data.attributes
  const number = (kind: string) => resources.filter((change) => change.kind === kind).length
  const parts = [
    number('added') > 0 && `${count(number('added'))} resources back`,
    number('changed') > 0 && `${count(number('changed'))} resources changed`,
    number('removed') > 0 && `${count(number('removed'))} resources no longer managed`,
    outputs.length > 0 && `${count(outputs.length)} outputs changed`,
  ].filter(Boolean)
  const effect = status === 'compared' ? parts.join(', ') || 'nothing differs' : 'what differs is not known'
  const when = isMine ? 'when you unlock' : 'at once; the lock is taken meanwhile'
  return `A copy of serial ${target.attributes.serial} becomes the current state ${when}. Compared with serial ${newest.attributes.serial}: ${effect}. The real resources stay as they are, and all versions are kept.`
}
