import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../output/escape-html.ts'

/** Everything that would call another host is switched off (design, dependencies 5). */
const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
}

// The script styles its elements by itself and inlines its icons; it may connect only to this origin.
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export interface ReferencePage {
  readonly path: string
  readonly documentPath: string
  readonly title: string
}

/** Serves the reference for people: one page and one script, both from this machine. */
export function serveReferencePage(app: FastifyInstance, { path, documentPath, title }: ReferencePage): void {
  const { version, file } = scalarScript()
  const script = `${path.replace(/\/$/, '')}/scalar-${version}.js`
  const page = html({ title, script, documentPath })
  app.get(path, (_request, reply) => {
    reply.header('content-security-policy', CONTENT_POLICY).type('text/html; charset=utf-8').send(page)
  })
  app.get(script, (_request, reply) => {
    // The version is in the URL, so its content never changes.
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    reply.type('text/javascript; charset=utf-8').send(Readable.from(scriptOf(file)))
  })
}

// A library inside tests whether the page may use `eval`. It may not, and this makes the test fail before the browser
// has to report a violation of the policy.
const NO_EVAL = `{
  const refuse = function () { throw new EvalError('This page turns no text into code.') }
  refuse.prototype = Function.prototype
  globalThis.Function = refuse
}
`

async function* scriptOf(file: string): AsyncGenerator<string | Buffer> {
  yield NO_EVAL
  yield* createReadStream(file)
}

// Only the script of this package is used, at exactly this version: its plugin would load a parser for OpenAPI into
// memory, keep the script there too, and build links from the Host header.
function scalarScript(): { version: string; file: string } {
  const require = createRequire(import.meta.url)
  const entry = dirname(require.resolve('@scalar/fastify-api-reference'))
  const { version } = require(join(entry, '..', 'package.json')) as { version: string }
  return { version, file: join(entry, 'js', 'standalone.js') }
}

const html = ({
  title,
  script,
  documentPath,
}: {
  title: string
  script: string
  documentPath: string
}): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>${escapeHtml(title)}</title>
  </head>
  <body>
    <script id="api-reference" data-url="${escapeHtml(documentPath)}" data-configuration="${escapeHtml(JSON.stringify(configuration))}"></script>
    <script src="${escapeHtml(script)}"></script>
  </body>
</html>
`
