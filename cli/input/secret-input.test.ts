import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { runCommand } from '../../test/support/command-line.ts'
import { scriptedServer } from '../../test/support/scripted-server.ts'

const server = scriptedServer()

/** A terminal at which pieces of text arrive one after the other, with a record of its modes. */
function typing(...pieces: readonly (string | Buffer)[]) {
  const modes: boolean[] = []
  const stream = new PassThrough()
  for (const piece of pieces) stream.write(piece)
  return { modes, keyboard: Object.assign(stream, { setRawMode: (isRaw: boolean) => modes.push(isRaw) }) }
}

async function typedValues(words: readonly string[], ...pieces: readonly (string | Buffer)[]) {
  const { modes, keyboard } = typing(...pieces)
  const environment = server.trustingEnvironment()
  const { code, err } = await runCommand(['write', 'sys/unseal', ...words], { environment, keyboard })
  expect(modes).toEqual(words.flatMap(() => [true, false]))
  return { code, err, body: server.seen[0]?.body }
}

test.each([
  [['secret\r'], 'secret'],
  [['sec', 'ret', '\n'], 'secret'],
  [['secret\x04'], 'secret'],
  [['wrong\x15sexx\x7f\x7fcre\bet\r\n'], 'secret'],
  [['\x1b[200~secret\x1b[201~', '\x1b[D\x01\r'], 'secret'],
  [[Buffer.from([0x73, 0xc3]), Buffer.from([0xa9, 0x0d])], 'sé'],
])('a secret is read from the keys %j', async (pieces, key) => {
  expect(await typedValues(['key=-'], ...pieces)).toEqual({ code: 0, err: 'key (not shown): \n', body: { key } })
})

test('two secrets are asked for one after the other', async () => {
  const { keyboard } = typing('first\r')
  const typed = runCommand(['write', 'x', 'a=-', 'b=-'], {
    environment: server.trustingEnvironment(),
    keyboard: Object.assign(keyboard, {
      // The second one is typed when it is asked for.
      setRawMode: (isRaw: boolean) => isRaw || setImmediate(() => keyboard.write('second\r')),
    }),
  })
  expect(await typed).toMatchObject({ code: 0, err: 'a (not shown): \nb (not shown): \n' })
  expect(server.seen[0]?.body).toEqual({ a: 'first', b: 'second' })
})

test.each([
  ['\x03', 130, 'key (not shown): \n'],
  ['abc\x03', 130, 'key (not shown): \n'],
  ['\r', 1, 'key (not shown): \nholdfast: Nothing was entered.\n'],
  ['\x04', 1, 'key (not shown): \nholdfast: Nothing was entered.\n'],
  ['a\rb\r', 1, expect.stringContaining('Only one line can be entered here. Give a longer text as @file.')],
])('nothing is sent after the keys %j', async (keys, code, err) => {
  expect(await typedValues(['key=-'], keys)).toEqual({ code, err, body: undefined })
})

test('a password is asked for, and an end of the terminal ends the command', async () => {
  const command = ['admin', 'create-user', 'ann', '--email', 'ann@example.com', '--password-stdin']
  const { keyboard } = typing()
  keyboard.end()
  const ended = await runCommand(command, { environment: server.trustingEnvironment(), keyboard })
  expect(ended).toMatchObject({ code: 1, err: 'Password (not shown): \nholdfast: Nothing was entered.\n' })
})

test('a document on a terminal ends with Ctrl-D, as it says', async () => {
  const { keyboard } = typing()
  const readInput = async () => '{"a":1}\n'
  const surroundings = { environment: server.trustingEnvironment(), keyboard, readInput }
  expect((await runCommand(['write', 'x', '-'], surroundings)).err).toBe('Enter a JSON object, then press Ctrl-D.\n')
  expect(server.seen[0]?.body).toEqual({ a: 1 })
})

test('a file that is not UTF-8 is refused, with what to send instead', async () => {
  const file = join(server.directory, 'list.der')
  writeFileSync(file, Buffer.from([0x30, 0x82, 0x01, 0xff]))
  const { code, err } = await server.run(['write', 'auth/cert/crls/x', `crl=@${file}`])
  expect([code, err]).toEqual([1, expect.stringMatching(/^holdfast: The file .+ is not text in UTF-8\. .+base64 FILE/)])
  expect(server.seen).toEqual([])
})

test('bytes from standard input that are not UTF-8 are refused', () => {
  const program = join(import.meta.dirname, '..', 'main.ts')
  const input = Buffer.from([0x30, 0x82, 0xff])
  const { stderr, status } = spawnSync(process.execPath, [program, 'write', 'x', 'a=-'], { input, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^holdfast: Standard input is not text in UTF-8\./)])
})

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true

test.skipIf(!hasScript).each([
  ['hfs.typed\r', 1, 'No server answers'],
  ['hfs.typed\x03', 130, ''],
])('script: a real terminal does not show %j, and echoes again afterwards', async (keys, code, told) => {
  const command = '"$NODE" "$PROGRAM" login - --address http://127.0.0.1:9; echo "code $?"; stty -a'
  const env = {
    ...process.env,
    NODE: process.execPath,
    PROGRAM: join(import.meta.dirname, '..', 'main.ts'),
    HOME: '/none',
  }
  const terminal = spawn('script', ['-qc', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  let shown = ''
  let isTyped = false
  terminal.stdout.on('data', (piece) => {
    shown += String(piece)
    if (isTyped || !shown.includes('Token (not shown): ')) return
    isTyped = true
    terminal.stdin.write(keys)
  })
  await once(terminal, 'close')
  expect(shown).toContain(`code ${code}`)
  expect(shown).toContain(told)
  expect(shown).not.toContain('hfs.typed')
  expect(shown).toMatch(/[^-]icanon\b[\s\S]*[^-]echo\b/)
})
