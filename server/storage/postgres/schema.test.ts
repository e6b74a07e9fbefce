import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, postgresUrl, testEngines } from '../../../test/support/databases.ts'
import { clientConfig } from './connection.ts'
import { beginSession, requireSchema } from './schema.ts'

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(clientConfig(url, {}))
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

describe.runIf(testEngines.includes('postgres'))('schema', () => {
  test('work on tables is refused in another schema than the one it is for', async () => {
    const client = await connected(postgresUrl())
    expect(await requireSchema(client, 'public')).toBe('public')
    expect(await requireSchema(client, undefined)).toBe('public')
    await expect(requireSchema(client, 'public_scratch_1')).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'storage.other-schema',
      message: expect.stringContaining("works in the schema 'public', not in 'public_scratch_1' as it was told"),
    })
    await client.query('set search_path to nowhere')
    await expect(requireSchema(client, undefined)).rejects.toMatchObject({ code: 'storage.other-schema' })
  })

  test('a session whose schema does not exist is refused', async () => {
    const client = await connected(postgresUrl())
    const begun = beginSession(client, postgresUrl(), { schema: 'no "such" one', durable: true })
    await expect(begun).rejects.toMatchObject({ code: 'storage.other-schema' })
  })

  test('a search_path of the address is set by a statement, unless the store has a schema of its own', async () => {
    const { options, remove } = await emptyDatabase('postgres')
    onTestFinished(remove)
    const url = `${options.url}?options=${encodeURIComponent(`-c search_path=nowhere,\\ ${options.schema} -c work_mem=5MB`)}`
    const client = await connected(url)
    const found = async () =>
      (await client.query("select current_schema() as schema, current_setting('work_mem') as memory")).rows
    await beginSession(client, url, { schema: undefined, durable: true })
    expect(await found()).toEqual([{ schema: options.schema, memory: '5MB' }])
    await beginSession(client, url, { schema: 'public', durable: true })
    expect(await found()).toEqual([{ schema: 'public', memory: '5MB' }])
  })
})
