// Sessions bound to a list: the holder sees names and number before consent, and each hash is sent to the provider once.
import type { Fault } from '@chancela/testkit/cloud-provider'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { allowRedirects, begunAuthorization, REDIRECT_URI, returnedUser, shownList } from './test-support/authorized.ts'
import { databases, readAnswer, startHub, testOnce } from './test-support/hub-world.ts'
import { newDocument, outcomeOf, signingWorld, strangerTo } from './test-support/signing.ts'

const holder = 'ana-souza'
const named = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `Receita ${at + 1}.pdf`, ...newDocument() }))

type Named = ReturnType<typeof named>

const listOf = (documents: Named) => ({
  documents: documents.map(({ name, hash }) => ({ name, hash })),
  digestAlgorithm: 'SHA-256',
})

describe.each(databases)('a session bound to a list on %s', (database) => {
  const once = testOnce(database)
  const world = signingWorld(database)
  const bound = (documents: Named, more: object = {}) =>
    world.session({ type: 'SignatureSession', ...listOf(documents), ...more })
  const create = (body: object, path = `/api/sessions/services/${world.service.serviceName}`) =>
    world.hub.json('POST', path, { redirectUri: REDIRECT_URI, discover: false, ...body })
  const status = async (session: string) =>
    (await world.hub.json('GET', `/api/sessions/status?session=${session}`)).body
  const statesOf = async (session: string) =>
    (await status(session)).documents.map(({ state }: { state: string }) => state)
  const notAuthorized = (hash: string, reason: string) => ({
    status: 422,
    body: { code: 'HashNotAuthorized', details: { hash, reason } },
  })

  test('signs each hash of the list once; a foreign one, a repeated one and one more are refused', async () => {
    const documents = named(3)
    const [one, two, three] = documents as [Named[0], Named[0], Named[0]]
    const session = await bound(documents)
    const calls = world.counting()
    const foreign = newDocument().hash
    expect(await world.sign(session, foreign)).toMatchObject(notAuthorized(foreign, 'unlisted'))
    expect(calls('signature') + calls('certificates')).toBe(0)
    expect(two.isSignedBy((await world.sign(session, two.hash)).body, holder)).toBe(true)
    expect(await world.sign(session, two.hash)).toMatchObject(notAuthorized(two.hash, 'signed'))
    expect(await world.signAll(session, [one.hash, one.hash])).toMatchObject(notAuthorized(one.hash, 'repeated'))
    expect((await world.signAll(session, [one.hash, three.hash])).body.signatures).toHaveLength(2)
    expect(calls('signature')).toBe(2)
    // Nothing is left: the session is used, and its tokens are gone.
    expect(await world.row(session)).toMatchObject({ state: 'used', sealed_grant: null })
    expect(outcomeOf(await world.sign(session, one.hash))).toBe('422 SessionInvalidOrAlreadyUsed')
    expect(calls('signature')).toBe(2)
  })

  test('its status tells what is left', async () => {
    const documents = named(2)
    const session = await bound(documents)
    const [one, two] = listOf(documents).documents
    const answer = await status(session)
    expect(answer).toMatchObject({ type: 'SignatureSession', remainingHashes: 2 })
    expect(answer.documents).toEqual([
      { ...one, state: 'open' },
      { ...two, state: 'open' },
    ])
    await world.sign(session, two!.hash)
    expect(await status(session)).toMatchObject({
      remainingHashes: 1,
      documents: [
        { ...one, state: 'open' },
        { ...two, state: 'signed' },
      ],
    })
  })

  once('the status of a session without a list has no field more', async () => {
    const session = await world.session({ type: 'SignatureSession' })
    expect(Object.keys(await status(session))).toEqual(['serviceName', 'type', 'expiresAt', 'remainingSeconds'])
  })

  test('the holder is sent to a page of the hub that has names and number, and from there to the provider', async () => {
    const documents = named(2)
    const page = await begunAuthorization(world.hub, world.provider, {
      serviceName: world.service.serviceName,
      type: 'SignatureSession',
      ...listOf(documents),
    })
    expect(page).toMatch(new RegExp(`^${world.hub.settings.Http.PublicUrl}/choose/[\\w-]{43}$`))
    const shown = await shownList(page)
    expect(shown).toMatchObject({
      application: world.hub.client.name,
      documents: documents.map(({ name }) => name),
      services: [{ serviceInfo: { serviceName: world.service.serviceName }, available: true }],
    })
    expect(shown.services[0].authUrl).toContain(world.provider.psc.baseUrl)
    // Who goes back instead has refused.
    const back = await fetch(shown.backUrl, { redirect: 'manual' })
    expect(back.status).toBe(302)
    expect(new URL(back.headers.get('location')!).searchParams.get('error')).toBe('access_denied')
    expect((await readAnswer(await fetch(page.replace('/choose/', '/choices/')))).status).toBe(404)
  })

  once('the page is over with the time of the holder, and is nothing for who has no state', async () => {
    const page = await begunAuthorization(world.hub, world.provider, {
      serviceName: world.service.serviceName,
      lifetimeInSeconds: 60,
      ...listOf(named(1)),
    })
    const data = page.replace('/choose/', '/choices/')
    expect((await fetch(data)).status).toBe(200)
    world.hub.clock.advance(60_000)
    expect((await fetch(data)).status).toBe(404)
    // A session without a list has no page: its state shows nothing.
    const authUrl = await begunAuthorization(world.hub, world.provider, { serviceName: world.service.serviceName })
    const state = new URL(authUrl).searchParams.get('state')
    expect((await fetch(`${world.hub.baseUrl}/choices/${state}`)).status).toBe(404)
  })

  once('every way to create a session takes a list, and shows it before the provider', async () => {
    await allowRedirects(world.hub)
    const list = { type: 'SignatureSession', ...listOf(named(2)) }
    const { body: model } = await create(list, '/api/sessions')
    expect(Object.keys(model)).toEqual(['services'])
    expect(Object.keys(model.services[0])).toEqual(['serviceInfo', 'authUrl'])
    expect((await shownList(model.services[0].authUrl)).documents).toHaveLength(2)
    const { body: chooser } = await create(list, '/api/sessions/chooser')
    const shown = await shownList(chooser.chooserUrl)
    expect(shown.documents).toHaveLength(2)
    expect(shown.services[0].authUrl).toContain(world.provider.psc.baseUrl)
    // Without a list there is neither page nor field.
    expect(await shownList((await create({}, '/api/sessions/chooser')).body.chooserUrl)).not.toHaveProperty('documents')
  })

  once('a list that cannot be kept is refused by name when the session is created', async () => {
    await allowRedirects(world.hub)
    const [one, two] = listOf(named(2)).documents as [{ name: string; hash: string }, { name: string; hash: string }]
    const sha256 = { digestAlgorithm: 'SHA-256' }
    const many = { type: 'SignatureSession', ...sha256 }
    expect(outcomeOf(await create({ documents: [one] }))).toBe('422 DigestAlgorithmNameOrOidIsRequired')
    expect(outcomeOf(await create({ documents: [one, two], ...sha256 }))).toBe('422 TooManyHashes')
    for (const [field, body] of [
      ['documents', { documents: [], ...many }],
      ['documents', { ...many, documents: [one], type: 'AuthenticationSession' }],
      ['hashes', { ...many, documents: [one], hashes: [one.hash] }],
      ['documents[1].hash', { ...many, documents: [one, { ...two, hash: one.hash }] }],
      ['documents[0].hash', { ...many, documents: [{ ...one, hash: 'AAAA' }] }],
      ['documents[0].name', { ...many, documents: [{ ...one, name: '  ' }] }],
      ['documents[0].name', { ...many, documents: [{ ...one, name: 'a\u202Efdp.exe' }] }],
      ['documents[0].name', { ...many, documents: [{ ...one, name: 'a\nb' }] }],
      ['documents[0].name', { ...many, documents: [{ hash: one.hash }] }],
    ] as const)
      expect(outcomeOf(await create(body)), JSON.stringify(body)).toBe(`400 ${field}`)
    expect((await create({ documents: null })).status).toBe(200)
  })

  once('a SingleSignature takes a list of one, and a MultiSignature signs its list in one call', async () => {
    const [one] = named(1) as [Named[0]]
    const single = await bound([one], { type: 'SingleSignature' })
    const foreign = newDocument().hash
    expect(await world.sign(single, foreign)).toMatchObject(notAuthorized(foreign, 'unlisted'))
    expect(one.isSignedBy((await world.sign(single, one.hash)).body, holder)).toBe(true)
    const [two, three] = named(2) as [Named[0], Named[0]]
    const multi = await bound([two, three], { type: 'MultiSignature' })
    await world.certificate(multi)
    const calls = world.counting()
    const answers = await Promise.all([two, two, three].map(({ hash }) => world.sign(multi, hash)))
    expect(answers.map((each) => each.status).sort()).toEqual([200, 200, 422])
    expect(calls('signature')).toBe(1)
  })

  test('of calls with one hash at the same time one signs, in one process and in two', async () => {
    const documents = named(3)
    const session = await bound(documents)
    await world.certificate(session)
    const other = await startHub(database, { after: world.hub })
    const calls = world.counting()
    const body = (hash: string) => ({ session, hash, digestAlgorithm: 'SHA-256' })
    const asked = documents.flatMap(({ hash }) => [hash, hash, hash, hash])
    const answers = await Promise.all(
      asked.map((hash, at) => [world.hub, other][at % 2]!.json('POST', '/api/sessions/sign-hash', body(hash))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(calls('signature')).toBe(3)
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code)
    for (const code of refused) expect(['HashNotAuthorized', 'SessionInvalidOrAlreadyUsed']).toContain(code)
    // Whoever came last has ended it.
    expect(await world.row(session)).toMatchObject({ state: 'used', sealed_grant: null })
  })

  test('calls whose lists cross at the same time neither wait for ever nor sign twice', async () => {
    const documents = named(2)
    const session = await bound(documents)
    await world.certificate(session)
    const other = await startHub(database, { after: world.hub })
    const calls = world.counting()
    const hashes = documents.map(({ hash }) => hash)
    const bodies = [hashes, hashes.toReversed(), hashes, hashes.toReversed()]
    const answers = await Promise.all(
      bodies.map((each, at) =>
        [world.hub, other][at % 2]!.json('POST', '/api/sessions/sign-hashes', {
          session,
          hashes: each,
          digestAlgorithm: 'SHA-256',
        }),
      ),
    )
    expect(answers.map((each) => each.status).sort()).toEqual([200, 422, 422, 422])
    expect(calls('signature')).toBe(1)
  })

  test('a server killed between the signature and its record: that hash is not signed again, the others are', async () => {
    const documents = named(2)
    const [one, two] = documents as [Named[0], Named[0]]
    const session = await bound(documents)
    await world.certificate(session)
    let sign = () => {}
    const until = new Promise<void>((resolve) => {
      sign = resolve
    })
    onTestFinished(() => sign())
    world.provider.fail('signature', { until })
    const calls = world.counting()
    const lost = world.sign(session, one.hash)
    await vi.waitUntil(() => calls('signature') === 1)
    // Another process on the database is what a restarted one is: it knows only what was written.
    const other = await startHub(database, { after: world.hub })
    const again = (hash: string) =>
      other.json('POST', '/api/sessions/sign-hash', { session, hash, digestAlgorithm: 'SHA-256' })
    expect(await again(one.hash)).toMatchObject(notAuthorized(one.hash, 'sent'))
    expect(two.isSignedBy((await again(two.hash)).body, holder)).toBe(true)
    expect(calls('signature')).toBe(2)
    expect(await statesOf(session)).toEqual(['sent', 'signed'])
    sign()
    expect((await lost).status).toBe(200)
    expect((await world.row(session)).state).toBe('used')
  })

  const faults: readonly (readonly [string, Fault, string, string])[] = [
    ['500', { status: 500, body: 'oops' }, '500 ProviderError', 'sent'],
    ['a connection dropped after signing', 'drop-after-signing', '500 ProviderConnectionLost', 'sent'],
    ['a wrong signature', 'wrong-signature', '500 InvalidProviderSignature', 'sent'],
    ['refused request', { status: 400, body: { error: 'invalid_request' } }, '500 ProviderError', 'open'],
  ]

  test.each(faults)('a hash is given back only where nothing was signed: %s', async (_, fault, answer, state) => {
    const documents = named(2)
    const [one] = documents as [Named[0]]
    const session = await bound(documents)
    await world.certificate(session)
    world.provider.fail('signature', fault)
    expect(outcomeOf(await world.sign(session, one.hash))).toBe(answer)
    expect(await statesOf(session)).toEqual([state, 'open'])
    expect((await status(session)).remainingHashes).toBe(state === 'open' ? 2 : 1)
    expect((await world.sign(session, one.hash)).status).toBe(state === 'open' ? 200 : 422)
  })

  test('the same Idempotency-Key gets the same signature, also after the last hash', async () => {
    const documents = named(1)
    const [one] = documents as [Named[0]]
    const session = await bound(documents)
    const calls = world.counting()
    const sign = () => world.sign(session, one.hash, {}, { 'Idempotency-Key': 'once' })
    const [first, second] = [await sign(), await sign()]
    expect([first.status, second.body]).toEqual([200, first.body])
    expect(calls('signature')).toBe(1)
  })

  once('the list of another key is not told', async () => {
    const session = await bound(named(1))
    const headers = await strangerTo(world.hub)
    const answer = await world.hub.call('GET', `/api/sessions/status?session=${session}`, { headers })
    expect(outcomeOf(await readAnswer(answer))).toBe('422 SessionInvalidOrAlreadyUsed')
  })

  test('names are neither in the log nor readable in the database, and rows go with the session', async () => {
    const documents = named(1).map((each) => ({ ...each, name: 'Prontuário de Fulana.pdf' }))
    const session = await bound(documents)
    const { db } = world.hub.store
    expect(JSON.stringify(await db.selectFrom('creation').selectAll().execute())).not.toContain('Fulana')
    expect(world.hub.log()).not.toContain('Fulana')
    const { id } = await world.row(session)
    const rows = () => db.selectFrom('listed_hash').selectAll().where('session_id', '=', id).execute()
    expect(await rows()).toHaveLength(1)
    world.hub.clock.advance(3 * 24 * 3_600_000)
    await vi.waitUntil(async () => (await rows()).length === 0)
  })

  once('a holder who refuses leaves no list', async () => {
    const count = () => world.hub.store.db.selectFrom('listed_hash').selectAll().execute()
    const before = (await count()).length
    const journey = { holder, decision: 'deny', serviceName: world.service.serviceName, ...listOf(named(1)) } as const
    const back = await returnedUser(world.hub, world.provider, journey)
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect((await count()).length).toBe(before)
  })
})

describe('a list at a provider that binds the consent itself', () => {
  const world = signingWorld('SQLite', { protocol: 'csc' })

  test.each(['1', '2'])('SCAL %s: the same hashes, the same refusals, and the end after the last', async (scal) => {
    world.provider.quirks.csc.scal = scal as '1' | '2'
    const documents = named(2)
    const [one, two] = documents as [Named[0], Named[0]]
    const session = await world.session({ type: 'SignatureSession', ...listOf(documents) })
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 HashNotAuthorized')
    expect(one.isSignedBy((await world.sign(session, one.hash)).body, holder)).toBe(true)
    expect(outcomeOf(await world.sign(session, one.hash))).toBe('422 HashNotAuthorized')
    const status = await world.hub.json('GET', `/api/sessions/status?session=${session}`)
    expect(status.body).toMatchObject({ remainingHashes: 1 })
    expect(two.isSignedBy((await world.sign(session, two.hash)).body, holder)).toBe(true)
    expect(await world.row(session)).toMatchObject({ state: 'used', sealed_grant: null })
  })
})
