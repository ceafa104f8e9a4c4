import type { Kernel } from '../kernel.ts'
import { openApiPath } from '../path-template.ts'
import type { ServedRoute } from '../served-route.ts'
import { Components } from './components.ts'
import { operationOf } from './operation.ts'

/**
 * The OpenAPI 3.1 document of an app, made from its routes. Made here rather than by a plugin: the routes already are
 * the document, and only here are the codes, dialects and access schemes known that most of its responses consist of.
 */
export function openApiDocument(kernel: Kernel): Readonly<Record<string, unknown>> {
  const components = new Components()
  const { title, version, description } = kernel.service
  const shown = kernel.routes.filter(({ route }) => !route.hidden)
  const paths = pathsOf(kernel, components, shown)
  return {
    openapi: '3.1.0',
    info: { title, version, ...(description && { description }) },
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: securitySchemes(kernel, shown),
      headers: {
        CorrelationId: {
          description: 'Names this request in the logs; minted by the server.',
          schema: { type: 'string', format: 'uuid' },
        },
      },
    },
  }
}

function pathsOf(kernel: Kernel, components: Components, routes: readonly ServedRoute[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const served of routes) {
    const path = openApiPath(served.template)
    paths[path] = { ...paths[path], [served.route.method.toLowerCase()]: operationOf(kernel, components, served.route) }
  }
  return paths
}

function securitySchemes(kernel: Kernel, routes: readonly ServedRoute[]) {
  const used = new Set(routes.map(({ route: { access = 'key' } }) => access))
  return Object.assign({}, ...[...used].map((access) => kernel.schemes[access]?.security))
}
