import { whenDone } from '@chancela/testkit/test-files'
import { beforeEach, describe, expect, test } from 'vitest'
import { archivingExpiringDate, inspectDocument, restamp } from './index.ts'
import { type RegistryWorld, startRegistryWorld } from './test-support/registry-world.ts'
import * as samples from './test-support/samples.ts'
import { xmlsecVerdicts } from './test-support/xmlsec.ts'

const YEAR = 365 * 24 * 3_600_000

let world: RegistryWorld
// A PKI per test: time only goes forward, and so do its revocation lists.
beforeEach(async () => {
  world = await startRegistryWorld()
  whenDone(world.stop)
})

/** The timestamp authority gets a certificate that lives longer than its last one. */
const renewAuthority = async () => {
  const { key } = world.pki.certificate('tsa')
  await world.pki.issueService(
    'tsa',
    { name: 'Carimbo do Tempo', issuer: 'level-2', key: 'RSA-2048', usage: 'timeStamping', policy: 'T3' },
    key,
  )
}
const authorityEnds = () => new Date(world.pki.certificate('tsa').x509.validTo)

describe('an archive', () => {
  test('ends with the certificate of its newest timestamp, and is renewed by one that lives longer', async () => {
    const documentation = await world.closedDocumentation()
    const degree = await world.closedDegree(documentation)
    const signed = await world.sign(samples.academicTranscript(world.terms), world.clerk)
    const transcript = await world.sign(signed, world.issuer)
    const ends = archivingExpiringDate(degree)
    expect(ends).toEqual(authorityEnds())
    await expect(restamp(degree, world.helpers())).rejects.toMatchObject({ code: 'restamp-useless' })

    world.clock.advance(2 * YEAR)
    await renewAuthority()
    const renewed = await restamp(degree, world.helpers())
    expect(renewed.archivingExpiringDate).toEqual(authorityEnds())
    expect(archivingExpiringDate(renewed.bytes)).toEqual(authorityEnds())
    expect(authorityEnds().getTime()).toBeGreaterThan(ends.getTime())

    // Everything is as it was, with one insertion in the closing signature.
    const inner = (bytes: Buffer) =>
      bytes
        .toString()
        .match(/<ds:Signature .*?<\/ds:Signature>/gs)!
        .slice(0, 4)
    expect(inner(renewed.bytes)).toEqual(inner(degree))
    expect(await xmlsecVerdicts(renewed.bytes, world.root, new Date('2026-03-02T13:00:00Z'))).toEqual(
      Array(5).fill('OK'),
    )
    const report = await inspectDocument(renewed.bytes, { ...world.helpers(), sent: documentation })
    expect(report.verdict).toBe('accepted')

    const renewedTranscript = await restamp(transcript, world.helpers())

    // Years later the certificates of the signers are long over, and the document still holds.
    world.clock.advance(4 * YEAR)
    const later = await inspectDocument(renewed.bytes, { ...world.helpers(), sent: documentation })
    expect([later.verdict, later.problems.filter(({ severity }) => severity !== 'notice')]).toEqual(['accepted', []])
    // Also what a person signed with a timestamp alone: the archive has the data that validates it.
    expect((await inspectDocument(renewedTranscript.bytes, world.helpers())).verdict).toBe('accepted')
    expect((await inspectDocument(transcript, world.helpers())).verdict).not.toBe('accepted')
  })

  test('is only that of a closed document', async () => {
    expect(() => archivingExpiringDate(samples.curriculum(world.terms))).toThrow(
      expect.objectContaining({ code: 'not-archived' }),
    )
    await expect(restamp(samples.curriculum(world.terms), world.helpers())).rejects.toMatchObject({
      code: 'not-archived',
    })
  })

  test('is not renewed for a document that was altered', async () => {
    const list = await world.sign(samples.cancellationList(world.terms), world.registrar)
    world.clock.advance(2 * YEAR)
    await renewAuthority()
    const altered = Buffer.from(list.toString().replace('Erro de Fato', 'Erro de Foto'))
    await expect(restamp(altered, world.helpers())).rejects.toMatchObject({ code: 'restamp-unverified' })
    expect((await restamp(list, world.helpers())).archivingExpiringDate).toEqual(authorityEnds())
  })
})
