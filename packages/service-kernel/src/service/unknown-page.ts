// What a browser sees at an address where nothing is; programs get the refusal of the service's dialect, as before.
import type { FastifyRequest } from 'fastify'
import { type App, answerUnknownWith, escapeHtml, routesOf, scriptlessPage } from '../http/index.ts'
import { createCatalogue, INTERFACE_LANGUAGES } from '../i18n/index.ts'
import type { SurfaceDefinition } from './definition.ts'
import { FRONT_STYLE, SEAL } from './front-look.ts'
import { languageOf, languageSwitch, wantsHtml } from './page-language.ts'

const texts = createCatalogue(INTERFACE_LANGUAGES, {
  title: { 'pt-BR': 'Esta página não existe', 'en-US': 'There is no such page' },
  nothing: { 'pt-BR': 'Não há nada neste endereço:', 'en-US': 'Nothing is at this address:' },
  back: { 'pt-BR': 'Ir para a primeira página', 'en-US': 'Go to the first page' },
  languages: { 'pt-BR': 'Idioma', 'en-US': 'Language' },
})

/** Browsers are shown a page wherever the surface has none, except among the addresses of its API. */
export function serveUnknownPage(app: App, surface: SurfaceDefinition): void {
  answerUnknownWith(app, (request) =>
    isVisit(request) && !isOfApi(app, request) ? unknownPage(surface, request) : undefined,
  )
}

const isVisit = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && wantsHtml(request)

/** `/api/nothing` beside `/api/sessions`: whoever calls that reads JSON. */
function isOfApi(app: App, request: FastifyRequest): boolean {
  const asked = partsOf(pathOf(request))
  return apisOf(app).some((api) => api.every((part, at) => part === asked[at]))
}

/**
 * The paths below which there is an API: to the part that is named so, or else the first one, unless people have pages
 * there, such as `/approvals/sessions` beside `/approvals/api/jobs`.
 */
function apisOf(app: App): readonly (readonly string[])[] {
  const routes = routesOf(app).map(({ route, template }) => ({ isPage: route.page === true, parts: partsOf(template) }))
  const withPages = new Set(routes.filter(({ isPage }) => isPage).map(({ parts: [first] }) => first))
  return routes
    .filter(({ isPage, parts }) => !isPage && (parts.includes('api') || (parts.length > 1 && !withPages.has(parts[0]))))
    .map(({ parts }) => parts.slice(0, Math.max(parts.indexOf('api'), 0) + 1))
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!

const partsOf = (path: string): string[] =>
  path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')

function unknownPage({ title }: SurfaceDefinition, request: FastifyRequest) {
  const language = languageOf(request)
  const say = texts.translator(language)
  return scriptlessPage({
    language,
    title: say('title'),
    style: FRONT_STYLE,
    content: `<header>${SEAL}<span translate="no">Chancela</span>${languageSwitch(language, say('languages'))}</header>
<main>
<h1>${escapeHtml(say('title'))}</h1>
<p class="summary">${escapeHtml(title[language])}</p>
<p>${escapeHtml(say('nothing'))} <code>${escapeHtml(pathOf(request))}</code></p>
<p><a href="${home(pathOf(request))}">${escapeHtml(say('back'))}</a></p>
</main>`,
  })
}

/** Relative: a proxy may serve the pages below a path of its own. */
const home = (path: string): string => '../'.repeat(Math.max(0, path.split('/').length - 2)) || './'
