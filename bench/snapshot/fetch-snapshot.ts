import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** What is fetched, and the file it goes to. */
export type FetchTask = { url: string; token: string; file: string }

/** Fetches a snapshot each time the process that forked this one asks for it. */
process.on('message', async ({ url, token, file }: FetchTask) => {
  const [answer] = (await once(get(url, { headers: { 'X-Service-Token': token } }), 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`The snapshot was answered with ${answer.statusCode}.`)
  await pipeline(answer, createWriteStream(file))
  process.send?.('fetched')
})
process.on('disconnect', () => process.exit(0))
