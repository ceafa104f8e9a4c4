// Grants bound to hashes the holder saw (CSC, SCAL2): each may be signed as often as it was authorized.
import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from './test-support/hub-world.ts'
import { newDocument, outcomeOf, signingWorld } from './test-support/signing.ts'

describe.each(databases)('authorized hashes on %s', (database) => {
  // A batch is sent when it contains all authorized hashes, however slowly the calls arrive.
  const world = signingWorld(database, { protocol: 'csc', settings: { Signing: { BatchMilliseconds: 60_000 } } })
  beforeEach(() => {
    world.provider.quirks.csc.scal = '2'
  })
  const holder = 'ana-souza'
  const bound = (type: string, hashes: readonly string[]) => world.session({ type, hashes, digestAlgorithm: 'SHA-256' })

  test('another hash than those the holder authorized: HashNotAuthorized, and nothing is spent', async () => {
    const { hash, isSignedBy } = newDocument()
    const session = await bound('SingleSignature', [hash])
    const calls = world.counting()
    expect(outcomeOf(await world.sign(session, newDocument().hash))).toBe('422 HashNotAuthorized')
    expect(calls('signature')).toBe(0)
    expect(isSignedBy((await world.sign(session, hash)).body, holder)).toBe(true)
  })

  test('a hash that was authorized once is not signed twice in one call', async () => {
    const [one, two] = [newDocument(), newDocument()]
    const session = await bound('MultiSignature', [one.hash, two.hash])
    expect(outcomeOf(await world.signAll(session, [one.hash, one.hash]))).toBe('422 HashNotAuthorized')
    expect((await world.signAll(session, [two.hash, one.hash])).body.signatures).toHaveLength(2)
  })

  test('nor by calls that share a call of the provider', async () => {
    const [one, two] = [newDocument(), newDocument()]
    const session = await bound('MultiSignature', [one.hash, two.hash])
    await world.certificate(session)
    const answers = await Promise.all([one, one, two].map(({ hash }) => world.sign(session, hash)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422])
  })

  test('under a SignatureSession each is signed once, in whatever order, call by call', async () => {
    const [one, two] = [newDocument(), newDocument()]
    const session = await bound('SignatureSession', [one.hash, two.hash])
    expect(two.isSignedBy((await world.sign(session, two.hash)).body, holder)).toBe(true)
    expect(outcomeOf(await world.sign(session, two.hash))).toBe('422 HashNotAuthorized')
    expect(one.isSignedBy((await world.sign(session, one.hash)).body, holder)).toBe(true)
    expect(await world.row(session)).toMatchObject({ state: 'used', sealed_grant: null })
    expect(outcomeOf(await world.sign(session, one.hash))).toBe('422 SessionInvalidOrAlreadyUsed')
  })

  test('calls at the same time wait for one another: of two with one hash, one is signed', async () => {
    const documents = [newDocument(), newDocument(), newDocument()]
    const session = await bound(
      'SignatureSession',
      documents.map(({ hash }) => hash),
    )
    await world.certificate(session)
    const asked = [documents[0]!, documents[0]!, documents[1]!]
    const answers = await Promise.all(asked.map(({ hash }) => world.sign(session, hash)))
    expect(answers.map(outcomeOf).filter((each) => each.startsWith('422'))).toEqual(['422 HashNotAuthorized'])
    expect(documents[1]!.isSignedBy(answers[2]!.body, holder)).toBe(true)
    expect((await world.row(session)).state).toBe('authorized')
    expect((await world.sign(session, documents[2]!.hash)).status).toBe(200)
  })

  test('what was signed meanwhile is not authorized again by a call that had read the session before', async () => {
    const [one, two] = [newDocument(), newDocument()]
    const session = await bound('SignatureSession', [one.hash, two.hash])
    await world.certificate(session)
    const before = await world.row(session)
    expect((await world.sign(session, one.hash)).status).toBe(200)
    const after = await world.row(session)
    const { db, transaction } = world.hub.store
    const put = (tx: typeof db, { sealed_grant }: typeof before) =>
      tx.updateTable('session').set({ sealed_grant }).where('id', '=', before.id).execute()
    await put(db, before)
    // The other call signs in another process: its change commits after this call has read and before it reserves.
    const late = await transaction(async (tx) => {
      await put(tx, after)
      const answer = world.sign(session, two.hash)
      await setTimeout(200)
      return { answer }
    })
    expect(two.isSignedBy((await late.answer).body, holder)).toBe(true)
    expect(await world.row(session)).toMatchObject({ state: 'used', sealed_grant: null })
  })
})
