import { describe, expect, test } from 'vitest'
import type { Der } from '../der/der-writer.ts'
import { explicit, implicit, sequence } from '../der/der-writer.ts'
import type { HttpExchange } from '../http/exchange.ts'
import { RevocationSource } from '../revocation/revocation-source.ts'
import {
  because,
  changesSince,
  craftList,
  entry,
  issuedFor,
  numbered,
} from '../revocation/test-support/crafted-list.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { extensionOids } from '../x509/oids.ts'
import { authority, craft, crlUrls, extension, keyUsage, uri } from '../x509/test-support/crafted-certificate.ts'
import { createJudge } from './judge-certificate.ts'
import { at, opensslAccepts, reasonsOn, verdictOn } from './test-support/crafted-path.ts'

const HOUR = 60 * 60 * 1000
const root = craft({ subject: { CN: 'Root' }, extensions: authority() })
const url = (address: string) => sequence(sequence(explicit(0, implicit(0, sequence(uri(address))))))
const freshest = extension(extensionOids.freshestCrl, url('http://a.example/delta.crl'))
const holder = craft({ issuer: root, extensions: [crlUrls('http://a.example/1.crl')] })

const [HOLD, KEY_COMPROMISE, REMOVED] = [6, 1, 8]
const listed = (reason: number, serial = holder.certificate.serialNumber) =>
  entry(serial, new Date('2027-05-01'), because(reason))

const complete = (number: number, entries: Der[] = [], more: Der[] = []) =>
  craftList(root, { entries, extensions: [numbered(number), ...more] })
const changes = (base: number, number: number, entries: Der[] = [], more: Der[] = [], signer = root) =>
  craftList(signer, {
    thisUpdate: new Date(at.getTime() - HOUR),
    nextUpdate: new Date(at.getTime() + HOUR),
    entries,
    extensions: [numbered(number), changesSince(base), ...more],
  })

const GOOD: string[] = []
const REVOKED = ['revocation.revoked']
const ON_HOLD = ['revocation.on-hold']

describe('a delta CRL (RFC 5280 §5.2.4)', () => {
  const scope = issuedFor({ names: [uri('http://a.example/1.crl')] })
  const otherKey = craft({ subject: { CN: 'Root' }, issuer: root, extensions: [keyUsage('cRLSign')] })

  test.each<[string, Der[], string[]]>([
    ['adds a revocation', [complete(5), changes(5, 6, [listed(KEY_COMPROMISE)])], REVOKED],
    ['lifts a hold', [complete(5, [listed(HOLD)]), changes(5, 6, [listed(REMOVED)])], GOOD],
    ['changes the reason', [complete(5, [listed(HOLD)]), changes(5, 6, [listed(KEY_COMPROMISE)])], REVOKED],
    ['leaves what it does not have', [complete(5, [listed(HOLD)]), changes(5, 6)], ON_HOLD],
    ['fits a later list than its base', [complete(6), changes(5, 7, [listed(KEY_COMPROMISE)])], REVOKED],
    [
      'counts when it is the newest',
      [complete(5), changes(5, 6, [listed(HOLD)]), changes(5, 7, [listed(REMOVED)])],
      GOOD,
    ],
    ['has numbers of any length', [complete(255), changes(255, 256, [listed(KEY_COMPROMISE)])], REVOKED],
    ['alone proves nothing', [changes(5, 6)], ['revocation.unknown']],
    ['since a later list does not fit', [complete(5), changes(6, 7, [listed(KEY_COMPROMISE)])], GOOD],
    ['of before the list does not fit', [complete(8), changes(5, 7, [listed(KEY_COMPROMISE)])], GOOD],
    ['of another scope does not fit', [complete(5), changes(5, 6, [listed(KEY_COMPROMISE)], [scope])], GOOD],
    ['of the same scope fits', [complete(5, [], [scope]), changes(5, 6, [listed(KEY_COMPROMISE)], [scope])], REVOKED],
    ['of another key does not fit', [complete(5), changes(5, 6, [listed(KEY_COMPROMISE)], [], otherKey)], GOOD],
  ])('%s', async (_what, lists, expected) => {
    expect(await reasonsOn(holder, root, { lists, others: [otherKey] })).toEqual(expected)
  })

  test.each<[Der[], boolean]>([
    [[complete(5), changes(5, 6, [listed(KEY_COMPROMISE)])], false],
    [[complete(5, [listed(HOLD)]), changes(5, 6, [listed(REMOVED)])], true],
    [[complete(5), changes(5, 6)], true],
  ])('openssl agrees in case %#', async (lists, isGood) => {
    const [base, delta] = lists as [Der, Der]
    const withFreshest = craft({
      issuer: root,
      serialNumber: holder.certificate.serialNumber,
      extensions: [crlUrls('http://a.example/1.crl'), freshest],
    })
    expect(await opensslAccepts(withFreshest, root, { lists: [base, delta] }, '-crl_check', '-use_deltas')).toBe(isGood)
    expect(await reasonsOn(withFreshest, root, { lists })).toEqual(isGood ? GOOD : REVOKED)
  })

  test('makes an old list current', async () => {
    const old = craftList(root, {
      thisUpdate: new Date('2027-04-01'),
      nextUpdate: new Date('2027-05-01'),
      extensions: [numbered(5)],
    })
    expect(await reasonsOn(holder, root, { lists: [old] })).toEqual(['revocation.stale'])
    expect(await reasonsOn(holder, root, { lists: [old, changes(5, 6)] })).toEqual(GOOD)
  })

  test('of tomorrow is not taken', async () => {
    const tomorrow = craftList(root, {
      thisUpdate: new Date(at.getTime() + 24 * HOUR),
      entries: [listed(REMOVED)],
      extensions: [numbered(6), changesSince(5)],
    })
    expect(await reasonsOn(holder, root, { lists: [complete(5, [listed(HOLD)]), tomorrow] })).toEqual(ON_HOLD)
  })

  test('is stored with the list it changes', async () => {
    const lists = [complete(5), changes(5, 6)]
    const { revocation } = await verdictOn(holder, root, { lists })
    expect([revocation[0]?.evidence, ...(revocation[0]?.supplements?.crls ?? [])]).toEqual(lists)
  })
})

describe('downloaded', () => {
  /** The addresses that answer; others are down. */
  function judgeOver(answers: Readonly<Record<string, Der>>) {
    const asked: string[] = []
    const exchange: HttpExchange = async ({ url: address }) => {
      asked.push(address)
      const body = answers[address]
      return { status: body ? 200 : 500, headers: {}, body: body ?? Buffer.alloc(0) }
    }
    const judge = createJudge({
      anchors: TrustAnchors.of([root.certificate]),
      revocation: new RevocationSource({ exchange }),
    })
    return { judge, asked }
  }
  const [list, delta] = ['http://a.example/1.crl', 'http://a.example/delta.crl']
  const withFreshest = craft({ issuer: root, extensions: [crlUrls(list), freshest] })
  const revoking = changes(5, 6, [listed(KEY_COMPROMISE, withFreshest.certificate.serialNumber)])
  const statesOf = async (answers: Readonly<Record<string, Der>>, about = withFreshest) => {
    const { judge, asked } = judgeOver(answers)
    const verdict = await judge.certificate(about.certificate, { at, now: at })
    return { state: verdict.revocation[0]?.state, asked, verdict, judge }
  }

  test('from where the certificate says', async () => {
    expect(await statesOf({ [list]: complete(5), [delta]: revoking })).toMatchObject({
      state: 'revoked',
      asked: [list, delta],
    })
  })

  test('from where the list says', async () => {
    const entries = [listed(KEY_COMPROMISE)]
    const answers = { [list]: complete(5, [], [freshest]), [delta]: changes(5, 6, entries) }
    expect(await statesOf(answers, holder)).toMatchObject({ state: 'revoked', asked: [list, delta] })
  })

  test('and when it is not there, the list stands', async () => {
    expect(await statesOf({ [list]: complete(5) })).toMatchObject({ state: 'good', asked: [list, delta] })
    const forged = craftList(craft({ subject: { CN: 'Root' } }), { extensions: [numbered(6), changesSince(5)] })
    expect(await statesOf({ [list]: complete(5), [delta]: forged })).toMatchObject({ state: 'good' })
  })

  test('with validation data for long-term levels', async () => {
    const answers = { [list]: complete(5), [delta]: changes(5, 6) }
    const { judge } = judgeOver(answers)
    const data = await judge.validationData(withFreshest.certificate, { at, now: at })
    expect(data.crls).toEqual(Object.values(answers))
  })

  test('in parts, each at its own address', async () => {
    const addresses = ['http://a.example/1.crl', 'http://a.example/2.crl'] as const
    const inTwo = craft({ issuer: root, extensions: [crlUrls(...addresses)] })
    const [some, others] = [
      [1, 2, 3],
      [4, 5, 6, 7, 8],
    ].map((reasons) => craftList(root, { extensions: [issuedFor({ reasons })] })) as [Der, Der]
    expect(await statesOf({ [addresses[0]]: some, [addresses[1]]: others }, inTwo)).toMatchObject({ state: 'good' })
    expect(await statesOf({ [addresses[0]]: some }, inTwo)).toMatchObject({ state: 'unknown' })
  })
})
