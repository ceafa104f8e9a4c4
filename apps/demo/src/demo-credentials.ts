// A university of the credential platform to try it with: made once, through its API, as the operator would.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { consoleAccess, type DemoAdministrator } from './demo-administrator.ts'

/** Names in the demo; data/demo.json shows the ids. */
const SUBSCRIPTION = 'Universidade Santa Clara'
const APPLICATION = 'demo'

/** What `data/demo.json` contains of it. */
interface DemoUniversity {
  readonly apiKey: string
  readonly subscriptionId: string
  readonly instituteId: string
  readonly userEmail: string
  readonly userPassword: string
}

interface Named {
  readonly id: string
  readonly name: string
}

interface Page<Item> {
  readonly items: readonly Item[]
}

/** The university of an earlier start while its key is accepted, else a new one. */
export async function demoUniversity(
  baseUrl: string,
  administrationKey: string,
  former: Partial<DemoUniversity> | undefined,
  administrator: DemoAdministrator,
): Promise<DemoUniversity> {
  const shown = consoleAccess(administrator)
  const { apiKey, subscriptionId, instituteId } = former ?? {}
  // A new key is accepted only after a moment.
  while ((await send(baseUrl, administrationKey, 'GET', '/api/subscriptions')).status !== 200) await sleep(20)
  if (apiKey && subscriptionId && instituteId && (await isKnown(baseUrl, apiKey)))
    return { apiKey, subscriptionId, instituteId, ...shown }
  const { id } = await subscription(caller(baseUrl, administrationKey))
  const member = caller(baseUrl, administrationKey, id)
  await user(member, administrator)
  return { apiKey: await key(member), subscriptionId: id, instituteId: await institute(member), ...shown }
}

interface Reached {
  readonly baseUrl: string
  readonly apiKey?: string
}

/** Gives the university the e-CNPJ that closes its documents, where it has none and the demo PKI runs. */
export async function certifyUniversity(
  { baseUrl, apiKey = '', instituteId }: Reached & Partial<DemoUniversity>,
  pki: Reached,
  { name: responsibleName }: Pick<DemoAdministrator, 'name'>,
): Promise<void> {
  const path = `/api/institutes/${instituteId}/certificate`
  if ((await send(baseUrl, apiKey, 'GET', path)).status !== 404) return
  const { name, cnpj } = university
  const password = randomBytes(16).toString('base64url')
  const responsible = { name: responsibleName, cpf: '39053344705' }
  const asked = { name, cnpj, responsible, password }
  const { pkcs12 } = await caller(pki.baseUrl, pki.apiKey ?? '')<{ pkcs12: string }>('POST', '/api/companies', asked)
  await caller(baseUrl, apiKey)('PUT', path, { content: pkcs12, password })
}

const send = (baseUrl: string, apiKey: string, method: string, path: string, body?: object, place?: string) =>
  fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      'X-Api-Key': apiKey,
      ...(place && { 'X-Subscription': place }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

const isKnown = async (baseUrl: string, apiKey: string): Promise<boolean> =>
  (await send(baseUrl, apiKey, 'GET', '/api/institutes')).status === 200

type Call = <Answer>(method: string, path: string, body?: object) => Promise<Answer>

const caller =
  (baseUrl: string, apiKey: string, place?: string): Call =>
  async <Answer>(method: string, path: string, body?: object) => {
    const answer = await send(baseUrl, apiKey, method, path, body, place)
    if (!answer.ok) throw new Error(`${method} ${baseUrl}${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Answer
  }

async function subscription(call: Call): Promise<Named> {
  const { items } = await call<Page<Named>>('GET', `/api/subscriptions?q=${encodeURIComponent(SUBSCRIPTION)}`)
  return items.find(({ name }) => name === SUBSCRIPTION) ?? call('POST', '/api/subscriptions', { name: SUBSCRIPTION })
}

interface Invited {
  readonly email: string
  readonly id: string
}

/** Invited, and accepted at once: the demo is its own mailbox. */
async function user(call: Call, { name, email, password }: DemoAdministrator): Promise<void> {
  const { items } = await call<Page<Invited>>('GET', `/api/users?q=${encodeURIComponent(email)}`)
  const known = items.find((one) => one.email === email)
  const { invitationUrl } = known
    ? await call<{ invitationUrl: string | null }>('POST', `/api/users/${known.id}/invitation`)
    : await call<{ invitationUrl: string | null }>('POST', '/api/users', { name, email, role: 'Administrador' })
  const ticket = invitationUrl && new URL(invitationUrl).searchParams.get('ticket')
  if (ticket) await call('POST', '/api/session/invitation', { ticket, password })
}

async function key(call: Call): Promise<string> {
  const { items } = await call<Page<Named>>('GET', `/api/applications?q=${APPLICATION}`)
  const asked = { name: APPLICATION, role: 'Administrador' }
  const known = items.find(({ name }) => name === APPLICATION)
  const { id } = known ?? (await call<Named>('POST', '/api/applications', asked))
  const made = { description: 'npm start' }
  return (await call<{ key: string }>('POST', `/api/applications/${id}/keys`, made)).key
}

const endereco = {
  logradouro: 'Avenida das Acácias',
  numero: '1000',
  bairro: 'Centro',
  codigoMunicipio: '4205407',
  nomeMunicipio: 'Florianópolis',
  uf: 'SC',
  cep: '88010000',
}

const university = {
  kind: 'IssuerAndRegistrar',
  name: SUBSCRIPTION,
  code: '12345',
  cnpj: '11444777000161',
  publicUrl: 'http://localhost:8086',
  data: {
    endereco,
    credenciamento: { tipo: 'Decreto', numero: '1234', data: '1990-05-21' },
    mantenedora: { razaoSocial: 'Fundação Santa Clara', cnpj: '11444777000161', endereco },
  },
}

async function institute(call: Call): Promise<string> {
  const { items } = await call<Page<Named>>('GET', '/api/institutes')
  return (items[0] ?? (await call<Named>('POST', '/api/institutes', university))).id
}
