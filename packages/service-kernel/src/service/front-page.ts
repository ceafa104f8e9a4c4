// What a browser sees at the base URL of a surface that has no page of its own there.

import type { FastifyRequest } from 'fastify'
import { FrameworkProblem } from '../errors/index.ts'
import { type App, escapeHtml, routesOf, scriptlessPage } from '../http/index.ts'
import { createCatalogue, INTERFACE_LANGUAGES } from '../i18n/index.ts'
import type { SurfaceDefinition } from './definition.ts'
import { FRONT_STYLE, ICON, SEAL } from './front-look.ts'
import { languageOf, languageSwitch, wantsHtml } from './page-language.ts'

const texts = createCatalogue(INTERFACE_LANGUAGES, {
  programs: {
    'pt-BR': 'Este endereço é para programas: aqui não há onde entrar.',
    'en-US': 'This address is for programs: there is nothing to sign in to here.',
  },
  address: { 'pt-BR': 'URL base', 'en-US': 'Base URL' },
  version: { 'pt-BR': 'Versão', 'en-US': 'Version' },
  console: { 'pt-BR': 'Console', 'en-US': 'Console' },
  reference: { 'pt-BR': 'Referência da API', 'en-US': 'API reference' },
  openApi: { 'pt-BR': 'Documento OpenAPI', 'en-US': 'OpenAPI document' },
  health: { 'pt-BR': 'Está no ar?', 'en-US': 'Is it alive?' },
  ready: { 'pt-BR': 'Está pronto?', 'en-US': 'Is it ready?' },
  languages: { 'pt-BR': 'Idioma', 'en-US': 'Language' },
})

export interface FrontPage {
  readonly surface: SurfaceDefinition
  readonly version: string
  /** The public URL; the address of the request where none is set. */
  readonly publicUrl: string | undefined
  /** Address of its console; undefined where it must not be shown. */
  readonly consoleUrl: () => string | undefined
}

/**
 * Answers browsers at `/`, unless the surface has a page there. Any other client is answered as before: the path is not
 * part of the contract, so it stays unknown in the service's dialect, and is in no list of routes.
 */
export function serveFrontPage(app: App, front: FrontPage): void {
  if (app.hasRoute({ method: 'GET', url: '/' })) return
  app.get('/', (request, reply) => {
    if (!wantsHtml(request)) throw new FrameworkProblem('unknown-route')
    const { page, headers } = frontPage(app, front, request)
    reply.headers(headers).send(page)
  })
}

/** Browsers request an icon for every response that names none, such as the JSON of a health check. */
export function serveIcon(app: App): void {
  if (app.hasRoute({ method: 'GET', url: '/favicon.ico' })) return
  app.get('/favicon.ico', (_request, reply) => {
    reply.headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' }).send(ICON)
  })
}

function frontPage(app: App, front: FrontPage, request: FastifyRequest) {
  const { title, summary } = front.surface
  const language = languageOf(request)
  const say = texts.translator(language)
  return scriptlessPage({
    language,
    title: title[language],
    style: FRONT_STYLE,
    content: `<header>${SEAL}<span translate="no">Chancela</span>${languageSwitch(language, say('languages'))}</header>
<main>
<h1>${escapeHtml(title[language])}</h1>
<p class="summary">${escapeHtml(summary[language])}</p>
<p>${escapeHtml(say('programs'))}</p>
<dl>
${facts(app, front, request)
  .map(([name, markup]) => `<div><dt>${escapeHtml(say(name))}</dt><dd>${markup}</dd></div>`)
  .join('\n')}
</dl>
</main>`,
  })
}

/** Public facts: the version only where the OpenAPI document shows it, readiness only where it needs no key. */
function facts(app: App, { surface, version, publicUrl, consoleUrl }: FrontPage, request: FastifyRequest) {
  const { referencePath, openApiPath, healthPath, readyPath } = surface
  const has = (url: string | undefined): boolean => url !== undefined && app.hasRoute({ method: 'GET', url })
  const address = publicUrl ?? `${request.protocol}://${request.host}`
  const rows = [
    ['address', code(address)],
    ['console', link(consoleUrl())],
    ['reference', has(referencePath) && link(referencePath)],
    ['openApi', has(openApiPath) && link(openApiPath)],
    ['health', link(healthPath)],
    ['ready', isOpen(app, readyPath) && link(readyPath)],
    ['version', has(openApiPath) && code(version)],
  ] as const
  return rows.filter(([, markup]) => markup)
}

const isOpen = (app: App, path: string | undefined): boolean =>
  routesOf(app).some(({ route }) => route.path === path && route.access === 'anonymous')

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`

/** Relative paths: a proxy may serve the page below a path of its own. */
const link = (address = ''): string =>
  address && `<a href="${escapeHtml(address.replace(/^\//, ''))}">${escapeHtml(address)}</a>`
