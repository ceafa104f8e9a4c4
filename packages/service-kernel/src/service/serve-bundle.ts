import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { StartupProblem } from '../errors/index.ts'
import { type App, route, serve } from '../http/index.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

// Names under assets/ contain a hash of their content, so a copy never becomes stale; the page itself is revalidated.
const FOREVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'

interface BundleFile {
  readonly type: string
  etag(): string
  readonly cacheControl: string
  readonly body: Buffer
  zipped(): Buffer
}

export interface BundleOptions {
  /** Further paths of the page, such as `/jobs/{id}`: the browser decides what they show. */
  readonly pages?: readonly string[]
  /** Paths of the page that other sites may embed, and which sites may. */
  readonly embedded?: { readonly pages: readonly string[]; readonly by: Embedding }
  /** A path such as `/choose` for the files; the page is then at `pages` only. Default: all at `/`. */
  readonly below?: string
  /** Other sources of the page's images, in the syntax of a content security policy: `https:`. */
  readonly images?: readonly string[]
}

/** Sites that may embed a page: the same for all, or found out for each request. */
type Embedding = readonly string[] | ((request: FastifyRequest) => Promise<readonly string[]>)

/** Whether the folder contains a bundle. */
export const isBundle = (folder: string): boolean => existsSync(join(folder, 'index.html'))

/**
 * Serves a bundle of the web console: its page at `/` and its files below. The bundle is read once and kept in memory,
 * compressed on first request: it is a megabyte, and a path outside the table cannot reach anything else on the disk.
 */
export function serveBundle(app: App, folder: string, options: BundleOptions = {}): void {
  const { pages = [], embedded, below = '', images = [] } = options
  const files = readBundle(folder)
  const index = files.get('index.html')
  if (!index) throw new StartupProblem(`The pages in ${folder} are not built: run npm run build.`)
  const from = { 'img-src': images }
  for (const path of below ? pages : ['/', ...pages]) serveFile(app, path, 'The page.', index, from)
  for (const path of embedded?.pages ?? []) serveFile(app, path, 'The page, inside another.', index, from, embedded?.by)
  for (const [name, file] of files) if (file !== index) serveFile(app, `${below}/${name}`, 'A file of the page.', file)
}

/** Sites that a page allows, by directive of the content security policy. */
type LetIn = Readonly<Partial<Record<'frame-ancestors' | 'img-src', readonly string[]>>>

function serveFile(
  app: App,
  path: string,
  summary: string,
  file: BundleFile,
  letIn: LetIn = {},
  by: Embedding = [],
): void {
  const page = route({
    method: 'GET',
    path,
    summary,
    access: 'anonymous',
    hidden: true,
    page: true,
    produces: file.type,
  })
  serve(app, page, async ({ reply, request }) => {
    open(reply, { ...letIn, 'frame-ancestors': typeof by === 'function' ? await by(request) : by })
    return answer(file, reply, request)
  })
}

/** Allows sites in the content security policy of a page. */
function open(reply: FastifyReply, letIn: LetIn): void {
  for (const [word, sites] of Object.entries(letIn)) {
    if (sites.length === 0) continue
    const policy = String(reply.getHeader('content-security-policy')).replace(`${word} 'none'`, word)
    reply.header('content-security-policy', policy.replace(word, `${word} ${sites.join(' ')}`))
    // Browsers that support the policy ignore the older header; others would refuse.
    if (word === 'frame-ancestors') reply.removeHeader('x-frame-options')
  }
}

function readBundle(folder: string, below = ''): Map<string, BundleFile> {
  const files = new Map<string, BundleFile>()
  for (const entry of entriesOf(join(folder, below))) {
    const name = join(below, entry.name).replaceAll('\\', '/')
    if (entry.isDirectory()) for (const [inner, file] of readBundle(folder, name)) files.set(inner, file)
    else files.set(name, readBundleFile(join(folder, name), name))
  }
  return files
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function readBundleFile(path: string, name: string): BundleFile {
  const body = readFileSync(path)
  let etag: string | undefined
  let zipped: Buffer | undefined
  return {
    type: mediaTypes[extname(name)] ?? 'application/octet-stream',
    cacheControl: name.startsWith('assets/') ? FOREVER : ASK_AGAIN,
    body,
    // Computed at the first request, to keep the start fast.
    etag: () => (etag ??= `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`),
    zipped: () => (zipped ??= gzipSync(body)),
  }
}

function answer(file: BundleFile, reply: FastifyReply, request: FastifyRequest): Buffer | string {
  const etag = file.etag()
  reply.headers({ etag, 'cache-control': file.cacheControl, vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === etag) {
    reply.code(304)
    return ''
  }
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return file.body
  reply.header('content-encoding', 'gzip')
  return file.zipped()
}
