// An organization of the document platform to try it with: created once, through its API, as an administrator would.
import { consoleAccess, type DemoAdministrator } from './demo-administrator.ts'
import { type PlatformCaller, platformCaller } from './platform-caller.ts'

/** Names in the demo; the home page and data/demo.json show them. */
const NAME = 'Hospital Santa Clara'
const IDENTIFIER = '11444777000161'
const APPLICATION = 'demo'
const folders = ['Contratos', 'Prontuários']

/** What `data/demo.json` contains of it. */
interface DemoOrganization {
  readonly apiKey: string
  readonly organizationId: string
  readonly userEmail: string
  readonly userPassword: string
}

/** The organization of an earlier start while its key is accepted, else a new one. */
export async function demoOrganization(
  baseUrl: string,
  administrationKey: string,
  former: { readonly apiKey?: string | undefined; readonly organizationId?: string | undefined } | undefined,
  user: DemoAdministrator,
): Promise<DemoOrganization> {
  const administration = platformCaller(baseUrl, administrationKey)
  await administration.untilKnown()
  const shown = consoleAccess(user)
  const { apiKey, organizationId } = former ?? {}
  if (apiKey && organizationId && (await platformCaller(baseUrl, apiKey).isKnown()))
    return { apiKey, organizationId, ...shown }
  const { id } = await organization(administration)
  const key = await applicationKey(administration, id)
  const member = platformCaller(baseUrl, key)
  await member.untilKnown()
  const accessProfile = { administrator: true, manager: true, operator: true }
  await administration.call('POST', `/api/organizations/${id}/users`, { ...user, accessProfile })
  await makeFolders(member)
  return { apiKey: key, organizationId: id, ...shown }
}

interface Page<Item> {
  readonly items: readonly Item[]
}

interface Named {
  readonly id: string
  readonly name: string
}

async function organization({ call }: PlatformCaller): Promise<Named> {
  const { items } = await call<Page<Named>>('GET', `/api/admin/organizations?limit=50&q=${encodeURIComponent(NAME)}`)
  const known = items.find(({ name }) => name === NAME)
  return known ?? call<Named>('POST', '/api/admin/organizations', { name: NAME, identifier: IDENTIFIER })
}

async function applicationKey({ call }: PlatformCaller, organizationId: string): Promise<string> {
  const path = `/api/organizations/${organizationId}/applications`
  const known = (await call<readonly Named[]>('GET', path)).find(({ name }) => name === APPLICATION)
  const { apiKey } = known
    ? await call<{ apiKey: string }>('POST', `${path}/${known.id}/keys`, { description: 'npm start' })
    : await call<{ apiKey: string }>('POST', path, { name: APPLICATION })
  return apiKey
}

async function makeFolders({ call }: PlatformCaller): Promise<void> {
  const { items } = await call<Page<Named>>('GET', '/api/folders?limit=50')
  for (const name of folders)
    if (!items.some((folder) => folder.name === name)) await call('POST', '/api/folders', { name })
}
