// A credential platform with one organization and one institution, which nobody has used yet.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { systemClock } from '@chancela/service-kernel/clock'
import { type ApiKeyTables, createApplication, createKey } from '@chancela/service-kernel/http'
import { openStore } from '@chancela/service-kernel/store'
import { startProgram } from '../../harness/program.ts'
import type { ServiceOrder } from '../serve-order.ts'

export interface IssuingSchool {
  readonly pid: number
  readonly instituteId: string
  /** Asks in the name of the organization; throws on a refusal. */
  ask(method: string, path: string, body?: string | ReadableStream<Uint8Array>, type?: string): Promise<Response>
  /** Ends it and removes everything it had on disk. */
  remove(): Promise<void>
}

/** Starts the service on a fresh folder; the first start creates the schema, the second knows the operator's key. */
export async function startSchool(on: string): Promise<IssuingSchool> {
  const dataFolder = await mkdtemp(join(on, 'credentials-'))
  const name = basename(dataFolder).toLowerCase()
  const url = `sqlite:${join(dataFolder, 'credentials.db')}`
  const settings = { Http: { Port: 0 }, Database: { Url: url }, RateLimiting: { Enabled: false } }
  const order: ServiceOrder = { name, dataFolder, settings }
  await (await start(order)).stop()
  const store = await openStore<ApiKeyTables>({ url, service: name })
  const operator = await createApplication(store, 'administration', systemClock(), { byOperator: true })
  const asked = { applicationId: operator.id, description: 'bench', form: 'application|secret' } as const
  const { key } = await createKey(store, asked, systemClock())
  await store.close()
  const { pid, message: baseUrl, stop } = await start(order)
  const call = caller(baseUrl, { 'X-Api-Key': key })
  const { id: subscription } = await json(call('POST', '/api/subscriptions', JSON.stringify({ name: 'Universidade' })))
  const ask = caller(baseUrl, { 'X-Api-Key': key, 'X-Subscription': subscription })
  const { id: instituteId } = await json(ask('POST', '/api/institutes', JSON.stringify(institute)))
  const remove = async () => {
    await stop()
    await rm(dataFolder, { recursive: true, force: true })
  }
  return { pid, instituteId, ask, remove }
}

async function start(order: ServiceOrder) {
  const orderFile = join(order.dataFolder, 'order.json')
  await writeFile(orderFile, JSON.stringify(order))
  return startProgram<string>(new URL('./credentials-service-process.ts', import.meta.url), { args: [orderFile] })
}

const caller =
  (baseUrl: string, headers: Readonly<Record<string, string>>): IssuingSchool['ask'] =>
  async (method, path, body, type = 'application/json') => {
    const sent =
      body === undefined
        ? { headers }
        : { body, duplex: 'half' as const, headers: { ...headers, 'content-type': type } }
    const answer = await fetch(new URL(path, baseUrl), { method, ...sent })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }

// biome-ignore lint/suspicious/noExplicitAny: a few fields of a few answers are read.
export const json = async (answer: Promise<Response>): Promise<any> => (await answer).json()

const address = {
  logradouro: 'Avenida das Acácias',
  bairro: 'Centro',
  codigoMunicipio: '4205407',
  nomeMunicipio: 'Florianópolis',
  uf: 'SC',
  cep: '88010000',
}

const institute = {
  kind: 'IssuerAndRegistrar',
  name: 'Universidade Santa Clara',
  code: '1234',
  cnpj: '11444777000161',
  publicUrl: 'https://diplomas.example.edu.br/verificar',
  data: {
    endereco: address,
    credenciamento: { tipo: 'Decreto', numero: '1234', data: '1990-05-21' },
    mantenedora: { razaoSocial: 'Fundação Santa Clara', cnpj: '11444777000161', endereco: address },
  },
}
