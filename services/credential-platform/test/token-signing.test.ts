// People sign with tokens at computers whose agents have dialled out: the real session server, agent and SoftHSM2.
import { addresses } from '@chancela/testkit/demo-pki'
import { describe, expect, test } from 'vitest'
import { clock, rootsFile, running } from '../../session-server/test/test-support/pki.ts'
import { sharedSessionServer } from '../../session-server/test/test-support/session-world.ts'
import { newTokenStation, TOKEN_PIN, type TokenStation } from '../../session-server/test/test-support/workstation.ts'
import { ended, signerAt, waitingCurriculum } from './test-support/cloud.ts'
import { type CredentialWorld, databases, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { schoolAt } from './test-support/issuing.ts'

const SITE = 'diplomas.example.edu.br'

const sessions = sharedSessionServer('SQLite', { settings: { Approvals: { QuietSeconds: 0 } } })

const settings = () => ({
  Http: { PublicUrl: `https://${SITE}` },
  Signing: {
    TrustAnchorsFile: rootsFile,
    AuthorityHosts: ['127.0.0.1/32'],
    TimestampAuthority: addresses(running.baseUrl).timeStamps,
  },
  SessionServer: { Endpoint: sessions().baseUrl, ApiKey: sessions().client.apiKey },
})

const answer = async ({ desktop }: TokenStation, fields: Readonly<Record<string, string>>) => {
  const page = await desktop.nextPage()
  await page.send(fields)
  return page
}

const approve = (station: TokenStation) => answer(station, { action: 'continue', choice: '0', pin: TOKEN_PIN })

const outcomesOf = ({ documents }: { documents: { outcome: string }[] }) => documents.map(({ outcome }) => outcome)

for (const database of databases) {
  describe(`a token at a computer on ${database}`, () => {
    const platform = sharedPlatform(database, settings, clock)
    const once = testOnce(database)

    /** A person with a token, and documents that wait. */
    async function holderAt(world: CredentialWorld, count = 1) {
      const station = await newTokenStation(sessions())
      const school = await schoolAt(world, { stored: false })
      const ids: string[] = []
      for (let at = 0; at < count; at++) ids.push((await waitingCurriculum(school)).document)
      const person = await signerAt(world, school, station.cpf)
      const begin = (documentIds: readonly string[] = ids) =>
        person.json('POST', '/api/signings/token', { documentIds })
      const documents = async () =>
        Promise.all(ids.map(async (id) => (await person.json('GET', `/api/documents/${id}`)).body))
      return { station, school, ids, person, begin, documents }
    }

    test('one approval signs every document that was shown, each by the person who approved', async () => {
      const { station, person, begin, documents } = await holderAt(platform(), 3)
      const { status, body } = await begin()
      expect([status, body.code]).toEqual([200, expect.stringMatching(/^.{4}-.{4}$/)])
      const looked = await person.json('POST', `/api/signings/${body.id}/look`)
      expect(looked.body).toMatchObject({ way: 'token', state: 'waiting', outcome: null })
      const page = await approve(station)
      for (const told of [body.code, SITE, 'Pedagogia']) expect(page.html).toContain(told)
      // Of many looks at once one signs.
      await Promise.all(Array.from({ length: 4 }, () => person.json('POST', `/api/signings/${body.id}/look`)))
      const end = await ended(person, body.id)
      expect([end.outcome, ...outcomesOf(end)]).toEqual(['signed', 'signed', 'signed', 'signed'])
      for (const { revision, steps } of await documents())
        expect([revision, steps[0].signers]).toEqual([1, [station.cpf]])
    })

    test('a holder who declines signs nothing and may begin again', async () => {
      const { station, person, begin, documents } = await holderAt(platform())
      const { body } = await begin()
      await answer(station, { action: 'decline' })
      expect((await ended(person, body.id)).outcome).toBe('declined')
      expect((await documents())[0].revision).toBe(0)
      const again = await begin()
      await approve(station)
      expect((await ended(person, again.body.id)).outcome).toBe('signed')
    })

    once('the certificate of somebody else signs nothing', async () => {
      const { person, begin, documents } = await holderAt(platform())
      const stranger = await newTokenStation(sessions())
      const { body } = await begin()
      await stranger.agent.pair(body.code)
      await approve(stranger)
      expect((await ended(person, body.id)).outcome).toBe('cpf-mismatch')
      expect((await documents())[0].revision).toBe(0)
    })

    once(
      'what changed between question and answer is not signed; the rest is signed by the next approval',
      async () => {
        const { station, school, ids, person, begin, documents } = await holderAt(platform(), 2)
        const { body } = await begin()
        const [{ ownerId }] = await documents()
        await school.json('POST', `/api/curriculums/${ownerId}/cancellation`, { reason: 'Erro' })
        await approve(station)
        const end = await ended(person, body.id)
        expect([end.outcome, ...outcomesOf(end)]).toEqual(['changed', 'not-pending', null])
        const again = await begin(ids)
        await approve(station)
        expect(outcomesOf(await ended(person, again.body.id))).toEqual(['not-pending', 'signed'])
      },
    )

    once('another request, or the person who leaves, takes the question back', async () => {
      const { station, person, begin, documents } = await holderAt(platform())
      const first = await begin()
      const second = await begin()
      expect((await ended(person, first.body.id)).outcome).toBe('canceled')
      expect((await person.json('DELETE', `/api/signings/${second.body.id}`)).status).toBe(204)
      expect((await ended(person, second.body.id)).outcome).toBe('canceled')
      expect(await station.agent.pair(second.body.code)).toBe('not-found')
      expect((await documents())[0].revision).toBe(0)
    })
  })
}
