import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { eachEngine, postgresUrl } from '../../../test/support/databases.ts'
import { CopyOut } from './postgres-copy.ts'
import { TupleEncoder } from './tuples.ts'

eachEngine((engine) => {
  const connected = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: postgresUrl() })
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }

  test.runIf(engine === 'postgres')('copy: a slow reader gets every byte as it was sent', async () => {
    const client = await connected()
    const encoder = new TupleEncoder([{ name: 'text', type: 'text' }])
    const rows = 'select n || repeat(chr(97 + n % 26), 1 + n % 3000) from generate_series(1, 20000) n'
    const taken: Buffer[] = []
    for await (const piece of CopyOut.start(client, `copy (${rows}) to stdout (format binary)`)) {
      // Data that arrives meanwhile must not overwrite the piece that was handed out.
      for (let turns = 0; turns < 5; turns++) await turn()
      taken.push(Buffer.from(piece))
    }
    const expected = Array.from({ length: 20_000 }, (_none, index) => {
      const n = index + 1
      encoder.add([`${n}${String.fromCharCode(97 + (n % 26)).repeat(1 + (n % 3000))}`])
      return Buffer.from(encoder.take() ?? [])
    })
    expect(Buffer.concat(taken).equals(Buffer.concat(expected))).toBe(true)
  })

  test.runIf(engine === 'postgres')('copy: a query without rows yields nothing', async () => {
    const client = await connected()
    const taken: Buffer[] = []
    for await (const piece of CopyOut.start(client, 'copy (select 1 where false) to stdout (format binary)'))
      taken.push(piece)
    expect(taken).toEqual([])
  })

  test.runIf(engine === 'postgres')(
    'copy: an error in the middle is thrown to the reader, and the connection stays usable',
    async () => {
      const client = await connected()
      const read = async () => {
        for await (const _piece of CopyOut.start(
          client,
          'copy (select 1 / (5 - n) from generate_series(1, 9) n) to stdout (format binary)',
        ));
      }
      await expect(read()).rejects.toThrow('division by zero')
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    },
  )
})
