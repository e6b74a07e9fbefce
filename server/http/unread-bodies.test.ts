import { expect, onTestFinished, test } from 'vitest'
import { openRaw, type RawConnection } from '../../test/support/raw-connection.ts'
import { sharedApp } from '../../test/support/shared.ts'

const app = sharedApp()

async function open(): Promise<RawConnection> {
  const connection = await openRaw(Number(new URL(app.url).port))
  onTestFinished(() => connection.close())
  return connection
}

const head = (verb: string, path: string, length: number): string =>
  `${verb} ${path} HTTP/1.1\r\nHost: x\r\nX-Service-Token: ${app.rootToken}\r\nContent-Length: ${length}\r\n\r\n`

test.each([
  ['LIST', '/v1/sys/policies/acl', 200],
  ['DELETE', '/v1/sys/policies/acl/none', 204],
])('a small unread body keeps the connection open, even if it arrives late: %s', async (verb, path, status) => {
  const connection = await open()
  for (let turn = 0; turn < 3; turn++) {
    connection.write(head(verb, path, 2))
    expect(await connection.next()).toMatchObject({ status, headers: { connection: 'keep-alive' } })
    connection.write('{}')
  }
})

test('Content-Length: 0 keeps the connection open', async () => {
  const connection = await open()
  for (let turn = 0; turn < 3; turn++) {
    connection.write(head('GET', '/v1/sys/seal-status', 0))
    expect(await connection.next()).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } })
  }
})

test('a long unread body closes the connection after the answer', async () => {
  const connection = await open()
  connection.write(head('LIST', '/v1/sys/policies/acl', 100_000))
  expect(await connection.next()).toMatchObject({ status: 200, headers: { connection: 'close' } })
  await connection.closed()
})
