// Every route of the service gets null, unknown fields, wrong types and strange texts in every place.
import { routesOf } from '@chancela/service-kernel/http'
import { type Answer, callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { sampleOf, type Tried, type Wrong, wrongRequests } from '../../pki-core/test/test-support/wrong-input.ts'
import { errors } from '../src/contract/errors.ts'
import { credentialSurface } from '../src/surfaces.ts'
import { databases, organizationAt, personOf, sharedPlatform } from './test-support/credential-world.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { bodies, fixture, type Made, plainRoute } from './test-support/route-fixture.ts'

/** What is wrong with an answer to a wrong request; undefined for a good one. */
function faultIn({ names, tells }: Wrong, { status, body, text }: Answer): string | undefined {
  const isOfModel = status < 400 || Object.hasOwn(errors, body?.code)
  if (status >= 500 || !isOfModel) return `${status} ${text.slice(0, 300)}`
  const wanted = names ?? tells
  if (wanted === undefined) return undefined
  if (status !== 400) return `${status}, not 400: ${text.slice(0, 200)}`
  // An error of a union is told of the whole of it.
  const told = Object.keys(body.errors ?? {})
  return told.some((field) => wanted.startsWith(field) || field.startsWith(wanted)) ? undefined : text.slice(0, 200)
}

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>

const AT_ONCE = 8

async function faultsOf(send: Send, method: string, requests: readonly Wrong[]): Promise<readonly string[]> {
  const faults: string[] = []
  const waiting = [...requests]
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const fault = faultIn(one, await send(method, one.path, one.body))
      if (fault) faults.push(`${method} ${one.path.slice(0, 80)}, ${one.what.slice(0, 80)}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return faults
}

/** What a parameter stands for follows from what stands before it. */
const things: Readonly<Record<string, keyof Made>> = {
  subscriptions: 'subscription',
  institutes: 'institute',
  users: 'user',
  applications: 'application',
  keys: 'key',
  'wallet-keys': 'walletKey',
  issuers: 'institute',
  partnerships: 'partnership',
  courses: 'course',
  flows: 'flow',
  templates: 'template',
  'template-guides': 'templateKind',
  degrees: 'degree',
  emissions: 'emission',
  curriculums: 'curriculum',
  'academic-transcripts': 'transcript',
  registrations: 'registration',
  'cancellation-lists': 'list',
  'inspection-files': 'inspection',
  restamps: 'restamp',
  documents: 'document',
  signings: 'signing',
  files: 'xml',
  batches: 'degreeBatch',
  layouts: 'layout',
  forms: 'form',
}

const pathIn = (template: string, made: Made): string =>
  template.replaceAll(/([\w-]+)\/\{\w+\}/g, (_, before: string) => `${before}/${made[things[before]!]}`)

/** Says nothing about input, or would end what the other calls need. */
const excepted = new Set(['DELETE /api/session'])

for (const database of databases) {
  describe(`wrong input on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const isFirst = database === databases[0]

    test('is refused by the names of the fields on every route, and is never a failure', async () => {
      const world = open()
      const organization = await organizationAt(world)
      const made = await fixture(world, organization)
      const { cookie } = await personOf(world, organization, 'Administrador')
      const keyed = { 'X-Api-Key': world.systemKey, 'X-Subscription': organization.subscriptionId }
      const faults: string[] = []
      const tried: Tried = new WeakSet()
      let count = 0
      for (const { route, template } of routesOf(world.apps[credentialSurface.name]!)) {
        const name = `${route.method} ${template}`
        if (route.page || excepted.has(name)) continue
        const given = Object.entries(bodies(made)).find(([one]) => plainRoute(one) === plainRoute(name))?.[1]
        const valid = given ?? (route.body ? sampleOf(route.body) : undefined)
        const pathWith = (param = '', value = '') => pathIn(template.replace(`{${param}}`, value), made)
        // What a schema refuses comes to no database: once is enough.
        const requests = wrongRequests(route, pathWith, valid, tried).filter(
          ({ names }) => isFirst || names === undefined,
        )
        count += requests.length
        const send = callerOf(world.baseUrl, route.access?.endsWith('visitor') ? { cookie } : keyed).json as Send
        faults.push(...(await faultsOf(send, route.method, requests)))
      }
      expect(faults).toEqual([])
      expect(count).toBeGreaterThan(300)
    })
  })
}
