import { registerHooks } from 'node:module'
import type { OpenAPI3, OperationObject, PathItemObject, ResponseObject } from 'openapi-typescript'
import { endpointsOf } from '../../server/app.ts'
import { openApiDocument } from '../../server/http/openapi.ts'
import { features } from '../../server/product/index.ts'
import { version } from '../../server/version.ts'
import type { Generated } from './generator.ts'

/** The compiler of this project has no JavaScript API; what openapi-typescript prints with is that of an earlier one. */
async function loadGenerator() {
  const compiler = new URL('typescript.js', import.meta.resolve('@ts-morph/common')).href
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'typescript' ? { url: compiler, shortCircuit: true } : next(specifier, context),
  })
  const generator = await import('openapi-typescript')
  hooks.deregister()
  return generator
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Pages are for people, jobs for runners, signed addresses for whoever was given one; programs call the rest. */
const isCalledByPrograms = (path: string): boolean => /^\/(?:api\/v2|v1|app\/session|healthz|readyz)(?:\/|$)/.test(path)

/** All failures of an operation have one shape, so one stands for all; nobody reads headers by their types. */
function withoutRepetition(operation: OperationObject): OperationObject {
  const responses = Object.entries(operation.responses ?? {}) as [string, ResponseObject][]
  const failure = responses.find(([status, { content }]) => Number(status) >= 400 && content)?.[1]
  const successes = responses.filter(([status]) => Number(status) < 300)
  return {
    ...operation,
    responses: {
      ...Object.fromEntries(successes.map(([status, { headers: _headers, ...response }]) => [status, response])),
      ...(failure && { default: { ...failure, description: 'A failure.' } }),
    },
  }
}

type Operation = { readonly method: string; readonly path: string; readonly operation: OperationObject }

const operationsOf = (path: string, item: PathItemObject): Operation[] =>
  methods.flatMap((method) => {
    const operation = item[method] as OperationObject | undefined
    return operation ? [{ method, path, operation }] : []
  })

const head = '// Made from docs/api/openapi.json by `npm run gen`.\n'

/** True if a name in the path may have slashes, which are sent as they are. */
const hasSlashes = ({ operation }: Operation): boolean =>
  (operation.parameters ?? []).some((each) => 'x-multi-segment' in each)

/** Where each operation is found. */
function routesText(operations: readonly Operation[]): string {
  const lines = operations
    .map(({ method, path, operation }) => `  '${operation.operationId}': '${method.toUpperCase()} ${path}',\n`)
    .sort()
  const slashed = [...new Set(operations.filter(hasSlashes).map(({ path }) => `  '${path}',\n`))].sort()
  return `${head}
/** Paths with a name that may have slashes. */
export const slashedPaths: ReadonlySet<string> = new Set([
${slashed.join('')}])

/** Method and path of each operation. */
export const routes = {
${lines.join('')}} as const
`
}

/** Types of all requests and answers, and the routes of the operations. */
export async function generateApiClient(): Promise<Generated> {
  const document = openApiDocument(endpointsOf(features, version), version) as unknown as OpenAPI3
  const paths = Object.entries(document.paths ?? {}) as [string, PathItemObject][]
  const operations = paths
    .filter(([path]) => isCalledByPrograms(path))
    .flatMap(([path, item]) => operationsOf(path, item))
  const kept = Map.groupBy(operations, ({ path }) => path)
  const items = [...kept].map(([path, each]) => [
    path,
    Object.fromEntries(each.map(({ method, operation }) => [method, withoutRepetition(operation)])),
  ])
  const { default: generate, astToString } = await loadGenerator()
  const typed = { ...document, paths: Object.fromEntries(items) }
  const types = astToString(await generate(typed, { alphabetize: true, defaultNonNullable: false }))
  return {
    'api-client/openapi.d.ts': `${head}\n${types.replace(/^ +/gm, (indent) => indent.slice(indent.length / 2))}`,
    'api-client/routes.ts': routesText(operations),
  }
}
