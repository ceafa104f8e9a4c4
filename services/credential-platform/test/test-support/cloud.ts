// The cloud hub and a provider behind it for tests of the platform: the real hub, over HTTP, and the simulator.
import { type RunningCloudProvider, startCloudProvider, type Walk } from '@chancela/testkit/cloud-provider'
import { holders } from '@chancela/testkit/demo-pki'
import { type SettingsFile, withSections } from '@chancela/testkit/service-world'
import { freePort } from '@chancela/testkit/tools'
import { afterAll, beforeAll, expect, vi } from 'vitest'
// The starter of the hub's own tests: the platform is tested against the real hub.
import { allowRedirects, followedUser } from '../../../cloud-hub/test/test-support/authorized.ts'
import { type HubWorld, sharedHub } from '../../../cloud-hub/test/test-support/hub-world.ts'
import { clock as hubClock } from '../../../cloud-hub/test/test-support/pki.ts'
import { addProvider } from '../../../cloud-hub/test/test-support/providers.ts'
import { type CredentialWorld, type Organization, personOf } from './credential-world.ts'
import { curriculumData, documentOf } from './issuing.ts'
import { clock, running, signingSettings } from './pki.ts'

export { hubClock }

/** The CPF of a person whose certificate the provider keeps. */
export function cpfOf(label: string): string {
  const { holder } = holders[label]!
  if (holder.kind !== 'person') throw new TypeError(`${label} is no person.`)
  return holder.cpf!
}

export const DEAN = cpfOf('bruno-lima')

/** What a platform needs to know of the hub before it starts. */
export interface Cloud {
  readonly hub: HubWorld
  readonly provider: RunningCloudProvider
  /** Settings of a platform that uses the hub; the platform is reached at `publicUrl`. */
  readonly settings: SettingsFile
  readonly publicUrl: string
  /** URL to which the hub redirects a holder who went from the chooser through the provider's pages. */
  back(chooserUrl: string, walk?: Partial<Walk>): Promise<string>
}

/** Starts hub and provider for the tests of a file. */
export function sharedCloud(): () => Cloud {
  const hub = sharedHub('SQLite')
  let cloud: Cloud | undefined
  let stop = async () => {}
  beforeAll(async () => {
    hubClock.set(clock())
    const provider = await startCloudProvider({ pki: running.pki, clock })
    stop = () => provider.stop()
    await addProvider(hub(), provider, { protocol: 'psc', serviceName: 'nuvem' })
    const port = await freePort()
    const publicUrl = `http://localhost:${port}`
    await allowRedirects(hub(), `${publicUrl}/cloud-return`)
    const { baseUrl, client } = hub()
    const settings = withSections(signingSettings, {
      Http: { Port: port, Host: 'localhost', PublicUrl: publicUrl },
      CloudHub: { Endpoint: baseUrl, ApiKey: client.apiKey },
    })
    cloud = { hub: hub(), provider, settings, publicUrl, back: (url, walk) => wentThrough(hub(), provider, url, walk) }
  })
  afterAll(() => stop())
  return () => cloud!
}

async function wentThrough(hub: HubWorld, provider: RunningCloudProvider, chooserUrl: string, over = {}) {
  const walk: Walk = { holder: 'bruno-lima', ...over }
  const ticket = new URL(chooserUrl).pathname.split('/').at(-1)!
  const { body } = await hub.json('GET', `/choices/${ticket}`)
  const [{ authUrl }] = body.services
  return (await followedUser(hub, provider, await provider.walk(authUrl, walk), walk)).href
}

/** A person who said as whom they sign, with a browser that keeps its cookies. */
export async function signerAt(world: Pick<CredentialWorld, 'baseUrl'>, organization: Organization, cpf = DEAN) {
  const person = await personOf(world, organization, 'Gerente')
  expect((await person.json('PUT', '/api/signer', { cpf })).status).toBe(200)
  return person
}

type Signer = Awaited<ReturnType<typeof signerAt>>

/** Begins in a browser; gives where the person is sent, and the cookies that come back. */
export async function beginCloud({ json, cookie }: Signer, documentIds: readonly string[]) {
  const { status, body, headers } = await json('POST', '/api/signings/cloud', { documentIds })
  const tie = headers.get('set-cookie')?.split(';')[0]
  return { status, body, cookies: [cookie, ...(tie ? [tie] : [])].join('; ') }
}

/** Returns to the platform; gives where it redirects the browser, and the outcome for the page. */
export async function comeBack(address: string, cookies: string) {
  const answer = await fetch(address, { redirect: 'manual', headers: { cookie: cookies } })
  const location = new URL(answer.headers.get('location')!, address)
  return { status: answer.status, location, outcome: location.searchParams.get('cloud') }
}

/** Looks until it has ended. */
export const ended = ({ json }: Pick<Signer, 'json'>, id: string) =>
  vi.waitUntil(
    async () => {
      const { body } = await json('POST', `/api/signings/${id}/look`)
      return body.state === 'ended' && body
    },
    { interval: 20 },
  )

/** A curriculum that waits for a person, and its document. */
export async function waitingCurriculum(
  school: Pick<Organization, 'json' | 'call'> & { readonly instituteId: string },
  more: object = {},
) {
  const data = curriculumData({ codigoCurriculo: `C-${crypto.randomUUID().slice(0, 8)}` })
  const made = await school.json('POST', '/api/curriculums', { instituteId: school.instituteId, data, ...more })
  expect(made.status).toBe(201)
  const path = `/api/curriculums/${made.body.id}`
  return { id: made.body.id as string, path, document: (await documentOf(school, made.body.id)).id as string }
}
