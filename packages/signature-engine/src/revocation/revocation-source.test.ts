import type { IssuedCertificate, RunningDemoPki } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { exchangeOverHttp, type HttpExchange, type HttpRequest, type HttpResponse } from '../http/exchange.ts'
import { Certificate } from '../x509/certificate.ts'
import { authority, craft, crlUrls } from '../x509/test-support/crafted-certificate.ts'
import type { RevocationCache, StoredRevocationData } from './revocation-cache.ts'
import { RevocationSource, type RevocationSourceOptions } from './revocation-source.ts'
import { craftList, entry } from './test-support/crafted-list.ts'

let running: RunningDemoPki
beforeAll(async () => {
  running = await pkiOfToday()
})
afterEach(() => running.faults.clear())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const now = new Date()
const later = (ms: number) => new Date(now.getTime() + ms)
const read = ({ der }: IssuedCertificate) => Certificate.read(der)
const certificate = (label: string) => read(running.pki.certificate(label))

interface Recorded {
  readonly source: RevocationSource
  readonly requests: HttpRequest[]
  readonly statuses: number[]
}

/** A source whose exchanges are recorded. */
function recording(options: Omit<RevocationSourceOptions, 'exchange'> = {}): Recorded {
  const requests: HttpRequest[] = []
  const statuses: number[] = []
  const exchange: HttpExchange = async (request) => {
    requests.push(request)
    const response = await exchangeOverHttp(request)
    statuses.push(response.status)
    return response
  }
  return { source: new RevocationSource({ exchange, ...options }), requests, statuses }
}

const ask = (source: RevocationSource, label: string, at = now) =>
  source.ask(certificate(label), certificate(running.pki.certificate(label).issuer), { now: at })

describe('which is asked', () => {
  test.each([
    ['OCSP first, unless told otherwise', {}, 'ocsp'],
    ['the list first, if so told', { methods: ['crl', 'ocsp'] }, 'crl'],
    ['the list only', { methods: ['crl'] }, 'crl'],
  ] as const)('%s', async (_what, options, expected) => {
    const { source, requests } = recording(options)
    const { answer } = await ask(source, 'ana-souza')
    expect(answer).toMatchObject({ source: expected, revocation: null })
    expect(requests.length).toBe(1)
  })

  test('without any address there is a problem, and no question', async () => {
    const { source, requests } = recording()
    expect(await source.ask(certificate('root'), certificate('root'), { now })).toEqual({
      answer: null,
      problems: ['The certificate names no address to ask.'],
    })
    expect(requests).toEqual([])
  })

  test('addresses of other protocols are left alone', async () => {
    const { source, requests } = recording()
    const issuer = craft({ extensions: authority() })
    const holder = craft({ issuer, extensions: [crlUrls('ldap://x.example/cn=list', 'file:///etc/passwd')] })
    expect((await source.ask(holder.certificate, issuer.certificate, { now })).answer).toBeNull()
    expect(requests).toEqual([])
  })
})

describe('what is remembered', () => {
  test('an answer, for as long as it holds but an hour at most', async () => {
    const { source, requests } = recording({ methods: ['crl'] })
    await ask(source, 'ana-souza')
    await ask(source, 'bruno-lima')
    await ask(source, 'ana-souza', later(50 * MINUTE))
    expect(requests.length).toBe(1)
    await ask(source, 'ana-souza', later(2 * HOUR))
    expect(requests.length).toBe(2)
  })

  test('an OCSP answer, by certificate', async () => {
    const { source, requests } = recording()
    await ask(source, 'ana-souza')
    await ask(source, 'ana-souza', later(10 * MINUTE))
    await ask(source, 'bruno-lima')
    expect(requests.length).toBe(2)
  })

  test('the date of a list, so that an unchanged one is not sent again', async () => {
    const { source, requests, statuses } = recording({ methods: ['crl'] })
    await ask(source, 'bulky-good')
    const again = await ask(source, 'bulky-good', later(2 * HOUR))
    expect(requests[1]?.headers).toMatchObject({ 'if-modified-since': expect.stringMatching(/GMT$/) })
    expect(statuses).toEqual([200, 304])
    expect(again.answer).toMatchObject({ source: 'crl', revocation: null })
  })

  test('a list that still holds, while its address fails', async () => {
    const { source } = recording({ methods: ['crl'] })
    await ask(source, 'ana-souza')
    for (const area of ['crl', 'crl-mirror'] as const) running.faults.set(area, { kind: 'http-500' })
    expect((await ask(source, 'ana-souza', later(2 * HOUR))).answer).toMatchObject({ revocation: null })
  })

  test('a failure, for half a minute, and not longer', async () => {
    const { source, requests } = recording({ methods: ['ocsp'] })
    running.faults.set('ocsp', { kind: 'http-500' })
    expect((await ask(source, 'ana-souza')).answer).toBeNull()
    expect((await ask(source, 'ana-souza', later(20_000))).problems[0]).toContain('500')
    expect(requests.length).toBe(1)
    running.faults.clear()
    expect((await ask(source, 'ana-souza', later(40_000))).answer).toMatchObject({ source: 'ocsp' })
  })

  test('no more than the memory it was given', async () => {
    const { source, requests } = recording({ methods: ['crl'], maxCrlMemory: 10_000 })
    await ask(source, 'bulky-good')
    await ask(source, 'bulky-good')
    expect(requests.length).toBe(2)
  })
})

describe('many at the same time', () => {
  test('share one exchange', async () => {
    const { source, requests } = recording({ methods: ['crl'] })
    const findings = await Promise.all(['ana-souza', 'revoked', 'ana-souza'].map((label) => ask(source, label)))
    expect(findings.map(({ answer }) => answer?.revocation?.reason ?? null)).toEqual([null, 'keyCompromise', null])
    expect(requests.length).toBe(1)
  })
})

describe('crafted answers', () => {
  const at = new Date('2027-06-01T12:00:00Z')
  const issuer = craft({ subject: { CN: 'Source' }, extensions: authority() })
  const holder = craft({ issuer, extensions: [crlUrls('http://lists.example/1.crl')] })

  /** A source with a fake network: each call takes the next answer. */
  function served(answers: readonly (Uint8Array | Partial<HttpResponse>)[], options: RevocationSourceOptions = {}) {
    let calls = 0
    const exchange: HttpExchange = async () => {
      const answer = answers[Math.min(calls++, answers.length - 1)]!
      return {
        status: 200,
        headers: {},
        body: Buffer.alloc(0),
        ...(answer instanceof Uint8Array ? { body: Buffer.from(answer) } : answer),
      }
    }
    const source = new RevocationSource({ exchange, ...options })
    return {
      ask: (when: Date) => source.ask(holder.certificate, issuer.certificate, { now: when }),
      calls: () => calls,
    }
  }

  test('an older list never replaces a newer one', async () => {
    const newer = craftList(issuer, {
      thisUpdate: new Date('2027-06-01'),
      entries: [entry(holder.certificate.serialNumber, new Date('2027-05-31'))],
    })
    const older = craftList(issuer, { thisUpdate: new Date('2027-05-01') })
    const { ask: question, calls } = served([newer, older])
    await question(at)
    const { answer } = await question(new Date(at.getTime() + 2 * HOUR))
    expect(calls()).toBe(2)
    expect(answer?.revocation).toMatchObject({ at: new Date('2027-05-31') })
  })

  test('a list from the future is none', async () => {
    const { ask: question } = served([craftList(issuer, { thisUpdate: new Date('2027-06-02') })])
    const { answer, problems } = await question(at)
    expect(answer).toBeNull()
    expect(problems[0]).toContain('future')
  })

  test('a list in PEM is taken too', async () => {
    const pem = `-----BEGIN X509 CRL-----\n${craftList(issuer).toString('base64')}\n-----END X509 CRL-----\n`
    expect((await served([Buffer.from(pem)]).ask(at)).answer).toMatchObject({ source: 'crl' })
  })

  test('a list without an end holds for a day', async () => {
    const { ask: question } = served([craftList(issuer, { thisUpdate: new Date('2027-06-01'), nextUpdate: null })])
    expect((await question(at)).problems).toEqual([])
    expect((await question(new Date('2027-06-03'))).problems.length).toBe(1)
  })

  test('a list of another authority is a problem', async () => {
    const other = craft({ subject: { CN: 'Source' }, extensions: authority() })
    const { answer, problems } = await served([craftList(other)]).ask(at)
    expect(answer).toBeNull()
    expect(problems[0]).toContain('not signed by')
  })

  test('a refusal and a page of text are problems', async () => {
    expect((await served([{ status: 404 }]).ask(at)).problems[0]).toContain('404')
    expect((await served([Buffer.from('<html>')]).ask(at)).problems.length).toBe(1)
  })

  test('an address that answers 304 out of the blue is a problem', async () => {
    expect((await served([{ status: 304 }]).ask(at)).problems[0]).toContain('304')
  })
})

describe('a lasting cache', () => {
  function memoryCache(): RevocationCache & { data: Map<string, StoredRevocationData> } {
    const data = new Map<string, StoredRevocationData>()
    return { data, get: async (key) => data.get(key), set: async (key, value) => void data.set(key, value) }
  }

  test('serves the next process without any exchange', async () => {
    const cache = memoryCache()
    await ask(recording({ cache }).source, 'ana-souza')
    await ask(recording({ cache, methods: ['crl'] }).source, 'ana-souza')
    expect(cache.data.size).toBe(2)
    const { source, requests } = recording({ cache })
    expect((await ask(source, 'ana-souza', later(MINUTE))).answer).toMatchObject({ source: 'ocsp', revocation: null })
    const lists = recording({ cache, methods: ['crl'] })
    expect((await ask(lists.source, 'ana-souza', later(MINUTE))).answer).toMatchObject({ source: 'crl' })
    expect([...requests, ...lists.requests]).toEqual([])
  })

  test('is not believed: what somebody changed in it is asked for again', async () => {
    const cache = memoryCache()
    await ask(recording({ cache, methods: ['crl'] }).source, 'revoked')
    for (const [key, stored] of cache.data) {
      const bytes = Buffer.from(stored.bytes)
      bytes[bytes.length - 5]! ^= 1
      cache.data.set(key, { ...stored, bytes })
    }
    const { source, requests } = recording({ cache, methods: ['crl'] })
    expect((await ask(source, 'revoked')).answer).toMatchObject({ revocation: { reason: 'keyCompromise' } })
    expect(requests.length).toBe(1)
  })

  test('that fails costs an exchange, not an answer', async () => {
    const broken: RevocationCache = {
      get: () => Promise.reject(new Error('disk')),
      set: () => Promise.reject(new Error('disk')),
    }
    const { source } = recording({ cache: broken })
    expect((await ask(source, 'ana-souza')).answer).toMatchObject({ source: 'ocsp' })
    const { source: lists } = recording({ cache: broken, methods: ['crl'] })
    expect((await ask(lists, 'ana-souza')).answer).toMatchObject({ source: 'crl' })
  })
})
