// The pages of the credential platform before the real service, with an organization and people of it.
import { onTestFinished } from 'vitest'
import {
  type CredentialWorld,
  type Organization,
  organizationAt,
  personOf,
} from '../../../services/credential-platform/test/test-support/credential-world.ts'
import { bundlePages, type VisitOptions } from './bundle-pages.ts'

export type Role = Parameters<typeof personOf>[2]

/** The bundle and a browser, for all tests of a file. */
export function credentialPages() {
  const pages = bundlePages('credentials')

  return async (world: CredentialWorld) => {
    const { origin, stop } = await pages.swap(world.baseUrl)
    onTestFinished(stop)
    const organization = await organizationAt(world)
    const visit = (path: string, options: VisitOptions = {}) => pages.visit(origin, path, world.clock, options)

    /** A person of the organization who has signed in. */
    async function enter(path: string, role: Role, options: VisitOptions = {}, where: Organization = organization) {
      const { cookie, ...person } = await personOf(world, where, role)
      const [name, value] = cookie.split('=') as [string, string]
      return { person, page: await visit(path, { ...options, cookies: new Map([[name, value]]) }) }
    }

    return { origin, organization, visit, enter }
  }
}
