/** A value of a policy text, with the offset where it begins. */
export type SyntaxNode =
  | { kind: 'string'; value: string; at: number }
  | { kind: 'number'; value: number; at: number }
  | { kind: 'boolean'; value: boolean; at: number }
  | { kind: 'null'; at: number }
  | { kind: 'list'; items: readonly SyntaxNode[]; at: number }
  | { kind: 'object'; items: readonly SyntaxItem[]; at: number }

/** One key with its value. A labelled block `path "x" { }` reads as the key `path` holding an object with the key `x`. */
export type SyntaxItem = { key: string; at: number; value: SyntaxNode }

/** An attribute that was set before in the same object. */
export type Duplicate = { key: string; at: number }

/** What a reader makes of a text, whether HCL or JSON. */
export type SyntaxDocument = { items: readonly SyntaxItem[]; duplicates: readonly Duplicate[] }

/** The value as plain data; of a key that was set twice the last value counts. */
export function toPlain(node: SyntaxNode): unknown {
  switch (node.kind) {
    case 'null':
      return null
    case 'list':
      return node.items.map(toPlain)
    case 'object':
      // fromEntries defines own properties, so that a key `__proto__` stays data.
      return Object.fromEntries(node.items.map((item) => [item.key, toPlain(item.value)]))
    default:
      return node.value
  }
}
