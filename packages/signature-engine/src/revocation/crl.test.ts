import type { RunningDemoPki } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { openssl } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  bitString,
  boolean,
  enumerated,
  explicit,
  generalizedTime,
  implicit,
  integer,
  nothing,
  sequence,
} from '../der/der-writer.ts'
import { Certificate } from '../x509/certificate.ts'
import { ALL_REASONS } from '../x509/distribution-points.ts'
import { extensionOids } from '../x509/oids.ts'
import {
  authority,
  type Crafted,
  craft,
  crlUrls,
  extension,
  keyUsage,
  uri,
} from '../x509/test-support/crafted-certificate.ts'
import { crlIdentity, RevocationList } from './crl.ts'
import { craftList, entry } from './test-support/crafted-list.ts'

let running: RunningDemoPki
beforeAll(async () => {
  running = await pkiOfToday()
})

const certificate = (label: string) => Certificate.read(running.pki.certificate(label).der)
const listOf = async (label: string) => (await running.pki.revocationList(running.pki.certificate(label))).der

describe('a list of more than five megabytes, signed with P-384', () => {
  test('is read, proven and searched', async () => {
    const list = RevocationList.read(await listOf('bulky'))
    expect(list.der.length).toBeGreaterThan(5_000_000)
    expect(list.isFrom(certificate('bulky'))).toBe(true)
    expect(list.size).toBe(110_001)
    expect(list.revocationOf(certificate('bulky-revoked'))).toMatchObject({ reason: 'superseded' })
    expect(list.revocationOf(certificate('bulky-good'))).toBeUndefined()
  })

  test('every number that openssl lists is found, and none beside', async () => {
    const der = await listOf('bulky')
    const list = RevocationList.read(der)
    const { stdout } = await openssl(['crl', '-inform', 'DER', '-noout', '-text'], { input: der })
    const serials = [...stdout.toString().matchAll(/Serial Number: ([0-9A-F]+)/g)].map(([, hex]) => hex!)
    expect(serials.length).toBe(110_001)
    const { issuer } = certificate('bulky-good')
    const withSerial = (hex: string) => ({ serialNumber: Buffer.from(hex, 'hex'), issuer }) as Certificate
    expect(serials.every((hex) => list.revocationOf(withSerial(hex)))).toBe(true)
    expect(serials.some((hex) => list.revocationOf(withSerial(`0E${hex.slice(2)}`)))).toBe(false)
  })
})

describe('who made a list', () => {
  test('is the authority of that name with that key', async () => {
    const list = RevocationList.read(await listOf('level-2'))
    expect(list.isFrom(certificate('level-2'))).toBe(true)
    expect(list.isFrom(certificate('level-1'))).toBe(false)
  })

  test('is nobody when the signature is wrong', async () => {
    const { der } = await running.pki.revocationList(running.pki.certificate('level-2'), 'wrong-signature')
    expect(RevocationList.read(der).isFrom(certificate('level-2'))).toBe(false)
  })

  test('may not be an authority whose key does not sign lists', () => {
    const [constraints] = authority()
    const issuer = craft({ extensions: [constraints!, keyUsage('keyCertSign')] })
    expect(RevocationList.read(craftList(issuer)).isFrom(issuer.certificate)).toBe(false)
  })
})

describe('what a list says', () => {
  const issuer = craft({ subject: { CN: 'Lister' }, extensions: authority() })
  const holder = craft({ issuer, extensions: [crlUrls('http://a.example/1.crl')] })
  const serial = holder.certificate.serialNumber
  const at = new Date('2027-05-05T12:00:00Z')
  const reason = (code: number) => extension(extensionOids.crlReason, enumerated(code))
  const read = (content: Parameters<typeof craftList>[1]) => RevocationList.read(craftList(issuer, content))

  test.each([
    [1, 'keyCompromise'],
    [6, 'certificateHold'],
    [9, 'privilegeWithdrawn'],
    [7, 'unspecified'],
    [77, 'unspecified'],
  ])('reason %i is %s', (code, name) => {
    const list = read({ entries: [entry(serial, at, reason(code))] })
    expect(list.revocationOf(holder.certificate)).toEqual({ at, reason: name })
  })

  test('an entry without reason is unspecified, and its time may be of either type', () => {
    const entries = [sequence(integer(serial), generalizedTime(at))]
    expect(read({ entries }).revocationOf(holder.certificate)).toEqual({ at, reason: 'unspecified' })
  })

  test('a critical extension of the entry leaves it revoked', () => {
    const entries = [entry(serial, at, extension('1.2.3.4', nothing, true))]
    expect(read({ entries }).revocationOf(holder.certificate)).toMatchObject({ at })
  })

  test('an empty list has nobody', () => {
    expect(read({}).revocationOf(holder.certificate)).toBeUndefined()
    expect(read({}).size).toBe(0)
  })

  test('its dates, number and issuer are told', () => {
    const list = craftList(issuer, { extensions: [extension(extensionOids.crlNumber, integer(513))], nextUpdate: null })
    expect(crlIdentity(list)).toEqual({
      issuer: issuer.certificate.subject,
      thisUpdate: new Date('2027-06-01'),
      number: Buffer.of(2, 1),
    })
    expect(RevocationList.read(list).nextUpdate).toBeNull()
  })

  const point = (...members: Parameters<typeof sequence>) =>
    read({ extensions: [extension(extensionOids.issuingDistributionPoint, sequence(...members), true)] })
  const yes = boolean(true)

  const coversAll = (list: RevocationList, { certificate: about }: Crafted) => list.reasonsFor(about) === ALL_REASONS

  test('is meant for whom its distribution point says', () => {
    const covers = (list: RevocationList) => [coversAll(list, holder), coversAll(list, issuer)]
    expect(covers(read({}))).toEqual([true, true])
    expect(covers(point(implicit(1, yes)))).toEqual([true, false])
    expect(covers(point(implicit(2, yes)))).toEqual([false, true])
    expect(covers(point(implicit(5, yes)))).toEqual([false, false])
    expect(covers(point(implicit(3, bitString(Buffer.of(0x40), 6))))).toEqual([false, false])
    expect(covers(point(implicit(1, boolean(false))))).toEqual([true, true])
  })

  test('is meant for the addresses its distribution point names', () => {
    const named = (url: string) => point(explicit(0, implicit(0, sequence(uri(url)))))
    expect(coversAll(named('http://a.example/1.crl'), holder)).toBe(true)
    expect(coversAll(named('HTTP://A.example/1.crl'), holder)).toBe(true)
    expect(coversAll(named('http://a.example/1.CRL'), holder)).toBe(false)
    expect(coversAll(named('http://a.example/2.crl'), holder)).toBe(false)
  })

  test('unknown critical extensions, and scopes with more than is known, are refused', () => {
    expect(() => read({ extensions: [extension('1.2.3.4', nothing, true)] })).toThrow(
      expect.objectContaining({ code: 'revocation.unknown-critical' }),
    )
    expect(() => point(implicit(6, yes))).toThrow(expect.objectContaining({ code: 'revocation.malformed-crl' }))
  })
})

test('a list with any byte changed is refused, or not from its issuer', async () => {
  const der = await listOf('level-2')
  const issuer = certificate('level-2')
  const revoked = certificate('revoked')
  for (let offset = 0; offset < der.length; offset++) {
    const changed = Buffer.from(der)
    changed[offset]! ^= 0x80 >> (offset % 8)
    try {
      const list = RevocationList.read(changed)
      expect(list.isFrom(issuer)).toBe(false)
      list.revocationOf(revoked)
    } catch (error) {
      expect(error).toMatchObject({ name: 'EngineError', code: expect.stringMatching(/^revocation\./) })
    }
  }
})

test.each([0, 1, 2, 50, 300])('a list cut off after %i bytes is refused', async (length) => {
  const der = await listOf('level-2')
  expect(() => RevocationList.read(der.subarray(0, length))).toThrow(
    expect.objectContaining({ code: 'revocation.malformed-crl' }),
  )
})
