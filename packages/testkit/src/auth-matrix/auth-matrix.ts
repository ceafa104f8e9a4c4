import { type App, type RouteShape, routesOf } from '@chancela/service-kernel/http'
import { unserved } from './routed.ts'

/** Somebody who calls. */
export interface MatrixCaller {
  /** What the caller sends with every call, such as a key. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether the caller may call routes of this access; `route` is for what a handler wants besides. */
  may(access: string, method: string, route: string): boolean
}

export type MatrixCallers = Readonly<Record<string, MatrixCaller>>

/** Routes as the contract writes them: `GET /api/things/{id}`. */
type RouteNames = readonly string[]

export interface AuthMatrix {
  readonly app: App
  readonly baseUrl: string
  /** Anonymous routes that are for everybody. */
  readonly open: RouteNames
  /** Anonymous routes whose handler wants something nobody can guess: a link, a ticket, a code. */
  readonly byTicket?: RouteNames
  /** Accesses that are weaker than what most routes want, and the routes that have them. */
  readonly weak?: Readonly<Record<string, RouteNames>>
  readonly callers: MatrixCallers
  /** Whether an answer refuses its caller, in the dialect of the service. Default: 401 or 403 with a code. */
  readonly refuses?: (refused: Refused) => boolean
  /** Values of path parameters; a made-up id where there is none. */
  readonly params?: Readonly<Record<string, string>>
}

/** An answer of 400 and above. */
export interface Refused {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: each dialect has its own shape.
  readonly body: any
}

export interface MatrixResult {
  readonly calls: number
  /** What is not as it should be, one sentence each. */
  readonly problems: readonly string[]
}

/**
 * Calls every route of an app with every caller. Whoever may not is answered 401 or 403 in the dialect of the service;
 * whoever may gets anything else. A new route needs no line here, unless it is weaker than the others: it is called
 * because it is served, and a route that is open but not listed, or that nobody of the table may call, is a problem.
 */
export async function authMatrix(matrix: AuthMatrix): Promise<MatrixResult> {
  const routes = routesOf(matrix.app)
    .filter(({ route }) => !isOfBundle(route))
    .map(({ route, template }) => matrixRoute(route, template))
  const besides = unserved(matrix.app).map((name) => `${name} is answered without being served`)
  const problems = [...besides, ...undeclared(matrix, routes), ...forNobody(matrix, routes)]
  let calls = 0
  for (const route of routes) {
    const callers = Object.entries(matrix.callers)
    const found = await Promise.all(callers.map(([name, caller]) => tried(matrix, route, name, caller)))
    calls += callers.length
    problems.push(...found.flat())
  }
  return { calls, problems }
}

interface MatrixRoute {
  readonly name: string
  readonly method: string
  readonly template: string
  readonly access: string
}

const matrixRoute = ({ method, access = 'key' }: RouteShape, template: string): MatrixRoute => {
  const plain = template.replaceAll(/(?<=\/):(\w+)/g, '{$1}')
  return { name: `${method} ${plain}`, method, template: plain, access }
}

/** Files of the pages, which are there only once they were built. */
const isOfBundle = ({ page, hidden, access }: RouteShape): boolean =>
  page === true && hidden === true && access === OPEN

const OPEN = 'anonymous'

/** The lists are exact: what is served with a weak access stands in them, and nothing else does. */
function undeclared({ open, byTicket = [], weak = {} }: AuthMatrix, routes: readonly MatrixRoute[]): string[] {
  const lists = { ...weak, [OPEN]: [...open, ...byTicket] }
  return Object.entries(lists).flatMap(([access, listed]) => {
    const served = routes.filter((route) => route.access === access).map(({ name }) => name)
    return [
      ...served.filter((name) => !listed.includes(name)).map((name) => `${name} is ${access} and not listed`),
      ...listed.filter((name) => !served.includes(name)).map((name) => `${name} is listed and not ${access}`),
    ]
  })
}

/** An access that everybody or nobody has proves nothing of its routes. */
function forNobody({ callers }: AuthMatrix, routes: readonly MatrixRoute[]): string[] {
  if (routes.length === 0) return ['no route is served']
  const closed = routes.filter(({ access }) => access !== OPEN)
  return closed.flatMap(({ name, access, method }) => {
    const who = Object.values(callers).map((caller) => caller.may(access, method, name))
    if (!who.includes(true)) return [`${name} is ${access}, which no caller may`]
    return who.includes(false) ? [] : [`${name} is ${access}, which every caller may`]
  })
}

/** What went wrong with one route and one caller. */
async function tried(matrix: AuthMatrix, route: MatrixRoute, who: string, caller: MatrixCaller): Promise<string[]> {
  const isByTicket = matrix.byTicket?.includes(route.name) ?? false
  const answer = await called(matrix, route, caller, isByTicket)
  const verdict = isByTicket ? asStranger : route.access === OPEN ? asAnybody : judgeOf(caller, route)
  const problem = await verdict(answer, matrix.refuses ?? refusesWithCode)
  await putAside(answer)
  return problem === undefined ? [] : [`${route.name} (${route.access}) for ${who}: ${problem}`]
}

type Refuses = (refused: Refused) => boolean
type Verdict = (answer: Response, refuses: Refuses) => Promise<string | undefined> | string | undefined

const judgeOf = ({ may }: MatrixCaller, { access, method, name }: MatrixRoute): Verdict =>
  may(access, method, name) ? asAllowed : asRefused

const statuses = [401, 403]

const refusesWithCode: Refuses = ({ status, body }) =>
  statuses.includes(status) && typeof (body?.code ?? body?.error?.code) === 'string'

const asRefused: Verdict = async (answer, refuses) => {
  const { status, headers } = answer
  const isRefused = status >= 400 && refuses(await readRefused(answer))
  if (!isRefused)
    return statuses.includes(status) ? `refused with ${status} outside the dialect` : `let in with ${status}`
  // Whoever is known but may not keeps a session that goes on.
  return status === 401 && headers.has('set-cookie') ? 'refused with a cookie' : undefined
}

const asAllowed: Verdict = async (answer, refuses) => {
  const { status } = answer
  if (status < 400) return undefined
  const refused = await readRefused(answer)
  if (statuses.includes(status) || refuses(refused)) return `refused with ${status} ${JSON.stringify(refused.body)}`
  return status === 500 ? 'failed with 500' : undefined
}

const asAnybody: Verdict = ({ status }) => (status === 500 ? 'failed with 500' : undefined)

/** Whoever made the ticket up gets nothing, and no session either. */
const asStranger: Verdict = ({ ok, status, headers }) => {
  if (ok) return `let in with ${status} and a ticket that does not exist`
  if (status === 500) return 'failed with 500'
  return headers.has('set-cookie') ? 'given a cookie for a ticket that does not exist' : undefined
}

/** Reads what is left, so that the connection can be used again; a stream of news never ends by itself. */
async function putAside(answer: Response): Promise<void> {
  if (answer.bodyUsed) return
  if (answer.headers.has('content-length')) await answer.arrayBuffer()
  else await answer.body?.cancel()
}

async function readRefused(answer: Response): Promise<Refused> {
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json')
  return { status: answer.status, body: isJson ? JSON.parse(text) : text }
}

/**
 * No route takes this, and a body is looked at after its caller: whoever is let in changes nothing. What is refused for
 * its ticket must be read, so that the ticket and not the body is the reason.
 */
const UNREADABLE = { body: 'x', type: 'application/x-nobody-reads-this' }
const EMPTY = { body: '{}', type: 'application/json' }

function called(
  { baseUrl, params = {} }: AuthMatrix,
  { method, template }: MatrixRoute,
  { headers }: MatrixCaller,
  isRead: boolean,
): Promise<Response> {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => params[name] ?? crypto.randomUUID())
  const { body, type } = isRead ? EMPTY : UNREADABLE
  const sent = method === 'GET' ? { headers } : { headers: { ...headers, 'content-type': type }, body }
  return fetch(new URL(path, baseUrl), { method, redirect: 'manual', ...sent })
}
