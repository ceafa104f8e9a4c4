// Two operating-system processes on one database: what ends at one is known at the other, and is done once.
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { builtInContexts } from '../src/contract/authentication.ts'
import { databases } from './test-support/core-world.ts'
import { certificateOf, signedBy } from './test-support/pki.ts'
import { type ServiceProcess, twoProcesses } from './test-support/processes.ts'
import {
  begin,
  pageOf,
  pdfDocument,
  setCertificate,
  signAll,
  signaturesOf,
  signedFiles,
  submit,
} from './test-support/sessions.ts'
import { complete, inline, pdfsig, prepare } from './test-support/signing.ts'

const ANA = 'ana-souza'
const COUNT = 8
const documents = Array.from({ length: COUNT }, (_, n) => pdfDocument(samplePdf(`Contract ${n}`), `contract-${n}.pdf`))

/** Both at the same moment, several times. */
const ROUNDS = 5

type Json = ServiceProcess['json']

const proofOf = async (json: Json) => {
  const { state, toSign } = (await json('POST', '/api/v2/authentication', {})).body
  return { state, certificate: certificateOf(ANA), signature: signedBy(ANA, toSign.data) }
}

for (const database of databases) {
  describe(`two processes on ${database}`, () => {
    const both = twoProcesses(database)

    const documentsMade = async () => (await both().store.db.selectFrom('document').select('id').execute()).length

    test('who waits at one for a session is answered when the other has completed it', async () => {
      const { one, other } = both()
      const session = await begin(one, { enableBackgroundProcessing: true, documents })
      const path = `/api/signature-sessions/${session.id}/when-completed`
      expect((await one.json('GET', path)).body.code).toBe('BadSignatureSessionOperation')
      const signed = await signAll(pageOf(other, session.token), ANA)
      expect(signed.body.status).toBe('Processing')
      const begun = Date.now()
      const answers = await Promise.all([one, other, one].map(({ json }) => json('GET', path)))
      // Each looks once a second; nobody waits for the end of the long poll, which is some 15 seconds.
      expect(Date.now() - begun).toBeLessThan(14_000)
      for (const { body } of answers) expect(body).toEqual({ completed: true, progress: 100 })
      for (const { json } of [one, other]) {
        const { body } = await json('GET', `/api/signature-sessions/${session.id}`)
        expect(body.status).toBe('Completed')
        expect(await pdfsig((await signedFiles(body)).at(-1)!)).toContain('Signature is Valid.')
      }
    })

    test('signatures that arrive at both end a session once', async () => {
      const { one, other } = both()
      const before = await documentsMade()
      const session = await begin(one, { documents: documents.slice(0, 2) })
      const { body } = await setCertificate(session, ANA)
      const request = signaturesOf(ANA, body)
      const answers = await Promise.all([one, other].map((each) => submit(pageOf(each, session.token), request)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
      expect(answers.find(({ status }) => status === 422)!.body.code).toBe('BadSignatureSessionOperation')
      expect(await documentsMade()).toBe(before + 2)
    })

    test('a proof that is shown to both is accepted once, by token and by nonce as well', async () => {
      const { one, other, store } = both()
      const at = <Answer>(work: (json: Json) => Promise<Answer>) =>
        Promise.all([one, other].map(({ json }) => work(json)))
      for (let round = 0; round < ROUNDS; round += 1) {
        const proof = await proofOf(one.json)
        const answers = await at((json) => json('POST', '/api/v2/authentication/completion', proof))
        const told = answers.map(({ body }) => body.failure ?? 'none')
        expect(told.sort()).toEqual(['StaleSession', 'none'])
      }
      const entries = await store.db.selectFrom('authentication_entry').selectAll().execute()
      expect(entries).toHaveLength(ROUNDS)

      const { nonce } = (await one.json('GET', '/Api/Authentication')).body
      const securityContextId = builtInContexts.pkiBrazil
      const earlier = { nonce, securityContextId, certificate: certificateOf(ANA), signature: signedBy(ANA, nonce) }
      const results = await at((json) => json('POST', '/Api/Authentication', earlier))
      expect(results.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(results.find(({ status }) => status !== 200)!.body.code).toBe('NonceAlreadyUsed')
    })

    test('a signature that is completed at both makes one document', async () => {
      const { one, other } = both()
      const before = await documentsMade()
      for (let round = 1; round <= ROUNDS; round += 1) {
        const prepared = (await prepare(one, ANA, { file: inline('a.pdf', samplePdf(`a ${round}`)) })).body
        const signature = signedBy(ANA, prepared.toSign.data)
        const answers = await Promise.all([one, other].map((each) => complete(each, prepared.state, signature)))
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
        expect(answers.find(({ status }) => status === 422)!.body.code).toBe('InvalidToken')
        expect(await documentsMade()).toBe(before + round)
      }
    })
  })
}
