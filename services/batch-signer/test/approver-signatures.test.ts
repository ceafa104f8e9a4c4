import { createHash, randomBytes, sign } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validateCades } from '@chancela/signature-engine/cades'
import { testClock } from '@chancela/testkit/clock'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toldIn } from '../src/rules/sentences.ts'
import { ShownRefusal } from '../src/rules/shown-refusal.ts'
import {
  type ApproverWorld,
  judgeOf,
  openApproverWorld,
  opensslJudges,
  type Person,
  people,
  signedWith,
  type WaitingJob,
} from './test-support/approver-world.ts'
import { runningPki } from './test-support/signing-world.ts'

const content = Buffer.from('REMESSA DE PAGAMENTOS\r\n'.repeat(900))

const shown = (code: string) => expect.objectContaining({ name: 'ShownRefusal', code })

/** The envelope that counts. */
async function envelopeOf(world: ApproverWorld, job: WaitingJob): Promise<Buffer> {
  return readFile((await world.approved(job)).envelope!.path)
}

/** The refusal that an approver is shown. */
async function refusalOf(attempt: Promise<unknown>): Promise<ShownRefusal> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ShownRefusal)
  return error as ShownRefusal
}

for (const [name, open] of Object.entries(testStores))
  describe(`approvers sign on ${name}`, () => {
    test('one after the other into one attached signature over the staged bytes, which others accept each time', async () => {
      const world = await openApproverWorld({ open })
      const job = await world.park(content)
      const judge = judgeOf(world)
      let before: string | null = null
      for (const [at, person] of (Object.keys(people) as Person[]).entries()) {
        const signed = await world.approve(job, person)
        expect(signed.envelopeBefore).toBe(before)
        expect(signed.certificate).toMatchObject({ cpf: people[person].cpf, cnpj: null, means: 'browser' })
        before = signed.envelopeAfter
        // What the row has left behind is gone.
        expect(await world.beside(job)).toEqual([`signatures-${before}.p7m`])
        const envelope = await envelopeOf(world, job)
        expect(await opensslJudges(world, envelope)).toEqual({ signers: at + 1, content })
        const { signatures } = await validateCades(envelope, { judge, now: new Date() })
        expect(signatures.map(({ level, indication }) => [level, indication])).toEqual(
          Array(at + 1).fill(['AD-RB', 'valid']),
        )
      }
      expect(await world.counted('signed')).toBe(3)
    })

    test('and of two who sign at once the second is told to sign again, and then can', async () => {
      const world = await openApproverWorld({ open })
      const job = await world.park(content)
      const { pki } = world
      const begun = await Promise.all(
        (['ana-souza', 'davi-moreira'] as const).map(async (person) => {
          const { token, toSign } = await world.prepare(job, person)
          return { person, token, signature: signedWith(pki.certificate(person), toSign) }
        }),
      )
      const ended = await Promise.allSettled(
        begun.map(({ person, token, signature }) => world.complete(job, person, token, signature)),
      )
      expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const lost = ended.findIndex(({ status }) => status === 'rejected')
      expect(ended[lost]).toMatchObject({ reason: shown('approval.signature-conflict') })
      expect(await world.counted('conflict')).toBe(1)
      // Nothing of the loser's is kept, and the same signature does not fit the new envelope either.
      expect(await world.beside(job)).toHaveLength(1)
      const { person, token, signature } = begun[lost]!
      await expect(world.complete(job, person, token, signature)).rejects.toThrow(shown('approval.signature-conflict'))
      await world.approve(job, person)
      expect((await opensslJudges(world, await envelopeOf(world, job))).signers).toBe(2)
    })
  })

describe('the certificate of an approver', () => {
  test.each([
    ['is revoked', 'revoked', /revoked/, /revogou/],
    ['has expired', 'bruno-lima-expired', /has ended/, /terminou/],
    ['leads to no root of this host', 'under-unknown-root', /root|trust/, /raiz|confia/],
  ])('that %s is refused with the reason, in both languages', async (_, label, english, portuguese) => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    const refusal = await refusalOf(world.prepare(job, 'bruno-lima', world.pki.certificate(label)))
    expect(refusal.code).toBe('approval.certificate-invalid')
    expect(refusal.message).toMatch(english)
    expect(toldIn('pt-BR', refusal.said.text, refusal.said.told)).toMatch(portuguese)
    expect(await world.counted('certificate-invalid')).toBe(1)
  })

  test('whose revocation nobody answers is refused: nothing is taken on trust', async () => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    const issued = await world.pki.issuePerson({ name: 'Rita Assis', cpf: people['bruno-lima'].cpf }, { key: 'P-256' })
    const { faults } = await runningPki()
    for (const area of ['ocsp', 'crl', 'crl-mirror'] as const) faults.set(area, { kind: 'down' })
    onTestFinished(() => faults.clear())
    const refusal = await refusalOf(world.prepare(job, 'bruno-lima', issued))
    expect(refusal).toMatchObject({ code: 'approval.certificate-invalid', message: /Nobody answered/ })
  })

  test('sends nobody to the network of this host: an authority there is asked only where the settings name it', async () => {
    const world = await openApproverWorld({ settings: { Signing: { AuthorityHosts: [] } } })
    const job = await world.park(content)
    expect(await refusalOf(world.prepare(job, 'ana-souza'))).toMatchObject({ code: 'approval.certificate-invalid' })
    // The operator's own certificate is judged as before.
    const plan = world.profiles.plan({ profileName: 'payments', format: 'Cades', encryptionRequested: null })
    await plan.validateCertificate(new Date())
  })

  test.each([
    ['names no CPF', 'without-cpf'],
    ['names one with wrong check digits', 'wrong-cpf'],
    ['is that of an equipment', 'equipment'],
  ])('that %s is refused', async (_, label) => {
    const world = await openApproverWorld()
    const attempt = world.prepare(await world.park(content), 'ana-souza', world.pki.certificate(label))
    await expect(attempt).rejects.toThrow(shown('approval.certificate-without-cpf'))
    expect(await world.counted('without-cpf')).toBe(1)
  })

  test('of somebody else is refused, and the refusal names nobody’s CPF', async () => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    const refusal = await refusalOf(world.prepare(job, 'bruno-lima', world.pki.certificate('ana-souza')))
    expect(refusal.code).toBe('approval.certificate-cpf-mismatch')
    expect(refusal.message).not.toMatch(/\d{11}/)
    expect(await world.counted('cpf-mismatch')).toBe(1)
  })

  test('may be that of a company the approver answers for', async () => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    const { certificate } = await world.approve(job, 'ana-souza', world.pki.certificate('padaria-aurora'))
    expect(certificate).toMatchObject({ cpf: people['ana-souza'].cpf, cnpj: '11222333000181' })
  })

  test('that is no certificate is refused', async () => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    const attempt = world.signatures.prepare({ jobId: job.id, approver: people['ana-souza'], certificate: content })
    await expect(attempt).rejects.toThrow(shown('approval.certificate-invalid'))
  })

  test.each(['P-256', 'P-384', 'Ed25519'] as const)('may have a key of %s', async (key) => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    await world.approve(job, 'ana-souza')
    const issued = await world.pki.issuePerson({ name: 'Bruno Carvalho Lima', cpf: people['bruno-lima'].cpf }, { key })
    await world.approve(job, 'bruno-lima', issued)
    const report = await validateCades(await envelopeOf(world, job), { judge: judgeOf(world), now: new Date() })
    expect(report.signatures.map(({ indication }) => indication)).toEqual(['valid', 'valid'])
  })
})

describe('a signature that was begun', () => {
  test('is not completed by another key, nor over other bytes', async () => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    const { token, toSign } = await world.prepare(job, 'ana-souza')
    const { key } = world.pki.certificate('ana-souza')
    const wrong = [
      signedWith(world.pki.certificate('bruno-lima'), toSign),
      sign('sha256', content, key.privateKey),
      Buffer.alloc(0),
    ]
    for (const signature of wrong)
      await expect(world.complete(job, 'ana-souza', token, signature)).rejects.toThrow(
        shown('approval.signature-invalid'),
      )
    expect(await world.counted('signature-invalid')).toBe(3)
    expect(await world.beside(job)).toEqual([])
    // Nothing was lost by it.
    await world.complete(job, 'ana-souza', token, signedWith(world.pki.certificate('ana-souza'), toSign))
  })

  test('is of its job and its person alone, and of nobody who changes it', async () => {
    const world = await openApproverWorld()
    const [job, other] = [await world.park(content), await world.park(content)]
    const { token, toSign } = await world.prepare(job, 'ana-souza')
    const signature = signedWith(world.pki.certificate('ana-souza'), toSign)
    const at = token.length - 40
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
    for (const attempt of [
      world.complete(other, 'ana-souza', token, signature),
      world.complete(job, 'bruno-lima', token, signature),
      world.complete(job, 'ana-souza', changed, signature),
      world.complete(job, 'ana-souza', 'no token', signature),
    ])
      await expect(attempt).rejects.toThrow(shown('approval.signature-invalid'))
  })

  test('can be completed for fifteen minutes', async () => {
    const clock = testClock(new Date())
    const world = await openApproverWorld({ clock })
    const job = await world.park(content)
    const { token, toSign, expiresAt } = await world.prepare(job, 'ana-souza')
    expect(expiresAt.getTime() - clock().getTime()).toBe(15 * 60_000)
    clock.advance(15 * 60_000 + 1)
    const attempt = world.complete(job, 'ana-souza', token, signedWith(world.pki.certificate('ana-souza'), toSign))
    expect(await refusalOf(attempt)).toMatchObject({ code: 'approval.signature-invalid', message: /15 minutes/ })
  })

  test('and completed twice counts once, and loses nothing', async () => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    const { token, toSign } = await world.prepare(job, 'ana-souza')
    const signature = signedWith(world.pki.certificate('ana-souza'), toSign)
    const ended = await Promise.allSettled([1, 2].map(() => world.complete(job, 'ana-souza', token, signature)))
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await opensslJudges(world, await envelopeOf(world, job))).signers).toBe(1)
  })

  test('does not survive a change of the file, and an approver is told who can help', async () => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    const { token, toSign } = await world.prepare(job, 'ana-souza')
    const signature = signedWith(world.pki.certificate('ana-souza'), toSign)
    const attempt = async () => refusalOf(world.complete(job, 'ana-souza', token, signature))
    await writeFile(job.staged.path, Buffer.from(content).fill(0x20, 0, 1))
    expect(await attempt()).toMatchObject({ code: 'approval.signature-conflict', message: /operator/ })
    await rm(job.staged.path)
    expect(await attempt()).toMatchObject({ code: 'approval.signature-conflict', message: /operator/ })
    expect(await world.beside(job)).toEqual([])
  })

  test('does not fit a job that was parked again with another content', async () => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    const { token, toSign } = await world.prepare(job, 'ana-souza')
    const again = { content_sha256: createHash('sha256').update('another').digest('hex') }
    await world.context.store.db.updateTable('job_approval').set(again).where('job_id', '=', job.id).execute()
    const attempt = world.complete(job, 'ana-souza', token, signedWith(world.pki.certificate('ana-souza'), toSign))
    await expect(attempt).rejects.toThrow(shown('approval.signature-conflict'))
  })

  test('of a job that has left its folder meanwhile is told so', async () => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    const { token, toSign } = await world.prepare(job, 'ana-souza')
    await rm(join(world.root, 'processing', job.id), { recursive: true })
    const attempt = world.complete(job, 'ana-souza', token, signedWith(world.pki.certificate('ana-souza'), toSign))
    await expect(attempt).rejects.toThrow(shown('approval.signature-conflict'))
  })

  test('is not added to signatures that were altered or removed', async () => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    await world.approve(job, 'ana-souza')
    const path = (await world.approved(job)).envelope!.path
    const whole = await readFile(path)
    for (const change of [() => writeFile(path, Buffer.from(whole).fill(0x20, 900, 901)), () => rm(path)]) {
      await change()
      expect(await refusalOf(world.prepare(job, 'bruno-lima'))).toMatchObject({
        code: 'approval.signature-conflict',
        message: /operator/,
      })
    }
  })

  test('leaves a file that nobody names when its decision is not recorded, and the next one goes on without it', async () => {
    const world = await openApproverWorld()
    const job = await world.park(content)
    const { token, toSign } = await world.prepare(job, 'ana-souza')
    const signature = signedWith(world.pki.certificate('ana-souza'), toSign)
    const killed = world.signatures.complete(
      { jobId: job.id, approver: people['ana-souza'], token, signature },
      async () => {
        throw new Error('killed')
      },
    )
    await expect(killed).rejects.toThrow('killed')
    expect((await world.approved(job)).envelope).toBeNull()
    expect(await world.beside(job)).toHaveLength(1)
    await world.approve(job, 'bruno-lima')
    expect((await opensslJudges(world, await envelopeOf(world, job))).signers).toBe(1)
  })
})

test('a key in a cloud is recorded with its provider, and attempts are counted by where the key is', async () => {
  const world = await openApproverWorld()
  const job = await world.park(content)
  const issued = world.pki.certificate('ana-souza')
  const approver = people['ana-souza']
  const cloud = { means: 'cloud', cloudService: 'Nuvem Demo' } as const
  const given = { jobId: job.id, approver, certificate: issued.der, ...cloud }
  const { token, toSign, digest } = await world.signatures.prepare(given)
  expect(digest).toEqual(createHash('sha256').update(toSign).digest())
  const asked = { jobId: job.id, approver, token, signature: signedWith(issued, toSign) }
  const { certificate } = await world.signatures.complete(asked, async (signed) => signed)
  expect(certificate).toMatchObject(cloud)
  world.signatures.count('abandoned', 'browser')
  world.signatures.count('provider-failed', 'cloud')
  const text = await world.context.metrics.text()
  for (const [outcome, means] of [
    ['signed', 'cloud'],
    ['abandoned', 'browser'],
    ['provider-failed', 'cloud'],
  ])
    expect(text).toContain(`bulk_approver_signatures_total{outcome="${outcome}",means="${means}"} 1`)
})

test('a job that nobody has to approve, or whose approvers do not sign, is not signed by them', async () => {
  const world = await openApproverWorld()
  const job = await world.park(content, 'ProfileKey')
  await expect(world.prepare(job, 'ana-souza')).rejects.toThrow(expect.objectContaining({ code: 'request.invalid' }))
  const unknown = { ...job, id: '00000000-0000-4000-8000-000000000000' }
  await expect(world.prepare(unknown, 'ana-souza')).rejects.toThrow(
    expect.objectContaining({ code: 'approval.not-required' }),
  )
})

test('a file of 64 MB is signed by two without being held in memory', async () => {
  const world = await openApproverWorld()
  const large = Buffer.concat(Array(64).fill(randomBytes(1_048_576)))
  const job = await world.park(large)
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }, 5)
  await world.approve(job, 'ana-souza')
  await world.approve(job, 'davi-moreira')
  clearInterval(watch)
  expect(most).toBeLessThan(32 * 1_048_576)
  const { content: verified } = await opensslJudges(world, await envelopeOf(world, job))
  expect(verified.equals(large)).toBe(true)
})
