import type { FastifyInstance } from 'fastify'
import type { OpenApiOptions } from '../app-options.ts'
import { JSON_TYPE } from '../dialects/dialect.ts'
import type { Kernel } from '../kernel.ts'
import { openApiDocument } from './document.ts'
import { serveReferencePage } from './reference-page.ts'

/** Serves the document, and the page for people, without a credential. */
export function serveOpenApi(app: FastifyInstance, kernel: Kernel, { path, referencePath }: OpenApiOptions): void {
  let document: string | undefined
  app.get(path, (_request, reply) => {
    // Built at the first request: by then every route is registered.
    document ??= JSON.stringify(openApiDocument(kernel))
    reply.type(JSON_TYPE).send(document)
  })
  if (referencePath) serveReferencePage(app, { path: referencePath, documentPath: path, title: kernel.service.title })
}
