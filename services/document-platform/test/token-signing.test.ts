// Signing with a token at a computer whose agent has dialled out, from the page of a participant; and the test of a
// computer.
import { MINUTE } from '@chancela/service-kernel/clock'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test, vi } from 'vitest'
import { running } from '../../session-server/test/test-support/pki.ts'
import { sharedSessionServer } from '../../session-server/test/test-support/session-world.ts'
import { newCpf } from '../../session-server/test/test-support/vault.ts'
import {
  newTokenStation,
  TOKEN_PIN,
  type TokenStation,
  untilOver,
} from '../../session-server/test/test-support/workstation.ts'
import {
  createDocument,
  databases,
  type PlatformWorld,
  sharedPlatform,
  signer,
  startPlatform,
  testOnce,
  ticketOf,
} from './test-support/platform-world.ts'
import { contentOf, judges } from './test-support/signers.ts'
import { personAt, SITE, tokenClock, untilEnded, withTokens } from './test-support/tokens.ts'

interface Action {
  readonly key: string
  readonly ticket: string
}

const pathOf = ({ key }: Action) => `/api/documents/keys/${key}/signature/token`

const begin = (world: PlatformWorld, action: Action, over: object = {}) =>
  world.json('POST', pathOf(action), { ticket: action.ticket, ...over })

const look = (world: PlatformWorld, action: Action, id: string) =>
  world.json('POST', `${pathOf(action)}/${id}`, { ticket: action.ticket })

const approve = async ({ desktop }: TokenStation, pin = TOKEN_PIN) => {
  const page = await desktop.nextPage()
  await page.send({ action: 'continue', choice: '0', pin })
  return page
}

const sessions = sharedSessionServer('SQLite', { settings: { Approvals: { QuietSeconds: 0 } } })

for (const database of databases) {
  describe(`a token at a computer on ${database}`, () => {
    const platform = sharedPlatform(database, () => ({ settings: withTokens(sessions()), clock: tokenClock }))
    const once = testOnce(database)

    const newAction = async (world: PlatformWorld, station: Pick<TokenStation, 'cpf'>) => {
      const file = samplePdf('Contrato')
      const id = await createDocument(world, [signer(personAt(station))], { file, name: 'Contrato de locação.pdf' })
      return { id, ...(await ticketOf(world, id, station.cpf)) }
    }

    const statusOf = async (world: PlatformWorld, id: string) =>
      (await world.json('GET', `/api/documents/${id}`)).body.flowActions[0].status

    test('signs the document of the participant who is found by CPF, and pdfsig accepts it', async () => {
      const [world, station] = [await platform(), await newTokenStation(sessions())]
      const action = await newAction(world, station)
      const offered = await world.json('GET', `/api/documents/keys/${action.key}/action?ticket=${action.ticket}`)
      expect(offered.body.action.allowToken).toBe(true)
      const { status, body } = await begin(world, action, { userTimeZoneOffset: -180 })
      expect([status, body.code]).toEqual([200, expect.stringMatching(/^.{4}-.{4}$/)])
      expect((await look(world, action, body.id)).body).toEqual({ state: 'waiting', outcome: null })
      const page = await approve(station)
      for (const told of [body.code, SITE, world.organization.name, 'Contrato de locação.pdf'])
        expect(page.html).toContain(told)
      expect(await untilEnded(() => look(world, action, body.id))).toBe('signed')
      expect(await judges.pdf((await contentOf(world, action.id)).bytes, 1)).toContain(`PORTADOR ${station.cpf}`)
      // A look that comes late tells the same.
      expect((await look(world, action, body.id)).body.outcome).toBe('signed')
    })

    test('signs with the computer that joins by the code, for a participant who is nowhere connected', async () => {
      const [world, station] = [await platform(), await newTokenStation(sessions())]
      const { administrator, id } = station.workstation
      await administrator.call('PUT', `/api/workstations/${id}`, { name: 'Recepção', cpfs: [newCpf()] })
      const action = await newAction(world, station)
      const other = await begin(world, action)
      const { body } = await begin(world, action)
      // What was begun before is withdrawn: one window at a time.
      expect(await station.agent.pair(other.body.code)).toBe('not-found')
      expect((await look(world, action, other.body.id)).body.outcome).toBe('canceled')
      expect(await station.agent.pair(body.code)).toBe('found')
      await approve(station)
      expect(await untilEnded(() => look(world, action, body.id))).toBe('signed')
      await judges.pdf((await contentOf(world, action.id)).bytes, 1)
    })

    test('of many looks at once one signs', async () => {
      const [world, station] = [await platform(), await newTokenStation(sessions())]
      const action = await newAction(world, station)
      const { body } = await begin(world, action)
      await approve(station)
      await Promise.all(Array.from({ length: 6 }, () => look(world, action, body.id)))
      expect(await untilEnded(() => look(world, action, body.id))).toBe('signed')
      await judges.pdf((await contentOf(world, action.id)).bytes, 1)
    })

    test('a holder who declines signs nothing and may begin again', async () => {
      const [world, station] = [await platform(), await newTokenStation(sessions())]
      const action = await newAction(world, station)
      const { body } = await begin(world, action)
      const page = await station.desktop.nextPage()
      await page.send({ action: 'decline' })
      expect(await untilEnded(() => look(world, action, body.id))).toBe('declined')
      expect(await statusOf(world, action.id)).toBe('Pending')
      const again = await begin(world, action)
      await approve(station)
      expect(await untilEnded(() => look(world, action, again.body.id))).toBe('signed')
    })

    test('the certificate of somebody else signs nothing, and its PIN is forgotten', async () => {
      const world = await platform()
      const [station, stranger] = [await newTokenStation(sessions()), await newTokenStation(sessions())]
      const action = await newAction(world, station)
      const { body } = await begin(world, action)
      await stranger.agent.pair(body.code)
      await approve(stranger)
      expect(await untilEnded(() => look(world, action, body.id))).toBe('cpf-mismatch')
      expect(await statusOf(world, action.id)).toBe('Pending')
      await expect.poll(() => stranger.said).toContain(`The PIN of ${stranger.label} is forgotten.`)
    })

    test('an agent that goes away in the middle signs nothing', async () => {
      const [world, station] = [await platform(), await newTokenStation(sessions())]
      const action = await newAction(world, station)
      const { body } = await begin(world, action)
      await approve(station)
      await station.agent.stop()
      expect(await untilEnded(() => look(world, action, body.id))).toBe('agent-gone')
      expect(await statusOf(world, action.id)).toBe('Pending')
    })

    once('a participant who leaves takes the question back', async () => {
      const [world, station] = [await platform(), await newTokenStation(sessions())]
      const action = await newAction(world, station)
      const { body } = await begin(world, action)
      const page = await station.desktop.nextPage()
      const path = `${pathOf(action)}/${body.id}?${new URLSearchParams({ ticket: action.ticket })}`
      expect((await world.json('DELETE', path)).status).toBe(204)
      await untilOver(page)
      expect((await look(world, action, body.id)).body.outcome).toBe('canceled')
    })

    test('nobody looks at, signs or cancels what another participant began, of this organization or another', async () => {
      const [world, other] = [await platform(), await platform()]
      const [station, stranger] = [await newTokenStation(sessions()), await newTokenStation(sessions())]
      const action = await newAction(world, station)
      const { body } = await begin(world, action)
      for (const [owner, theirs] of [
        [world, await newAction(world, stranger)],
        [other, await newAction(other, stranger)],
        [other, await newAction(other, station)],
      ] as const) {
        expect((await look(owner, theirs, body.id)).body.code).toBe('TokenSigningNotFound')
        const path = `${pathOf(theirs)}/${body.id}?${new URLSearchParams({ ticket: theirs.ticket })}`
        expect((await owner.json('DELETE', path)).body.code).toBe('TokenSigningNotFound')
        // A ticket of one document opens nothing of another.
        expect((await look(world, { key: action.key, ticket: theirs.ticket }, body.id)).body.code).toBe(
          'ActionTicketInvalidOrExpired',
        )
      }
      await approve(station)
      expect(await untilEnded(() => look(world, action, body.id))).toBe('signed')
    })

    test('a document that was replaced meanwhile is not signed', async () => {
      const [world, station] = [await platform(), await newTokenStation(sessions())]
      const action = await newAction(world, station)
      const { body } = await begin(world, action)
      await world.store.db
        .updateTable('token_signing')
        .set({ original_digest: 'another' })
        .where('id', '=', body.id)
        .execute()
      await approve(station)
      expect(await untilEnded(() => look(world, action, body.id))).toBe('changed')
    })

    test('expires with the approval', async () => {
      const [world, station] = [await platform(), await newTokenStation(sessions())]
      const action = await newAction(world, station)
      const { body } = await begin(world, action)
      await station.desktop.nextPage()
      tokenClock.advance(6 * MINUTE)
      expect(await untilEnded(() => look(world, action, body.id))).toBe('expired')
    })

    test('two instances on one database: what is begun at one is looked at at both, and signed once', async () => {
      const settings = withTokens(sessions())
      const one = await startPlatform(database, { settings, clock: tokenClock })
      const other = await startPlatform(database, { settings, after: one })
      const station = await newTokenStation(sessions())
      const action = await newAction(one, station)
      const { body } = await begin(one, action)
      expect((await look(other, action, body.id)).body.state).toBe('waiting')
      await approve(station)
      const looks = [one, other, one, other].map((world) => untilEnded(() => look(world, action, body.id)))
      expect(await Promise.all(looks)).toEqual(['signed', 'signed', 'signed', 'signed'])
      await judges.pdf((await contentOf(other, action.id)).bytes, 1)
    })

    once('a test of a computer signs a nonce and judges the certificate', async () => {
      const [world, station] = [await platform(), await newTokenStation(sessions())]
      const { body } = await world.json('POST', '/api/computer-tests')
      const lookAt = () => world.json('POST', '/api/computer-tests/look', { id: body.id })
      expect((await lookAt()).body).toMatchObject({ state: 'waiting', certificate: null })
      await station.agent.pair(body.code)
      expect((await approve(station)).html).toContain('Nenhum documento é assinado')
      await expect
        .poll(async () => (await lookAt()).body)
        .toMatchObject({
          state: 'ended',
          outcome: 'signed',
          certificate: { name: `PORTADOR ${station.cpf}`, identifier: station.cpf },
          validationResults: { isValid: true },
        })
      // What was tested is over: it tells nothing twice.
      expect((await lookAt()).body).toMatchObject({ state: 'ended', certificate: null })
      const forged = await world.json('POST', '/api/computer-tests/look', { id: `${body.id}x` })
      expect(forged.body.code).toBe('ComputerTestNotFound')
    })

    once('a test says why a certificate that signs would not be accepted', async () => {
      const [world, station] = [await platform(), await newTokenStation(sessions())]
      const { body } = await world.json('POST', '/api/computer-tests')
      running.pki.revoke(station.issued, { reason: 'keyCompromise' })
      await station.agent.pair(body.code)
      await approve(station)
      const { validationResults } = await vi.waitUntil(async () => {
        const answer = await world.json('POST', '/api/computer-tests/look', { id: body.id })
        return answer.body.state === 'ended' && answer.body
      })
      expect(validationResults).toMatchObject({ isValid: false, errors: [{ type: 'revocation.revoked' }] })
    })
  })
}

test('where no session server is configured, or it does not answer, no token is offered or used', async () => {
  const settings = withTokens({ baseUrl: 'http://127.0.0.1:9', client: { ...sessions().client, apiKey: 'key' } })
  for (const [over, isOffered] of [
    [{ ...settings, SessionServer: {} }, false],
    [settings, true],
  ] as const) {
    const world = await startPlatform('SQLite', { settings: over, clock: tokenClock })
    const id = await createDocument(world, [signer(personAt({ cpf: '52998224725' }))], { file: samplePdf('Contrato') })
    const action = await ticketOf(world, id, '52998224725')
    const { body: offered } = await world.json(
      'GET',
      `/api/documents/keys/${action.key}/action?ticket=${action.ticket}`,
    )
    expect(offered.action.allowToken).toBe(isOffered)
    expect((await begin(world, action)).body.code).toBe('TokensNotAvailable')
    expect((await world.json('POST', '/api/computer-tests')).body.code).toBe('TokensNotAvailable')
  }
})
