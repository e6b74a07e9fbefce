import { parseHcl } from './hcl.ts'
import { parseJson } from './json.ts'
import type { SyntaxDocument } from './syntax-tree.ts'

/** Reads a policy text: JSON when it begins with a brace, HCL otherwise. */
export const parseDocument = (text: string): SyntaxDocument =>
  /^\uFEFF?[ \t\r\n]*\{/.test(text) ? parseJson(text) : parseHcl(text)

const base64Text = /^[A-Za-z0-9+/\r\n]+={0,2}$/

/**
 * The text of a policy as sent: clients may send it in base64. No policy with a rule in it is valid base64, since a rule
 * needs quotes and braces, so the two cannot be confused.
 */
export function decodePolicyText(sent: string): string {
  const trimmed = sent.trim()
  if (!base64Text.test(trimmed)) return sent
  const digits = trimmed.replace(/[\r\n]/g, '')
  const bytes = Buffer.from(digits, 'base64')
  if (bytes.length === 0 || bytes.toString('base64') !== digits) return sent
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : sent
}
