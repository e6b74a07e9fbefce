import { readFileSync } from 'node:fs'

/** The style of all pages. */
export const styleSheet = readFileSync(new URL('./style-sheet.css', import.meta.url), 'utf8')
