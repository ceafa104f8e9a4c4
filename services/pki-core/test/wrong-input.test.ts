// Every route of the service gets null, unknown fields, wrong types and strange texts in every place.
import { routesOf } from '@chancela/service-kernel/http'
import { signedIn } from '@chancela/testkit/console'
import { type Answer, callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { consoleErrors } from '../src/contract/console-errors.ts'
import { errors } from '../src/contract/errors.ts'
import { consoleSurface, coreSurface } from '../src/surfaces.ts'
import { type CoreWorld, clientAt, databases, sharedCore } from './test-support/core-world.ts'
import { ownAlso } from './test-support/management.ts'
import { bodies, fixture, type Made, pathOf } from './test-support/route-fixture.ts'
import { begin } from './test-support/sessions.ts'
import { sampleOf, type Tried, type Wrong, wrongRequests } from './test-support/wrong-input.ts'

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>

/** Somebody who may everything: in a subscription, in the instance, and on the pages of its sessions. */
async function mighty(world: CoreWorld): Promise<{ send: Send; made: Made }> {
  const admin = await clientAt(world, { roles: ['Admin'] })
  await ownAlso(world, admin)
  const made = await fixture(admin, admin)
  const { token } = await begin({ ...admin, baseUrl: world.baseUrl }, {})
  const started = { returnUrl: 'https://app.example/back' }
  const { sessionUrl } = (await admin.json('POST', '/api/bio/sessions/liveness', started)).body
  const headers = {
    'X-Api-Key': admin.apiKey,
    'X-Signature-Session-Token': token,
    'X-Bio-Session-Token': new URL(sessionUrl).searchParams.get('token')!,
  }
  return { send: callerOf(world.baseUrl, headers).json as Send, made }
}

/** Whether an answer is one of the contract, or of the admin page: a refusal has a code of its vocabulary. */
function isOfModel({ status, body }: Answer): boolean {
  if (status < 400) return true
  if (body?.error) return Object.hasOwn(consoleErrors, body.error.code)
  return status === 422 ? Object.hasOwn(errors, body.code) : typeof body?.message === 'string'
}

/** What is wrong with an answer to a wrong request; undefined for a good one. */
function faultIn({ names, tells }: Wrong, answer: Answer, isTold: boolean): string | undefined {
  const { status, body, text, headers } = answer
  if (status >= 500 || !isOfModel(answer)) return `${status} ${text}`
  if (isTold && tells !== undefined && !headers.get('warning')?.includes(tells)) return `nobody is told of ${tells}`
  if (names === undefined) return undefined
  if (status !== 400) return `${status}, not 400: ${text.slice(0, 200)}`
  // An error of a union is told of the whole of it.
  const told = Object.keys(body.errors ?? body.error?.details?.errors ?? {})
  return told.some((field) => names.startsWith(field) || field.startsWith(names)) ? undefined : text.slice(0, 200)
}

const AT_ONCE = 8

async function faultsOf(send: Send, method: string, requests: readonly Wrong[], isTold: boolean) {
  const faults: string[] = []
  const waiting = [...requests]
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const fault = faultIn(one, await send(method, one.path, one.body), isTold)
      if (fault) faults.push(`${method} ${one.path.slice(0, 80)}, ${one.what.slice(0, 80)}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return faults
}

/** Signs the caller out, or says nothing about input. */
const excepted = new Set(['DELETE /api/session'])

for (const database of databases) {
  describe(`wrong input on ${database}`, () => {
    const world = sharedCore(database)
    const isFirst = database === databases[0]

    /** The faults of a surface, and how many requests there were. */
    async function tried(surface: string, send: Send, made: Made | undefined) {
      const faults: string[] = []
      const tried: Tried = new WeakSet()
      let count = 0
      for (const { route, template } of routesOf(world().apps[surface]!)) {
        const name = `${route.method} ${template}`
        if (route.page || excepted.has(name)) continue
        const given = made && Object.entries(bodies(made)).find(([one]) => plain(one) === plain(name))?.[1]
        const valid = given ?? (route.body ? sampleOf(route.body) : undefined)
        const pathWith = (param = '', value = '') => {
          const path = template.replace(`{${param}}`, value)
          return made ? pathOf(path, made) : path.replaceAll(/\{\w+\}/g, crypto.randomUUID())
        }
        // What a schema refuses comes to no database: once is enough.
        const requests = wrongRequests(route, pathWith, valid, tried).filter(
          ({ names }) => isFirst || names === undefined,
        )
        count += requests.length
        faults.push(...(await faultsOf(send, route.method, requests, surface === coreSurface.name)))
      }
      return { faults, count }
    }

    test('is refused by the fields’ names on every route of the contract, and is never a failure', async () => {
      const { send, made } = await mighty(world())
      const { faults, count } = await tried(coreSurface.name, send, made)
      expect(faults).toEqual([])
      expect(count).toBeGreaterThan(800)
    })

    test('is refused on every route of the admin page, and is never a failure', async () => {
      const { call } = await signedIn(world())
      const { faults, count } = await tried(consoleSurface.name, call as Send, undefined)
      expect(faults).toEqual([])
      expect(count).toBeGreaterThan(300)
    })
  })
}

/** Names of parameters do not matter. */
const plain = (route: string): string => route.replaceAll(/\{\w+\}/g, '{}')
