import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Der, nothing } from '../der/der-writer.ts'
import {
  because,
  type CraftedPoint,
  craftList,
  entry,
  issuedFor,
  ofIssuer,
  pointsOf,
} from '../revocation/test-support/crafted-list.ts'
import type { KeyUsage } from '../x509/extensions.ts'
import {
  authority,
  authorityKey,
  type Crafted,
  craft,
  extension,
  keyUsage,
  nameOf,
  subjectKey,
} from '../x509/test-support/crafted-certificate.ts'
import { names } from '../x509/test-support/crafted-extensions.ts'
import { at, opensslAccepts, reasonsOn, verdictOn } from './test-support/crafted-path.ts'

const root = craft({ subject: { CN: 'Root' }, extensions: authority() })
const earlier = new Date('2027-05-01')
const [GOOD, REVOKED, UNKNOWN] = [[], ['revocation.revoked'], ['revocation.unknown']]
const entryOf = ({ certificate }: Crafted, ...extensions: Der[]) =>
  entry(certificate.serialNumber, earlier, ...extensions)

const { directory, uri } = names
const part = (n: number): CraftedPoint => ({ names: [directory(nameOf({ CN: `Part ${n}` }))] })

describe('a list of one distribution point (F10)', () => {
  const holder = craft({ issuer: root, extensions: [pointsOf(part(1))] })
  const listOf = (point: CraftedPoint, ...entries: Der[]) =>
    craftList(root, { entries, extensions: [issuedFor(point)] })

  test('of another point proves nothing, and the right one the revocation', async () => {
    const [right, wrong] = [listOf(part(1), entryOf(holder)), listOf(part(2))]
    expect(await reasonsOn(holder, root, { lists: [wrong] })).toEqual(UNKNOWN)
    expect(await reasonsOn(holder, root, { lists: [wrong, right] })).toEqual(REVOKED)
    expect(await reasonsOn(holder, root, { lists: [listOf(part(1))] })).toEqual(GOOD)
    expect(await opensslAccepts(holder, root, { lists: [wrong] }, '-crl_check')).toBe(false)
    expect(await opensslAccepts(holder, root, { lists: [listOf(part(1))] }, '-crl_check')).toBe(true)
  })

  const ownName = { names: [directory(root.certificate.subject.der)] }
  const below = { names: [directory(nameOf({ CN: 'Root', OU: 'Part 1' }))] }
  test.each<[string, CraftedPoint | undefined, CraftedPoint | undefined, readonly string[]]>([
    ['a name in another spelling', part(1), { names: [directory(nameOf({ CN: ' PART  1' }))] }, GOOD],
    ['one of several names', { names: [uri('ldap://x'), uri('http://a/1')] }, { names: [uri('http://a/1')] }, GOOD],
    ['a relative name and the same in full', { relative: { OU: 'Part 1' } }, below, GOOD],
    ['relative names', { relative: { OU: 'Part 1' } }, { relative: { OU: 'part 1' } }, GOOD],
    ['other relative names', { relative: { OU: 'Part 1' } }, { relative: { OU: 'Part 2' } }, UNKNOWN],
    ['a form without rules, byte for byte', { names: [names.dns('a')] }, { names: [names.dns('a')] }, GOOD],
    ['a point without a name', {}, part(1), UNKNOWN],
    ['a point and a list of everything', part(1), undefined, GOOD],
    ['no point and a list of everything', undefined, undefined, GOOD],
    ['no point and a list of a part', undefined, part(1), UNKNOWN],
    ['no point and a list of an address', undefined, { names: [uri('http://a/1')] }, UNKNOWN],
    ['no point and a list that is named like the issuer', undefined, ownName, GOOD],
    ['an empty name', part(1), { names: [] }, UNKNOWN],
  ])('%s', async (_what, point, scope, expected) => {
    const about = craft({ issuer: root, extensions: point ? [pointsOf(point)] : [] })
    const list = craftList(root, { extensions: scope ? [issuedFor(scope)] : [] })
    expect(await reasonsOn(about, root, { lists: [list] })).toEqual(expected)
  })
})

describe('lists of some reasons', () => {
  const holder = craft({ issuer: root })
  const [some, others] = [
    [1, 2, 3],
    [4, 5, 6, 7, 8],
  ]
  const listOf = (reasons: number[], entries: Der[] = [], more = {}) =>
    craftList(root, { entries, extensions: [issuedFor({ reasons })], ...more })
  const judged = (...lists: Der[]) => reasonsOn(holder, root, { lists })

  test('prove together that none holds, and not one by one', async () => {
    expect(await judged(listOf(some))).toEqual(UNKNOWN)
    expect(await judged(listOf(some), listOf(some))).toEqual(UNKNOWN)
    expect(await judged(listOf(some), listOf(others))).toEqual(GOOD)
    const lists = [listOf(some), listOf(others)]
    expect(await opensslAccepts(holder, root, { lists }, '-crl_check', '-extended_crl')).toBe(true)
    const { revocation } = await verdictOn(holder, root, { lists })
    expect([revocation[0]?.evidence, ...(revocation[0]?.supplements?.crls ?? [])]).toEqual(lists)
  })

  test('each proves a revocation, and only one', async () => {
    expect(await judged(listOf(some, [entryOf(holder, because(1))]))).toEqual(REVOKED)
    expect(await judged(listOf(some), listOf(others, [entryOf(holder, because(4))]))).toEqual(REVOKED)
    const later = entry(holder.certificate.serialNumber, new Date(at.getTime() + 1000), because(1))
    expect(await judged(listOf(some, [later]))).toEqual(UNKNOWN)
    expect(await judged(listOf(some, [later]), listOf(others))).toEqual(GOOD)
  })

  test('are as old as the oldest that is needed', async () => {
    const old = { thisUpdate: new Date('2027-04-01'), nextUpdate: new Date('2027-05-01') }
    expect(await judged(listOf(some, [], old), listOf(others))).toEqual(['revocation.stale'])
  })

  test('a point that only tells some reasons does not tell the others', async () => {
    const url = [uri('http://a/1')]
    const list = craftList(root, { extensions: [issuedFor({ names: url })] })
    const about = (reasons?: number[]) =>
      craft({ issuer: root, extensions: [pointsOf({ names: url, ...(reasons && { reasons }) })] })
    expect(await reasonsOn(about(), root, { lists: [list] })).toEqual(GOOD)
    expect(await reasonsOn(about(some), root, { lists: [list] })).toEqual(UNKNOWN)
  })
})

describe('an indirect list', () => {
  const lister = craft({ subject: { CN: 'Lister' }, issuer: root, extensions: authority() })
  const issuer = craft({ subject: { CN: 'Issuer' }, issuer: root, extensions: authority() })
  const holder = craft({
    issuer,
    extensions: [pointsOf({ ...part(1), listIssuer: lister.certificate.subject.der })],
  })
  const ofIssuers = craftList(root)
  const others = [issuer, lister]
  const by = (signer: Crafted, ...entries: Der[]) =>
    craftList(signer, { entries, extensions: [issuedFor({ ...part(1), indirect: true })] })
  const judged = (...lists: Der[]) => reasonsOn(holder, root, { others, lists: [ofIssuers, ...lists] })
  const nameOfIssuer = issuer.certificate.subject.der

  test('of the authority that the certificate names is proven by a path of its own', async () => {
    const lists = [ofIssuers, by(lister)]
    expect(await judged(by(lister))).toEqual(GOOD)
    expect(await opensslAccepts(holder, root, { others, lists }, '-crl_check', '-extended_crl')).toBe(true)
    const { revocation } = await verdictOn(holder, root, { others, lists })
    expect(revocation[0]?.supplements?.certificates).toContain(lister.certificate)
  })

  test('tells whose entries are, until it tells otherwise', async () => {
    const another = craft({ issuer: root, subject: { CN: 'Another' } })
    expect(await judged(by(lister, entryOf(holder, ofIssuer(nameOfIssuer))))).toEqual(REVOKED)
    expect(await judged(by(lister, entryOf(another, ofIssuer(nameOfIssuer)), entryOf(holder)))).toEqual(REVOKED)
    expect(await judged(by(lister, entryOf(holder)))).toEqual(GOOD)
    expect(await judged(by(lister, entryOf(holder, ofIssuer(nameOf({ CN: 'Another' })))))).toEqual(GOOD)
    const twice = [entryOf(holder, ofIssuer(nameOf({ CN: 'Another' }))), entryOf(holder, ofIssuer(nameOfIssuer))]
    expect(await judged(by(lister, ...twice))).toEqual(REVOKED)
    const lists = [ofIssuers, by(lister, entryOf(holder, ofIssuer(nameOfIssuer)))]
    expect(await opensslAccepts(holder, root, { others, lists }, '-crl_check', '-extended_crl')).toBe(false)
  })

  test('of anybody else is not about the certificate', async () => {
    const stranger = craft({ subject: { CN: 'Stranger' }, issuer: root, extensions: authority() })
    const revoking = by(stranger, entryOf(holder, ofIssuer(nameOfIssuer)))
    expect(await reasonsOn(holder, root, { others: [...others, stranger], lists: [ofIssuers, revoking] })).toEqual(
      UNKNOWN,
    )
    expect(await judged(craftList(lister, { extensions: [issuedFor(part(1))] }))).toEqual(UNKNOWN)
  })

  test('of an authority under another root is not proven', async () => {
    const elsewhere = craft({ subject: { CN: 'Elsewhere' }, extensions: authority() })
    const impostor = craft({ subject: { CN: 'Lister' }, issuer: elsewhere, extensions: authority() })
    const lists = [ofIssuers, craftList(elsewhere), by(impostor)]
    expect(await reasonsOn(holder, root, { others: [issuer, impostor, elsewhere], lists })).toEqual(UNKNOWN)
  })

  test('of an authority that is revoked, or of which nothing is known, proves nothing', async () => {
    const revoked = craftList(root, { entries: [entryOf(lister)] })
    expect(await reasonsOn(holder, root, { others, lists: [revoked, by(lister)] })).toEqual(UNKNOWN)
    const verdict = await verdictOn(holder, root, { others, lists: [by(lister)] })
    expect(verdict.revocation.map(({ state }) => state)).toEqual(['unknown', 'unknown'])
  })

  test('without the mark of one, the entries of others make the list useless', async () => {
    const plain = craft({ issuer: root })
    const list = (...entries: Der[]) => craftList(root, { entries })
    expect(await reasonsOn(plain, root, { lists: [list(entryOf(holder, ofIssuer(nameOfIssuer)))] })).toEqual(UNKNOWN)
    expect(await reasonsOn(plain, root, { lists: [list(entryOf(holder))] })).toEqual(GOOD)
  })
})

describe('another key of the authority', () => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = craft({
    subject: { CN: 'Issuer' },
    issuer: root,
    keys,
    extensions: [...authority(), subjectKey(keys.publicKey)],
  })
  const holder = craft({ issuer, extensions: [authorityKey(keys.publicKey)] })
  const keyFor = (...usages: KeyUsage[]) =>
    craft({ subject: { CN: 'Issuer' }, issuer: root, extensions: [keyUsage(...usages)] })
  const lister = keyFor('cRLSign')
  const judged = (signer: Crafted, ...lists: Der[]) =>
    reasonsOn(holder, root, { others: [issuer, signer], lists: [craftList(signer), ...lists] })

  test('signs its lists when its certificate has a path to the same anchor', async () => {
    expect(await judged(lister, craftList(root))).toEqual(GOOD)
    const listerKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const named = craft({
      subject: { CN: 'Issuer' },
      issuer: root,
      keys: listerKeys,
      extensions: [keyUsage('cRLSign'), subjectKey(listerKeys.publicKey)],
    })
    const lists = [craftList(named, { extensions: [authorityKey(listerKeys.publicKey)] }), craftList(root)]
    const others = [issuer, named]
    expect(await reasonsOn(holder, root, { others, lists })).toEqual(GOOD)
    expect(await opensslAccepts(holder, root, { others, lists }, '-crl_check', '-extended_crl')).toBe(true)
  })

  test('does not without cRLSign, without a path, or when it is revoked or expired', async () => {
    expect(await judged(keyFor('digitalSignature'), craftList(root))).toEqual(UNKNOWN)
    const alone = craft({ subject: { CN: 'Issuer' }, extensions: authority() })
    expect(await judged(alone, craftList(root))).toEqual(UNKNOWN)
    expect(await judged(lister, craftList(root, { entries: [entryOf(lister)] }))).toEqual(UNKNOWN)
    const expired = craft({ subject: { CN: 'Issuer' }, issuer: root, notAfter: earlier })
    expect(await judged(expired, craftList(root))).toEqual(UNKNOWN)
  })

  test('does not vouch for itself', async () => {
    const again = craft({ subject: { CN: 'Issuer' }, issuer, extensions: [keyUsage('cRLSign')] })
    const verdict = await verdictOn(craft({ issuer }), root, {
      others: [issuer, again],
      lists: [craftList(root), craftList(again)],
    })
    expect(verdict.revocation[0]?.state).toBe('unknown')
  })

  test('keys that vouch for each other end in a verdict', async () => {
    const others = Array.from({ length: 12 }, () =>
      craft({ subject: { CN: 'Issuer' }, issuer, extensions: [keyUsage('cRLSign')] }),
    )
    const lists = [craftList(root), ...others.map((key) => craftList(key))]
    expect(await reasonsOn(holder, root, { others: [issuer, ...others], lists })).toEqual(UNKNOWN)
  })
})

test('a critical extension of any entry that is not understood leaves the list without good news', async () => {
  const [holder, other] = [craft({ issuer: root }), craft({ issuer: root })]
  const unknown = extension('1.2.3.4', nothing, true)
  const judged = (...entries: Der[]) => reasonsOn(holder, root, { lists: [craftList(root, { entries })] })
  expect(await judged(entryOf(other, unknown))).toEqual(UNKNOWN)
  expect(await judged(entryOf(holder, unknown))).toEqual(REVOKED)
  expect(await judged(entryOf(other, extension('1.2.3.4', nothing)))).toEqual(GOOD)
})
