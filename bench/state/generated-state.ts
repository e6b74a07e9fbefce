import { createHash, type Hash, randomBytes } from 'node:crypto'

/** Serials of equal length, so that one can be overwritten by another. */
const firstSerial = 1_000_000_000

/** A state file that is different each time it is requested, so that none is already stored. */
export class GeneratedState {
  readonly bytes: Buffer
  readonly #beginning: Hash
  readonly #changes: number
  #serial = firstSerial

  /** A state of about this size; like real ones it is mostly repetitive. */
  constructor(size: number) {
    const resources: object[] = []
    for (let made = 0; made < size; made += 590) resources.push(resourceOf(resources.length))
    const state = { version: 4, lineage: 'bench', outputs: {}, resources, serial: firstSerial }
    this.bytes = Buffer.from(JSON.stringify(state))
    this.#changes = this.bytes.lastIndexOf(String(firstSerial))
    this.#beginning = createHash('md5').update(this.bytes.subarray(0, this.#changes))
  }

  /** Changes it; returns what is announced about it, which costs next to nothing since only the end has changed. */
  next(): { serial: number; md5: string } {
    this.#serial += 1
    this.bytes.write(String(this.#serial), this.#changes, 'latin1')
    const md5 = this.#beginning.copy().update(this.bytes.subarray(this.#changes)).digest('hex')
    return { serial: this.#serial, md5 }
  }
}

function resourceOf(number: number): object {
  const attributes = {
    id: randomBytes(32).toString('hex'),
    tags: { area: 'network', owner: 'team' },
    text: 'x'.repeat(300),
  }
  return {
    mode: 'managed',
    type: 'null_resource',
    name: `r${number}`,
    provider: 'provider["x/y/z"]',
    instances: [{ schema_version: 0, attributes, sensitive_attributes: [] }],
  }
}
