/** A word or call that belongs in one place of the server or of the web UI. */
export type Ban = {
  rule: string
  pattern: RegExp
  /** Words are searched for in strings too; calls only in code. */
  inStrings?: true
  /** Types of the module may be named anywhere. */
  typesFree?: true
  /** Files where it belongs. */
  home: RegExp
  instead: string
}

/** Calls that belong in one place. Tests, benches and scripts may use them anywhere. */
export const CALLS: readonly Ban[] = [
  {
    rule: 'time',
    pattern: /\bnew Date\(\s*\)|\b(?:Date|performance)\.now\b|\bnew Date\b(?!\s*\()/g,
    home: /^server\/kernel\//,
    instead: 'take the time from deps.clock',
  },
  {
    rule: 'dice',
    pattern: /\bMath\.random\b|\brandomUUID\b/g,
    home: /^server\/kernel\//,
    instead: 'take ids and random bytes from deps.ids',
  },
  {
    rule: 'timers',
    pattern: /\bsetInterval\b/g,
    home: /^server\/(jobs|http\/listener)\//,
    instead: 'declare a job with defineJob, beside the actions it runs',
  },
  {
    rule: 'outgoing',
    pattern: /(?<![.\w])fetch\(|\bglobalThis\.fetch\b/g,
    home: /^server\/outbound\//,
    instead: 'call deps.outbound',
  },
  {
    rule: 'environment',
    pattern: /\bprocess\.env\b/g,
    home: /^server\/config(\/|[^/]*\.ts$)/,
    instead: 'add a setting to the configuration',
  },
]

/** Where speed may show: everything that runs for each request, and nothing that a single feature is made of. */
const ROOMS_OF_SPEED = /^server\/(kernel|storage|kit|pki|http|access|audit)\//

/** Modules that may be imported in one place only. */
export const MODULES: readonly Ban[] = [
  {
    rule: 'sql',
    pattern: /^kysely(\/|$)/,
    home: /^server\/storage\/|-store\.ts$/,
    instead: 'put the query into a -store.ts file',
  },
  {
    rule: 'outgoing',
    pattern: /^(node:)?https?$/,
    typesFree: true,
    home: /^server\/(outbound|http)\//,
    instead: 'call deps.outbound',
  },
  {
    rule: 'plain-async',
    pattern: /kernel\/awaitable\.ts$/,
    home: ROOMS_OF_SPEED,
    instead: 'write an async function and await what it calls',
  },
]

const look = { rule: 'look', home: /^web\/src\/kit\// }

/** Modules of the web UI that only the kit may import. */
export const WEB_MODULES: readonly Ban[] = [
  { ...look, pattern: /^@(mantine|tabler)\//, instead: 'use a part of web/src/kit, or add one' },
]

/** How things look is said in the kit; the style sheets of pages only lay out. */
export const WEB_WORDS: readonly Ban[] = [
  {
    ...look,
    pattern: /#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b|\b(?:rgb|hsl|oklch|color-mix)a?\(/gi,
    inStrings: true,
    instead: 'use a colour of web/src/kit/tokens.css',
  },
  { ...look, pattern: /\bstyle=/g, instead: 'use a part of web/src/kit, or a class that only lays out' },
]

/** Spellings of other vendors. Answers and documents use our own; clients' spellings are translated at the edge. */
export const WORDS: readonly Ban[] = [
  /\b(x-)?vault(?![a-z])/gi,
  /hashicorp/gi,
  /terraform/gi,
  /\btofu\b|opentofu/gi,
  /openbao|\bbao\b/gi,
  /\b(aws_s3|google_gcs|azure)_[a-z]/gi,
  /\b(tfe|tfc)\b|\btf[pec]-/gi,
].map((pattern) => ({
  rule: 'vendor-word',
  pattern,
  inStrings: true,
  home: /^server\/compat\//,
  instead: 'name it in server/compat and import it from there',
}))
