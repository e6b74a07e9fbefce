import { endpointsOf } from '../../server/app.ts'
import { openApiDocument } from '../../server/http/openapi.ts'
import { features } from '../../server/product/index.ts'
import { version } from '../../server/version.ts'
import type { Generated } from './generator.ts'

/** The API as a document, from the endpoint definitions. */
export async function generateOpenApi(): Promise<Generated> {
  const document = openApiDocument(endpointsOf(features, version), version)
  return { 'docs/api/openapi.json': `${JSON.stringify(document, null, 2)}\n` }
}
