import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Fetches a snapshot from the first parameter, with the token in the second, into the file named by the third. */
const [url = '', token = '', file = ''] = process.argv.slice(2)

const answer = await fetch(url, { headers: { 'X-Service-Token': token } })
if (answer.status !== 200 || !answer.body) throw new Error(`The snapshot was answered with ${answer.status}.`)
await pipeline(Readable.fromWeb(answer.body), createWriteStream(file))
