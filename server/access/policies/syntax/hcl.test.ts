import { expect, test } from 'vitest'
import { textOf } from '../../../kernel/failure.ts'
import { parseHcl } from './hcl.ts'
import { toPlain } from './syntax-tree.ts'

/** The document as plain data; of equal keys all values are kept, in order. */
const read = (text: string): [string, unknown][] => parseHcl(text).items.map((item) => [item.key, toPlain(item.value)])

const refusal = (text: string): string => {
  try {
    parseHcl(text)
  } catch (thrown) {
    return textOf(thrown)
  }
  return 'accepted'
}

test.each<[string, string, [string, unknown][]]>([
  ['an empty text', '', []],
  ['a text of comments only', '# one\n// two\n/* three\n * lines */', []],
  ['a byte order mark', '\uFEFFa = 1', [['a', 1]]],
  [
    'attributes of every scalar kind',
    'a = "x"\nb = 7\nc = true\nd = false',
    [
      ['a', 'x'],
      ['b', 7],
      ['c', true],
      ['d', false],
    ],
  ],
  [
    'several attributes on one line',
    'a = 1 b = 2, c = 3',
    [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ],
  ],
  ['a labelled block', 'path "secret/*" { a = 1 }', [['path', { 'secret/*': { a: 1 } }]]],
  ['an unlabelled block', 'path { "x" { a = 1 } }', [['path', { x: { a: 1 } }]]],
  ['an assigned object', 'path = { "x" = { a = 1 } }', [['path', { x: { a: 1 } }]]],
  ['two labels', 'a "b" "c" { d = 1 }', [['a', { b: { c: { d: 1 } } }]]],
  ['a bare label', 'path secret { a = 1 }', [['path', { secret: { a: 1 } }]]],
  [
    'repeated blocks',
    'p "x" {}\np "y" {}',
    [
      ['p', { x: {} }],
      ['p', { y: {} }],
    ],
  ],
  ['a list with a comma at its end', 'a = ["x", 1, true,]', [['a', ['x', 1, true]]]],
  ['an empty list', 'a = []', [['a', []]]],
  ['lists and objects in lists', 'a = [[1], {b = 2}]', [['a', [[1], { b: 2 }]]]],
  ['comments in a list', 'a = [ # one\n "x", // two\n /* three */ "y" ]', [['a', ['x', 'y']]]],
  ['comment signs inside a string', 'a = "# // /* */"', [['a', '# // /* */']]],
  ['short escapes', String.raw`a = "\"\\\n\t\r"`, [['a', '"\\\n\t\r']]],
  ['numeric escapes', String.raw`a = "\101\x41\u0041\U0001F511"`, [['a', 'AAA🔑']]],
  ['a template', 'a = "x/{{identity.entity.id}}"', [['a', 'x/{{identity.entity.id}}']]],
  ['numbers', 'a = [-1, 1.5, 2e3, 0x1F, -0x10]', [['a', [-1, 1.5, 2000, 31, -16]]]],
  [
    'a heredoc',
    'a = <<EOT\n one\ntwo\nEOT\nb = 1',
    [
      ['a', ' one\ntwo\n'],
      ['b', 1],
    ],
  ],
  ['a heredoc closed at the end of the text', 'a = <<EOT\none\nEOT', [['a', 'one\n']]],
  ['an indented heredoc', 'a = <<-EOT\n    one\n      two\n\n    EOT\n', [['a', 'one\n  two\n\n']]],
  ['an indented heredoc with a line further left', 'a = <<-EOT\n one\n  EOT\n', [['a', ' one\n']]],
  [
    'line breaks of other systems',
    'a = 1\r\nb = <<EOT\r\nx\r\nEOT\r\n',
    [
      ['a', 1],
      ['b', 'x\n'],
    ],
  ],
  ['a key in quotes', '"a b" = 1', [['a b', 1]]],
  ['the key __proto__', '__proto__ = { x = 1 }', [['__proto__', { x: 1 }]]],
])('hcl: %s is read', (_name, text, expected) => {
  expect(read(text)).toEqual(expected)
})

test.each([
  ['a value without quotes', 'a = read', "line 1, column 5: 'read' is not a value; text needs double quotes"],
  ['a missing value', 'a =\n}', 'line 2, column 1: expected a value, found "}"'],
  ['a key alone', 'a', "line 1, column 2: expected '=', '{' or a label, found the end of the text"],
  ['a number as key', '\n  1 = 2', 'line 2, column 3: expected a key, found "1"'],
  ['an equals sign behind a label', 'path "x" = {}', `line 1, column 10: expected '{' or a label, found "="`],
  ['an open block', 'path "x" {\n a = 1\n', "line 1, column 10: '{' is not closed"],
  ['a brace too many', 'a = 1\n}', 'line 2, column 1: expected a key, found "}"'],
  ['an open list', 'a = ["x"', "line 1, column 9: expected ',' or ']' in the list, found the end of the text"],
  ['a list without commas', 'a = ["x" "y"]', `line 1, column 10: expected ',' or ']' in the list, found "\\""`],
  ['a list of commas', 'a = [,]', 'line 1, column 6: expected a value, found ","'],
  ['an open string', 'a = 1\nb = "x', 'line 2, column 5: the string is not closed on its line'],
  ['a string over two lines', 'a = "x\ny"', 'line 1, column 5: the string is not closed on its line'],
  ['a zero byte in a string', 'a = "x\0"', 'line 1, column 5: the string is not closed on its line'],
  ['an unknown escape', String.raw`a = "\q"`, String.raw`line 1, column 6: unknown escape "\\q" in a string`],
  ['half a character', String.raw`a = "\ud800"`, String.raw`line 1, column 6: unknown escape "\\u" in a string`],
  [
    'an escape beyond Unicode',
    String.raw`a = "\UFFFFFFFF"`,
    String.raw`line 1, column 6: unknown escape "\\U" in a string`,
  ],
  ['an open comment', 'a = 1 /* x', "line 1, column 7: the comment '/*' is not closed"],
  ['an open heredoc', 'a = <<EOT\nx\n', "line 1, column 5: the heredoc is not closed: no line 'EOT' follows"],
  [
    'a heredoc without name',
    'a = <<\nx',
    `line 1, column 5: expected a heredoc: '<<', a name, then a new line, found "<"`,
  ],
  ['a malformed number', 'a = 1.2.3', 'line 1, column 5: not a number'],
  ['a number without end', `a = ${'9'.repeat(400)}`, 'line 1, column 5: not a number'],
  ['a single quote', "a = 'x'", `line 1, column 5: expected a value, found "'"`],
])('hcl: %s is refused with line and column', (_name, text, expected) => {
  expect(refusal(text)).toBe(`policy: ${expected}`)
})

test('hcl: an attribute set twice in one object is reported as duplicate, a repeated block is not', () => {
  const { duplicates } = parseHcl('p "x" { a = 1\n a = 2 }\np "x" { a = 3 }\nb = 1\n"b" = 2')
  expect(duplicates.map((each) => each.key)).toEqual(['a', 'b'])
})

test.each([
  ['lists', `a = ${'['.repeat(5_000)}`],
  ['blocks', 'a {'.repeat(5_000)],
  ['labels', `a ${'"b" '.repeat(5_000)}{}`],
])('hcl: deeply nested %s are refused', (_name, text) => {
  expect(refusal(text)).toContain('nested deeper than 32 levels')
})

test('hcl: a text above 1 MiB and more than 100000 values are refused', () => {
  expect(refusal('#'.repeat(1_048_577))).toContain('the limit is 1048576')
  expect(refusal(`a = [${'1,'.repeat(100_000)}]`)).toContain('more than 100000 keys and values')
})
