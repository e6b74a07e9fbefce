import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { saveSnapshot, sendSnapshot } from '../../../../test/support/snapshot-calls.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'
import { restoreArchive } from '../../../archive/index.ts'

// Each archive is read and restored by threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** A snapshot of another server with a secret of its root token, and the key that opens it. */
async function foreignSnapshot(...options: Parameters<typeof ownApp>) {
  const source = await ownApp(...options)
  await source.root.post('/v1/cubbyhole/secret', { value: 'foreign' })
  const key = (await readFile(join(source.deps.settings.dataDir, 'seal.key'), 'utf8')).trim()
  return { token: source.rootToken, key, archive: await saveSnapshot(source) }
}

type ForeignSnapshot = Awaited<ReturnType<typeof foreignSnapshot>>

async function force(app: TestApp, { archive, key }: ForeignSnapshot) {
  const headers = { 'X-Holdfast-Seal-Key': key }
  const { status, body } = await sendSnapshot(app, archive, { at: '-force', headers })
  return { status, errors: body.errors }
}

const readSecret = async (app: TestApp, token: string) => {
  const { status, body } = await app.root.as(token).get('/v1/cubbyhole/secret')
  return [status, body.data?.value]
}

const refusal =
  'Another restore finished, or the key shares were renewed, at the same time. This restore changed nothing.'

eachEngine((engine) => {
  test('restore: one that another node overtook is refused, and the store opens with the keys it has then', async () => {
    const here = await ownApp({ engine })
    const there = await ownApp({ beside: here })
    const foreign = await foreignSnapshot({ engine })
    const own = await saveSnapshot(here)
    const overtake = async () => void expect(await force(there, foreign)).toMatchObject({ status: 200 })
    const overtaken = restoreArchive(here.deps, Readable.from([own]), { prepare: overtake })
    await expect(overtaken).rejects.toMatchObject({
      kind: 'conflict',
      code: 'archive.restored-meanwhile',
      message: refusal,
    })
    for (const node of [here, there]) expect(await readSecret(node, foreign.token)).toEqual([200, 'foreign'])
    const later = await ownApp({ beside: here })
    expect(await readSecret(later, foreign.token)).toEqual([200, 'foreign'])
    expect(await readdir(join(here.deps.settings.dataDir, 'spool'))).toEqual([])
  })

  test('restore: of two at once on two nodes one is refused, and both nodes have the keys of the other', async () => {
    const here = await ownApp({ engine })
    const there = await ownApp({ beside: here })
    const [one, other] = [await foreignSnapshot({ engine }), await foreignSnapshot({ engine })]
    const answers = await Promise.all([force(here, one), force(there, other)])
    const [winner] = answers.flatMap(({ status }, index) => (status === 200 ? [index === 0 ? one : other] : []))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([{ status: 400, errors: [refusal] }])
    for (const node of [here, there]) expect(await readSecret(node, winner?.token ?? '')).toEqual([200, 'foreign'])
  })
})
