import { signedIn } from '@chancela/testkit/console'
import { onTestFinished } from 'vitest'
import { bundlePages, type VisitOptions } from './bundle-pages.ts'

type World = Parameters<typeof signedIn>[0]
type Role = Parameters<typeof signedIn>[1]

/** The bundle of a console and a browser, for all tests of a file. */
export function consolePages(name: string) {
  const pages = bundlePages(name)

  /** The console of a real running server. */
  async function consoleOf(server: World) {
    const { origin, stop } = await pages.swap(server.consoleUrl)
    onTestFinished(stop)
    const visit = (path: string, options: VisitOptions = {}) => pages.visit(origin, path, server.clock, options)

    /** A visitor who has signed in, as an administrator unless another role is said. */
    async function enter(path: string, { role, ...options }: VisitOptions & { role?: Role } = {}) {
      const administrator = await signedIn(server, role)
      const page = await visit(path, { ...options, cookies: administrator.jar })
      return { page, administrator }
    }

    return { origin, visit, enter }
  }

  return { consoleOf }
}
