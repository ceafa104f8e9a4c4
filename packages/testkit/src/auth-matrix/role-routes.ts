import type { ConsoleRights, ConsoleRole } from '@chancela/admin-console/contract'
import { type App, routesOf } from '@chancela/service-kernel/http'

/** What a role may that changes something, and what it may not that reads. */
interface RoleRoutes {
  readonly changes: readonly string[]
  readonly doesNotRead: readonly string[]
}

/** The routes of a console by what a role may, for a list that a person has read; one's own account is left out. */
export function roleRoutes(app: App, rights: ConsoleRights, role: ConsoleRole): RoleRoutes {
  const ofRights = routesOf(app).filter(({ route: { access = '' } }) => Object.hasOwn(rights, access))
  const routes = ofRights.map(({ route, template }) => ({
    ...route,
    path: template.replaceAll(/(?<=\/):(\w+)/g, '{$1}'),
  }))
  const named = (isIn: (isRead: boolean, isAllowed: boolean) => boolean) =>
    routes
      .filter(({ method, access }) => isIn(method === 'GET', rights[access!]!.roles.includes(role)))
      .map(({ method, path }) => `${method} ${path}`)
      .sort()
  return {
    changes: named((isRead, isAllowed) => !isRead && isAllowed),
    doesNotRead: named((isRead, isAllowed) => isRead && !isAllowed),
  }
}
