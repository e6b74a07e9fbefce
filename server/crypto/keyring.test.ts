import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { type Instant, instant } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { randomIds } from '../kernel/ids.ts'
import { secret } from '../kernel/secret.ts'
import { asSealed, Keyring, rewrapKeyring, sealsPerTerm } from './keyring.ts'
import { newRing, wrapRing } from './ring.ts'
import { handOver, lendRootKey, takeOver } from './root-keys/handed-over.ts'

let now: Instant
const deps = { ids: randomIds, clock: { now: () => now } }
const rootKey = secret(randomIds.bytes(32))
const place = { table: 'variables', column: 'value', row: 'var-1' }
const noStore = async (): Promise<void> => undefined

beforeEach(() => {
  now = instant(1_700_000_000_000)
})

async function unsealed(): Promise<{ keyring: Keyring; stored: () => Buffer; save: (bytes: Buffer) => Promise<void> }> {
  const keyring = Keyring.create(deps, rootKey)
  let wrapped = keyring.serialize()
  const save = async (bytes: Buffer) => {
    wrapped = bytes
  }
  return { keyring, stored: () => wrapped, save }
}

const codeOf = (act: () => unknown): string => {
  try {
    act()
  } catch (thrown) {
    return thrown instanceof Failure ? thrown.code : String(thrown)
  }
  return 'no failure'
}

test('keyring: sealed text and bytes open again, and sealing twice gives different bytes', async () => {
  const { keyring } = await unsealed()
  expect(keyring.openText(keyring.seal('pässwort', place), place)).toBe('pässwort')
  expect(keyring.open(keyring.seal(Buffer.alloc(0), place), place)).toEqual(Buffer.alloc(0))
  expect(keyring.seal('x', place)).not.toEqual(keyring.seal('x', place))
})

test('keyring: plain Uint8Arrays, as SQLite returns them, open too', async () => {
  const { keyring } = await unsealed()
  const fromStore = new Uint8Array(keyring.seal('x', place))
  expect(keyring.openText(asSealed(fromStore), place)).toBe('x')
})

test.each([
  ['another table', { ...place, table: 'ssh_keys' }],
  ['another column', { ...place, column: 'name' }],
  ['another row', { ...place, row: 'var-2' }],
  ['a shifted boundary between table and column', { table: 'variable', column: 'svalue', row: 'var-1' }],
])('keyring: a value moved to %s does not open', async (_name, elsewhere) => {
  const { keyring } = await unsealed()
  expect(codeOf(() => keyring.open(keyring.seal('secret', place), elsewhere))).toBe('keyring.damaged-value')
})

test('keyring: a sealed value with any bit flipped or cut short does not open', async () => {
  const { keyring } = await unsealed()
  const sealed = keyring.seal('a secret of some length', place)
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(codeOf(() => keyring.open(changed, place))).toMatch(/^keyring\.(damaged-value|unknown-term)$/)
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(codeOf(() => keyring.open(sealed.subarray(0, length), place))).toBe('keyring.damaged-value')
  }
})

test('keyring: random bytes sealed for random places open again', async () => {
  const { keyring } = await unsealed()
  const anyPlace = fc.record({ table: fc.string(), column: fc.string(), row: fc.string() })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), anyPlace, (bytes, where) => {
      expect(keyring.open(keyring.seal(bytes, where), where)).toEqual(Buffer.from(bytes))
    }),
  )
})

test('keyring: goes from uninitialised over sealed to unsealed, and back', () => {
  const keyring = new Keyring(deps)
  expect(keyring.state).toBe('uninitialised')
  keyring.markInitialised()
  expect(keyring.state).toBe('sealed')
  keyring.unlock(Keyring.create(deps, rootKey).serialize(), rootKey)
  expect(keyring.state).toBe('unsealed')
  keyring.lock()
  expect(keyring.state).toBe('sealed')
})

test('keyring: two new keyrings have different ids and keys', () => {
  const [one, other] = [Keyring.create(deps, rootKey), Keyring.create(deps, rootKey)]
  expect(one.id).not.toBe(other.id)
  expect(one.keyedHash('p', 'x')).not.toBe(other.keyedHash('p', 'x'))
})

test('keyring: while sealed, every call throws seal.sealed', async () => {
  const { keyring, stored } = await unsealed()
  const sealed = keyring.seal('x', place)
  keyring.lock()
  const calls = [
    () => keyring.seal('x', place),
    () => keyring.open(sealed, place),
    () => keyring.openText(sealed, place),
    () => keyring.keyedHash('token', 'x'),
    () => keyring.derive('x', 32),
    () => keyring.term,
    () => keyring.id,
    () => keyring.usage(),
    () => keyring.rotationDue,
    () => keyring.serialize(),
    () => keyring.rootKey(),
    () => keyring.reload(stored()),
  ]
  for (const call of calls) expect(call).toThrow(expect.objectContaining({ kind: 'sealed', code: 'seal.sealed' }))
  await expect(keyring.rotate(noStore)).rejects.toMatchObject({ code: 'seal.sealed' })
  await expect(keyring.sealStream([Buffer.from('x')], place).next()).rejects.toMatchObject({ code: 'seal.sealed' })
})

test('keyring: serialised and opened again, it opens old values and gives the same hashes', async () => {
  const { keyring, stored } = await unsealed()
  const sealed = keyring.seal('x', place)
  const again = Keyring.open(deps, stored(), rootKey)
  expect(again.openText(sealed, place)).toBe('x')
  expect(again.keyedHash('token', 'abc')).toBe(keyring.keyedHash('token', 'abc'))
  expect(again.id).toBe(keyring.id)
})

test('keyring: a wrong root key and damaged bytes give different errors', async () => {
  const { stored } = await unsealed()
  const open = (wrapped: Buffer, key = rootKey) => codeOf(() => Keyring.open(deps, wrapped, key))
  expect(open(stored(), secret(randomIds.bytes(32)))).toBe('keyring.wrong-root-key')
  expect(open(stored(), secret(randomIds.bytes(16)))).toBe('keyring.wrong-root-key')
  for (let at = 0; at < stored().length; at++) {
    const changed = Buffer.from(stored())
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(open(changed)).toBe('keyring.damaged')
  }
  expect(open(stored().subarray(0, -1))).toBe('keyring.damaged')
  expect(open(Buffer.alloc(0))).toBe('keyring.damaged')
})

test('keyring: the lent root key is wiped afterwards, even if the borrower throws', async () => {
  const { keyring, stored } = await unsealed()
  const lent: Buffer[] = []
  const other = lendRootKey(keyring, (key) => {
    lent.push(key.reveal())
    return Keyring.open(deps, stored(), key)
  })
  const failing = () =>
    lendRootKey(keyring, (key) => {
      lent.push(key.reveal())
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect(lent).toEqual([Buffer.alloc(32), Buffer.alloc(32)])
  expect([other.id, keyring.rootKey().reveal()]).toEqual([keyring.id, rootKey.reveal()])
})

test('keyring: a failed unlock leaves an open keyring open', async () => {
  const { keyring, stored } = await unsealed()
  expect(codeOf(() => keyring.unlock(stored(), secret(randomIds.bytes(32))))).toBe('keyring.wrong-root-key')
  expect(keyring.state).toBe('unsealed')
})

test('rotation: new values use the new term, old values still open, keyed hashes stay the same', async () => {
  const { keyring, stored, save } = await unsealed()
  const old = keyring.seal('old', place)
  const hash = keyring.keyedHash('token', 'abc')
  now = instant(now + 1000)
  await keyring.rotate(save)
  expect(keyring.term).toBe(2)
  const fresh = keyring.seal('fresh', place)
  expect([old.readUInt32BE(1), fresh.readUInt32BE(1)]).toEqual([1, 2])
  const again = Keyring.open(deps, stored(), rootKey)
  expect([again.openText(old, place), again.openText(fresh, place)]).toEqual(['old', 'fresh'])
  expect(keyring.keyedHash('token', 'abc')).toBe(hash)
  expect(keyring.usage().map(({ term, installedAt }) => [term, installedAt - now])).toEqual([
    [1, -1000],
    [2, 0],
  ])
})

test('rotation: if storing fails, the old term stays in use', async () => {
  const { keyring } = await unsealed()
  await expect(keyring.rotate(() => Promise.reject(new Error('lost the race')))).rejects.toThrow('lost the race')
  expect(keyring.term).toBe(1)
  expect(keyring.seal('x', place).readUInt32BE(1)).toBe(1)
})

test('rotation: the second of two concurrent rotations in one process is refused', async () => {
  const { keyring, save } = await unsealed()
  const results = await Promise.allSettled([keyring.rotate(save), keyring.rotate(save)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(keyring.term).toBe(2)
})

test('rotation: a keyring locked while the rotation is stored stays locked', async () => {
  const { keyring, stored, save } = await unsealed()
  const rotation = keyring.rotate(async (wrapped) => {
    await save(wrapped)
    keyring.lock()
  })
  await expect(rotation).rejects.toMatchObject({ code: 'seal.sealed' })
  expect(keyring.state).toBe('sealed')
  expect(Keyring.open(deps, stored(), rootKey).term).toBe(2)
})

test('rotation: another keyring unlocked while the rotation is stored is not replaced', async () => {
  const { keyring, save } = await unsealed()
  const brought = Keyring.create(deps, rootKey)
  const rotation = keyring.rotate(async (wrapped) => {
    await save(wrapped)
    keyring.lock()
    keyring.unlock(brought.serialize(), rootKey)
  })
  await expect(rotation).rejects.toMatchObject({ code: 'keyring.foreign' })
  expect(keyring.id).toBe(brought.id)
})

test('a new root key: the keys stay, the old root key opens them no more, and others take it over', async () => {
  const { keyring, stored, save } = await unsealed()
  const other = Keyring.open(deps, stored(), rootKey)
  const value = keyring.seal('kept', place)
  const hash = keyring.keyedHash('token', 'abc')
  const next = secret(randomIds.bytes(32))
  await keyring.renewRootKey(next, save)
  expect([keyring.openText(value, place), keyring.keyedHash('token', 'abc')]).toEqual(['kept', hash])
  expect(keyring.rootKey().reveal()).toEqual(next.reveal())
  expect(codeOf(() => Keyring.open(deps, stored(), rootKey))).toBe('keyring.wrong-root-key')
  expect(codeOf(() => other.reload(stored()))).toBe('keyring.wrong-root-key')
  const handedOver = handOver(keyring, next, deps.ids)
  other.reload(stored(), takeOver(other, handedOver))
  await other.rotate(save)
  keyring.reload(stored())
  expect(keyring.openText(other.seal('x', place), place)).toBe('x')
  const stranger = Keyring.create(deps, rootKey)
  expect(codeOf(() => takeOver(stranger, handedOver))).toBe('handover.wrong-key')
})

test('a new root key: if storing fails, the old one stays in use', async () => {
  const { keyring } = await unsealed()
  const refused = keyring.renewRootKey(secret(randomIds.bytes(32)), () => Promise.reject(new Error('lost the race')))
  await expect(refused).rejects.toThrow('lost the race')
  expect(Keyring.open(deps, keyring.serialize(), rootKey).id).toBe(keyring.id)
})

test('reload: a rotated keyring is loaded, a foreign one is refused', async () => {
  const { keyring, stored, save } = await unsealed()
  const other = Keyring.open(deps, stored(), rootKey)
  await keyring.rotate(save)
  const sealed = keyring.seal('x', place)
  expect(codeOf(() => other.open(sealed, place))).toBe('keyring.unknown-term')
  other.reload(stored())
  expect(other.openText(sealed, place)).toBe('x')
  const stranger = Keyring.create(deps, rootKey)
  expect(codeOf(() => other.reload(stranger.serialize()))).toBe('keyring.foreign')
})

test('usage: seals are counted and saved, and those made meanwhile survive a reload', async () => {
  const { keyring, stored, save } = await unsealed()
  for (let count = 0; count < 5; count++) keyring.seal('x', place)
  await keyring.saveUsage(async (wrapped) => {
    keyring.seal('during', place)
    await save(wrapped)
  })
  expect(keyring.hasUnsavedUsage).toBe(true)
  expect(keyring.usage()[0]?.seals).toBe(6)
  expect(Keyring.open(deps, stored(), rootKey).usage()[0]?.seals).toBe(5)
  keyring.reload(stored())
  expect(keyring.usage()[0]?.seals).toBe(6)
})

test('usage: rotation is due after 2^31 seals', () => {
  const ring = newRing(deps)
  ring.active.seals = sealsPerTerm - 1
  const keyring = Keyring.open(deps, wrapRing(ring, rootKey.reveal(), randomIds), rootKey)
  expect(keyring.rotationDue).toBe(false)
  keyring.seal('x', place)
  expect(keyring.rotationDue).toBe(true)
})

test('rewrapping: only the new root key opens the keyring, and sealed values still open', async () => {
  const { keyring, stored } = await unsealed()
  const sealed = keyring.seal('x', place)
  const next = secret(randomIds.bytes(32))
  const rewrapped = rewrapKeyring(deps, stored(), { from: rootKey, to: next })
  expect(codeOf(() => Keyring.open(deps, rewrapped, rootKey))).toBe('keyring.wrong-root-key')
  expect(Keyring.open(deps, rewrapped, next).openText(sealed, place)).toBe('x')
})

test('derivation: every purpose has its own key, also when many purposes are used', async () => {
  const { keyring } = await unsealed()
  expect(keyring.keyedHash('token', 'x')).not.toBe(keyring.keyedHash('accessor', 'x'))
  expect(keyring.derive('a', 32)).not.toEqual(keyring.derive('b', 32))
  expect(keyring.derive('a', 64)).toHaveLength(64)
  const hash = keyring.keyedHash('purpose-0', 'x')
  for (let count = 1; count < 600; count++) keyring.keyedHash(`purpose-${count}`, 'x')
  expect(keyring.keyedHash('purpose-0', 'x')).toBe(hash)
})

test('keyring: untilSealed is aborted at each lock', async () => {
  const { keyring, stored } = await unsealed()
  for (let round = 0; round < 2; round++) {
    const signal = keyring.untilSealed
    expect(signal.aborted).toBe(false)
    keyring.lock()
    expect(signal.aborted).toBe(true)
    keyring.unlock(stored(), rootKey)
  }
})
