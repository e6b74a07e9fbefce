/** A word or call that belongs in one place of the server. */
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
