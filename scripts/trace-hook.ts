// Preloaded into a server: records the calls of its functions while `npm run trace` asks for it.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { getCallSites } from 'node:util'
import { isMainThread } from 'node:worker_threads'
import { type ESTree, parseSync, Visitor } from 'vite'

/** A function of the server that can be called. */
export type TracedFunction = { readonly file: string; readonly name: string }

/** What was called, in order: a function by its number, and how many of the server's functions were on the stack. */
export type Recording = {
  readonly functions: readonly TracedFunction[]
  readonly calls: readonly (readonly [number, number])[]
}

const root = new URL('../', import.meta.url).href
const product = new RegExp(`^${RegExp.escape(root)}(?:server|cli)/.*(?<!\\.test)\\.ts$`)
const deepestStack = 200

const functions: TracedFunction[] = []
let calls: [number, number][] | undefined

/** Makes every function of a module call `holdfastTrace` first. Lines stay where they are. */
function instrument(url: string): string {
  const source = readFileSync(fileURLToPath(url), 'utf8')
  const file = url.slice(root.length)
  const names = new Map<ESTree.Node, string>()
  const insertions: [number, string][] = []
  const nameAfter = (value: ESTree.Node | null, key: ESTree.Node): void => {
    if (value && (key.type === 'Identifier' || key.type === 'PrivateIdentifier'))
      names.set(value, key.type === 'Identifier' ? key.name : `#${key.name}`)
  }
  const add = (node: ESTree.Function | ESTree.ArrowFunctionExpression): void => {
    if (!node.body) return
    const line = source.slice(0, node.start).split('\n').length
    const name = node.id?.name ?? names.get(node) ?? `line ${line}`
    const call = `holdfastTrace(${functions.push({ file, name }) - 1})`
    const { start, end } = node.body
    if (node.body.type === 'BlockStatement') insertions.push([start + 1, `${call};`])
    else insertions.push([start, `(${call}, `], [end, ')'])
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => nameAfter(init, id),
    Property: ({ key, value }) => nameAfter(value, key),
    PropertyDefinition: ({ key, value }) => nameAfter(value, key),
    MethodDefinition: ({ key, value }) => nameAfter(value, key),
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(parseSync(file, source).program)
  return insert(source, insertions)
}

function insert(source: string, insertions: readonly (readonly [number, string])[]): string {
  let text = ''
  let done = 0
  for (const [position, added] of insertions.toSorted(([a], [b]) => a - b)) {
    text += source.slice(done, position) + added
    done = position
  }
  return text + source.slice(done)
}

/** Threads inherit what is preloaded; only the work of the main thread is recorded. */
if (isMainThread) {
  const holdfastTrace = (called: number): void => {
    calls?.push([called, getCallSites(deepestStack).filter(({ scriptName }) => product.test(scriptName)).length])
  }
  Object.assign(globalThis, { holdfastTrace })
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      return product.test(url) ? { ...loaded, source: instrument(url) } : loaded
    },
  })
  process.on('message', (message) => {
    const recording: Recording = { functions, calls: calls ?? [] }
    calls = message === 'record' ? [] : undefined
    process.send?.(recording)
  })
  process.on('disconnect', () => process.exit(0))
}
