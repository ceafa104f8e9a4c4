// An organization of the document platform to try it with: made once, through its API, as an administrator would.
import { setTimeout as sleep } from 'node:timers/promises'

/** Names in the demo; people are told of them on the home page and in data/demo.json. */
const NAME = 'Hospital Santa Clara'
const IDENTIFIER = '11444777000161'
const APPLICATION = 'demo'
const user = { name: 'Helena Prado', email: 'helena@hospital.example', password: 'senha-da-helena' } as const
const folders = ['Contratos', 'Prontuários']

/** What `data/demo.json` tells of it. */
interface DemoOrganization {
  readonly apiKey: string
  readonly organizationId: string
  readonly userEmail: string
  readonly userPassword: string
}

/** The organization of a former start while its key is accepted, else one made now. */
export async function demoOrganization(
  baseUrl: string,
  administrationKey: string,
  former: { readonly apiKey?: string | undefined; readonly organizationId?: string | undefined } | undefined,
): Promise<DemoOrganization> {
  const administration = caller(baseUrl, administrationKey)
  await administration.untilKnown()
  const shown = { userEmail: user.email, userPassword: user.password }
  const { apiKey, organizationId } = former ?? {}
  if (apiKey && organizationId && (await caller(baseUrl, apiKey).isKnown())) return { apiKey, organizationId, ...shown }
  const { id } = await organization(administration)
  const key = await applicationKey(administration, id)
  const member = caller(baseUrl, key)
  await member.untilKnown()
  const accessProfile = { administrator: true, manager: true, operator: true }
  await administration.call('POST', `/api/organizations/${id}/users`, { ...user, accessProfile })
  await makeFolders(member)
  return { apiKey: key, organizationId: id, ...shown }
}

type Caller = ReturnType<typeof caller>

function caller(baseUrl: string, apiKey: string) {
  const send = (method: string, path: string, body?: object) =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'X-Api-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const isKnown = async () => (await send('GET', '/api/documents?limit=0')).status === 200
  return {
    isKnown,
    async call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
      const answer = await send(method, path, body)
      const text = await answer.text()
      if (!answer.ok) throw new Error(`The demo's organization: ${method} ${path} answered ${answer.status}: ${text}`)
      return (text === '' ? undefined : JSON.parse(text)) as Answer
    },
    /** A key is known a moment after it was made. */
    async untilKnown(): Promise<void> {
      while (!(await isKnown())) await sleep(20)
    },
  }
}

interface Page<Item> {
  readonly items: readonly Item[]
}

interface Named {
  readonly id: string
  readonly name: string
}

async function organization({ call }: Caller): Promise<Named> {
  const { items } = await call<Page<Named>>('GET', `/api/admin/organizations?limit=50&q=${encodeURIComponent(NAME)}`)
  const known = items.find(({ name }) => name === NAME)
  return known ?? call<Named>('POST', '/api/admin/organizations', { name: NAME, identifier: IDENTIFIER })
}

async function applicationKey({ call }: Caller, organizationId: string): Promise<string> {
  const path = `/api/organizations/${organizationId}/applications`
  const known = (await call<readonly Named[]>('GET', path)).find(({ name }) => name === APPLICATION)
  const { apiKey } = known
    ? await call<{ apiKey: string }>('POST', `${path}/${known.id}/keys`, { description: 'Made by npm start' })
    : await call<{ apiKey: string }>('POST', path, { name: APPLICATION })
  return apiKey
}

async function makeFolders({ call }: Caller): Promise<void> {
  const { items } = await call<Page<Named>>('GET', '/api/folders?limit=50')
  for (const name of folders)
    if (!items.some((folder) => folder.name === name)) await call('POST', '/api/folders', { name })
}
