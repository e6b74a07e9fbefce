import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers } from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import {
  connectionCalls,
  connectionDocument,
  connectionTokenOf,
  providerToken,
} from '../../../../test/support/vcs-connections.ts'
import { pause } from '../../../kernel/pause.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { deleteToken } from './vcs-client-store.ts'

type Change = { readonly attributes: Readonly<Record<'action' | 'before' | 'after', unknown>> }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(() => organization(ann, 'acme'))
  const { create, linked } = connectionCalls(ann, org)

  test('oauth-tokens: service-provider-user is an empty string, as the provider is not asked', async () => {
    const token = mustBe(await ann.get(`/api/v2/oauth-tokens/${connectionTokenOf((await create()).body.data)}`), 200)
      .body.data
    expect(token.attributes).toMatchObject({ 'has-ssh-key': false, 'service-provider-user': '' })
  })

  test('oauth-tokens: an SSH key for a token that is being deleted is 404', async () => {
    const id = connectionTokenOf((await create()).body.data)
    const key = '-----BEGIN PRIVATE KEY-----\nMC4\n-----END PRIVATE KEY-----\n'
    // In an object, so that the transaction ends before the answer comes.
    const { sent } = await inTransaction(app.deps.db, async (tx) => {
      await deleteToken(tx, id)
      const patched = ann.patch(`/api/v2/oauth-tokens/${id}`, doc('oauth-tokens', { 'ssh-key': key }))
      await pause(300, new AbortController().signal)
      return { sent: patched }
    })
    mustBe(await sent, 404)
  })

  test('oauth-tokens: an SSH key can be set, is never returned and is stored encrypted', async () => {
    const client = (await create()).body.data
    const other = `/api/v2/oauth-tokens/${connectionTokenOf((await create()).body.data)}`
    const at = `/api/v2/oauth-tokens/${connectionTokenOf(client)}`
    const armoured = (text: string) =>
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${text}\n-----END OPENSSH PRIVATE KEY-----\n`
    for (const key of [armoured(providerToken), armoured(`${providerToken}-2`)]) {
      const changed = mustBe(await ann.patch(at, doc('oauth-tokens', { 'ssh-key': key })), 200)
      expect([changed.body.data.attributes['has-ssh-key'], changed.text.includes(providerToken)]).toEqual([true, false])
    }
    const held = mustBe(await ann.get(at), 200).body.data
    expect(held.attributes['has-ssh-key']).toBe(true)
    expect(mustBe(await ann.patch(at, doc('oauth-tokens')), 200).body.data).toEqual(held)
    mustBe(await ann.patch(at, { data: { type: 'oauth-tokens', id: 'ot-1111111111111111', attributes: {} } }), 409)
    expect(mustBe(await ann.get(other), 200).body.data.attributes['has-ssh-key']).toBe(false)
    for (const text of [providerToken, `see: ${armoured(providerToken)}`, `${armoured(providerToken)}see above`]) {
      const wrong = mustBe(await ann.patch(at, doc('oauth-tokens', { 'ssh-key': text })), 422)
      expect([pointers(wrong), wrong.body.errors[0].detail]).toEqual([
        ['/data/attributes/ssh-key'],
        expect.stringContaining('Ssh key is invalid'),
      ])
    }
    const row = await app.deps.db
      .selectFrom('oauth_ssh_keys')
      .selectAll()
      .where('oauth_token_id', '=', connectionTokenOf(client))
      .executeTakeFirstOrThrow()
    const place = { table: 'oauth_ssh_keys', column: 'value', row: row.oauth_token_id }
    expect(app.deps.keyring.openText(row.value, place)).toBe(armoured(`${providerToken}-2`))
  })

  test('oauth-tokens: deleting one clears vcs-repo, and the client then refuses oauth-token-string (422)', async () => {
    const client = (await create()).body.data
    const workspace = await linked(connectionTokenOf(client))
    mustBe(await ann.delete(`/api/v2/oauth-tokens/${connectionTokenOf(client)}`), 204)
    expect((await ann.get(`/api/v2/workspaces/${workspace.id}`)).body.data.attributes['vcs-repo']).toBe(null)
    const at = `/api/v2/oauth-clients/${client.id}`
    expect((await ann.get(at)).body.data.relationships['oauth-tokens'].data).toEqual([])
    expect((await ann.patch(at, doc('oauth-clients', { 'oauth-token-string': 'x' }))).status).toBe(422)
  })

  test('oauth lists: those of the organization, the oldest first, page by page', async () => {
    const made: { readonly id: string; readonly token: string }[] = []
    const home = await organization(ann, 'paged')
    for (const of of [home, await organization(ann, 'beside'), home, home]) {
      const { data } = mustBe(
        await ann.post(`/api/v2/organizations/${of.name}/oauth-clients`, connectionDocument()),
        201,
      ).body
      if (of === home) made.push({ id: data.id, token: connectionTokenOf(data) })
      app.clock.advance('1s')
    }
    const page = async (kind: string, number: number) => {
      const at = `/api/v2/organizations/paged/${kind}?page[size]=2&page[number]=${number}`
      const { data, meta } = mustBe(await ann.get(at), 200).body
      return [...data.map((each: { id: string }) => each.id), meta.pagination['total-count']]
    }
    const [first, second, third] = made
    expect([await page('oauth-clients', 1), await page('oauth-clients', 2)]).toEqual([
      [first?.id, second?.id, 3],
      [third?.id, 3],
    ])
    expect([await page('oauth-tokens', 1), await page('oauth-tokens', 2)]).toEqual([
      [first?.token, second?.token, 3],
      [third?.token, 3],
    ])
  })

  test('oauth-clients, oauth-tokens: the change log has every change and the unlinked workspaces', async () => {
    const client = (await create({ name: 'logged' })).body.data
    const at = `/api/v2/oauth-clients/${client.id}`
    const token = `/api/v2/oauth-tokens/${connectionTokenOf(client)}`
    const workspace = await linked(connectionTokenOf(client))
    mustBe(
      await ann.patch(at, doc('oauth-clients', { name: 'renamed', 'oauth-token-string': `${providerToken}-2` })),
      200,
    )
    const key = '-----BEGIN PRIVATE KEY-----\nMC4\n-----END PRIVATE KEY-----\n'
    mustBe(await ann.patch(token, doc('oauth-tokens', { 'ssh-key': key })), 200)
    mustBe(await ann.delete(token), 204)
    mustBe(await ann.delete(at), 204)
    const told = async (id: string) => {
      const about = `/api/v2/organizations/${org.name}/changes?filter[subject][id]=${id}`
      const { data } = mustBe(await ann.get(about), 200).body
      return data.reverse().map(({ attributes: { action, before, after } }: Change) => [action, before, after])
    }
    const urls = { 'http-url': 'https://git.example.com', 'api-url': 'https://git.example.com/api' }
    const settings = { 'service-provider': 'github', ...urls, key: null, 'rsa-public-key': null }
    expect(await told(client.id)).toEqual([
      ['create', null, { name: 'logged', ...settings }],
      ['update', { name: 'logged' }, { name: 'renamed' }],
      ['delete', { name: 'renamed', ...settings, 'unlinked-workspaces': [] }, null],
    ])
    expect(await told(connectionTokenOf(client))).toEqual([
      ['replace', null, null],
      ['set-ssh-key', null, null],
      ['delete', { 'oauth-client': client.id, 'unlinked-workspaces': [workspace.id] }, null],
    ])
  })
})
