import { type App, routesOf } from '@chancela/service-kernel/http'

/** What the kernel itself answers in every app: the front page, its icon, the contract and its reference. */
const KERNELS = /^GET \/(?:favicon\.ico|openapi\/v1\.json|scalar\/v1(?:\/scalar-[\d.]+\.js)?)?$/

/** Routes that an app answers without having served them: nothing has decided who may call them. */
export function unserved(app: App): readonly string[] {
  const served = new Set(routesOf(app).map(({ route, path }) => plain(`${route.method} ${path.toLowerCase()}`)))
  return routedIn(app).filter((name) => !served.has(plain(name)) && !KERNELS.test(name))
}

/** Names of parameters do not matter: the router prints several where routes differ in them. */
const plain = (name: string): string => name.replaceAll(/:\w+(?:\|:\w+)*/g, ':')

/** A line of the router's tree: how deep it is, its part of the path, and its methods, if something is there. */
const LINE = /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/

/** Every route the router knows, from the tree it prints; paths match in any case. */
function routedIn(app: App): readonly string[] {
  const parents: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, part, methods] = LINE.exec(line) ?? []
      if (indent === undefined || part === undefined) return []
      const depth = indent.length / 4
      const path = `${depth === 0 ? '' : parents[depth - 1]}${part}`
      parents[depth] = path
      return namesOf(methods, path)
    })
}

/** HEAD is answered wherever GET is, by the same route. */
const namesOf = (methods: string | undefined, path: string): readonly string[] =>
  (methods ?? '')
    .split(', ')
    .filter((method) => method !== '' && method !== 'HEAD')
    .map((method) => `${method} ${path.toLowerCase()}`)
