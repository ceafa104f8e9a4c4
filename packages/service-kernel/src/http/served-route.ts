import { isSensitive, MASK } from './logs/sensitive-names.ts'
import { pathPattern, pathPieces, routerPath } from './path-template.ts'
import type { RouteShape } from './route.ts'

/** A route as an app serves it. */
export interface ServedRoute {
  readonly route: RouteShape
  /** The path with the app's prefix, as the route wrote it. */
  readonly template: string
  /** The same in the router's notation. */
  readonly path: string
  readonly pattern: RegExp
  /** The path as it may be logged: values of sensitive parameters masked. */
  loggedPath(params: unknown): string
}

export function servedRoute(route: RouteShape, prefix: string): ServedRoute {
  const template = prefix + route.path
  const path = routerPath(template)
  return { route, template, path, pattern: pathPattern(template), loggedPath: loggedPaths(template) }
}

function loggedPaths(template: string): ServedRoute['loggedPath'] {
  const pieces = pathPieces(template).map((piece) => ('text' in piece || !isSensitive(piece.param) ? piece : masked))
  if (pieces.every((piece) => 'text' in piece)) {
    const path = pieces.map(({ text }) => text).join('')
    return () => path
  }
  return (params) => {
    const values = params as Readonly<Record<string, string>>
    return pieces.map((piece) => ('text' in piece ? piece.text : (values[piece.param] ?? ''))).join('')
  }
}

const masked = { text: MASK }
