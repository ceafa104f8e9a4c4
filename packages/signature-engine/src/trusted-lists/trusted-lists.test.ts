import { describe, expect, test } from 'vitest'
import { refuseHttp } from '../http/errors.ts'
import { createJudge } from '../judgement/judge-certificate.ts'
import { keySigner } from '../keys/key-signer.ts'
import { craftList } from '../revocation/test-support/crafted-list.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { authority, type Crafted, craft, extendedKeyUsage, keyUsage } from '../x509/test-support/crafted-certificate.ts'
import { signXades } from '../xades/sign-xades.ts'
import { xmlsecVerifies } from '../xades/test-support/xmlsec.ts'
import { anchorsOf, openPointedLists, openTrustedList, readTrustedList } from './index.ts'
import { trustedListXml, type WrittenList, type WrittenService } from './test-support/trusted-list-xml.ts'

const now = new Date('2027-06-01T12:00:00Z')
const mayOperate = [keyUsage('nonRepudiation'), extendedKeyUsage(false, '0.4.0.2231.3.0')]
const operator = craft({ subject: { CN: 'Scheme operator' }, extensions: mayOperate })
const signers = [operator.certificate]

const signerOf = ({ certificate, privateKey }: Crafted) => keySigner({ certificate, privateKey, chain: [] })

const signed = async (list: WrittenList, by: Crafted = operator): Promise<Buffer> =>
  Buffer.from(await signXades(trustedListXml(list), signerOf(by), { now }))

const issuing = craft({ subject: { CN: 'Issuing' }, extensions: authority() })
const stamping = craft({ subject: { CN: 'Stamping' } })
const service = (...statuses: WrittenService['statuses']): WrittenService => ({ name: 'Service', statuses })
const granted = { status: 'granted', from: '2020-01-01T00:00:00Z', certificates: [issuing.certificate] }

describe('a trusted list', () => {
  test('is what xmlsec1 verifies, and read as data', async () => {
    const bytes = await signed({ services: [service(granted)] })
    expect((await xmlsecVerifies([bytes], { root: operator.certificate })).ok).toBe(true)
    const list = await openTrustedList(bytes, { signers, now })
    expect(list).toMatchObject({
      version: 5,
      sequence: 7,
      operator: 'Operator',
      territory: 'XX',
      issuedAt: new Date('2027-05-01'),
      nextUpdate: new Date('2027-09-01'),
    })
    expect(list.services).toMatchObject([
      { provider: 'Provider', name: 'Service', statuses: [{ from: new Date('2020-01-01'), until: null }] },
    ])
    expect(list.services[0]?.certificates).toEqual([issuing.certificate])
  })

  test.each([
    ['without a signature', async () => trustedListXml(), 'trusted-list.not-signed'],
    [
      'signed by another',
      () => signed({}, craft({ subject: { CN: 'Scheme operator' }, extensions: mayOperate })),
      'trusted-list.untrusted',
    ],
    [
      'changed afterwards',
      async () => Buffer.from((await signed({})).toString().replace('>7<', '>8<')),
      'trusted-list.untrusted',
    ],
    [
      'of which only a part is signed',
      async () => Buffer.from(await signXades(trustedListXml(), signerOf(operator), { now, target: { ordinal: 1 } })),
      'trusted-list.untrusted',
    ],
    ['after its next update', () => signed({ nextUpdate: '2027-05-31T00:00:00Z' }), 'trusted-list.outdated'],
    ['of an older issue', () => signed({ sequence: 6 }), 'trusted-list.older'],
    ['that is another document', async () => Buffer.from('<list/>'), 'trusted-list.unreadable'],
    ['that is no XML', async () => Buffer.from('list'), 'trusted-list.unreadable'],
    ['without a number', () => signed({ sequence: Number.NaN }), 'trusted-list.unreadable'],
    ['with a time that is none', () => signed({ nextUpdate: 'soon' }), 'trusted-list.unreadable'],
  ])('%s is refused', async (_what, make, code) => {
    await expect(openTrustedList(await make(), { signers, now, newestSequence: 7 })).rejects.toMatchObject({ code })
  })

  test('that is closed has no next update; an outdated one is read when that is wanted', async () => {
    expect((await openTrustedList(await signed({ nextUpdate: null }), { signers, now })).nextUpdate).toBeNull()
    const old = await signed({ nextUpdate: '2027-05-31T00:00:00Z' })
    expect((await openTrustedList(old, { signers, now, acceptOutdated: true })).sequence).toBe(7)
  })
})

describe('services as anchors', () => {
  const anchors = (...services: WrittenService[]) => anchorsOf(readTrustedList(trustedListXml({ services })))
  const [early, late] = ['2017-01-01T00:00:00Z', '2022-01-01T00:00:00Z']
  const periods = (...statuses: WrittenService['statuses']) =>
    anchors(service(...statuses)).flatMap((anchor) =>
      anchor.periods.map(({ from, until }) => [from?.toISOString().slice(0, 10), until?.toISOString().slice(0, 10)]),
    )

  test('are trusted while their status was granted', () => {
    expect(periods({ ...granted, from: early })).toEqual([['2017-01-01', undefined]])
    expect(periods({ ...granted, status: 'withdrawn', from: late }, { ...granted, from: early })).toEqual([
      ['2017-01-01', '2022-01-01'],
    ])
    expect(periods({ ...granted, status: 'withdrawn' })).toEqual([])
  })

  test('and before regulation 910/2014 while they were supervised', () => {
    const before = { ...granted, status: 'undersupervision', from: '2012-01-01T00:00:00Z' }
    expect(periods({ ...granted, from: early }, before)).toEqual([
      ['2017-01-01', undefined],
      ['2012-01-01', '2016-06-30'],
    ])
    expect(periods({ ...before, from: early })).toEqual([])
  })

  test('are of the kinds asked for, and not for web sites alone', () => {
    const stamps = { ...granted, type: 'TSA/QTST', certificates: [stamping.certificate] }
    const list = readTrustedList(trustedListXml({ services: [service(granted), service(stamps)] }))
    const subjects = (...kinds: Parameters<typeof anchorsOf>[1] & object) =>
      anchorsOf(list, kinds).map(({ certificate }) => certificate.subject.commonName)
    expect([subjects('CA/QC'), subjects('TSA/QTST')]).toEqual([['Issuing'], ['Stamping']])
    expect(periods({ ...granted, usages: ['ForWebSiteAuthentication'] })).toEqual([])
    expect(periods({ ...granted, usages: ['ForWebSiteAuthentication', 'ForeSignatures'] })).toHaveLength(1)
    expect(periods({ ...granted, type: 'NationalRootCA-QC' })).toEqual([])
  })

  test('judge by the time of the signature', async () => {
    const holder = craft({ issuer: issuing })
    const judge = createJudge({
      anchors: TrustAnchors.of(
        anchors(
          service(
            { ...granted, status: 'withdrawn', from: '2027-05-15T00:00:00Z' },
            { ...granted, from: '2026-02-01T00:00:00Z' },
          ),
        ),
      ),
    })
    const evidence = { crls: [craftList(issuing)], ocsps: [] }
    const judged = async (at: string) => {
      const { indication, reasons } = await judge.certificate(holder.certificate, { at: new Date(at), now, evidence })
      return [indication, ...reasons.map(({ code }) => code)]
    }
    expect(await judged('2027-05-14T23:59:59Z')).toEqual(['valid'])
    expect(await judged('2027-05-15T00:00:00Z')).toEqual(['indeterminate', 'chain.untrusted-then'])
    expect(await judged('2026-01-31T00:00:00Z')).toEqual(['indeterminate', 'chain.untrusted-then'])
  })
})

describe('a list of lists', () => {
  const national = craft({ subject: { CN: 'National operator' }, extensions: mayOperate })
  const pointerTo = (location: string, by = national) => ({ location, signers: [by.certificate] })

  test('is opened with the signers it names, each for itself', async () => {
    const lists: Readonly<Record<string, Buffer>> = {
      'https://a/': await signed({ sequence: 3, services: [service(granted)] }, national),
      'https://b/': await signed({}, operator),
    }
    const european = await openTrustedList(
      await signed({
        pointers: [
          pointerTo('https://a/'),
          pointerTo('https://b/'),
          pointerTo('https://c/'),
          { ...pointerTo('https://d/'), mimeType: 'application/pdf' },
          { ...pointerTo('https://e/'), type: 'EUListOfTheLists' },
        ],
      }),
      { signers, now },
    )
    const asked: string[] = []
    const load = async (location: string) => {
      asked.push(location)
      if (!lists[location]) throw refuseHttp('http.unreachable', { url: location, reason: 'down' })
      return lists[location]
    }
    const opened = await openPointedLists(european, { load, now })
    expect(asked).toEqual(['https://a/', 'https://b/', 'https://c/'])
    expect(opened.map(({ list, error }) => list?.sequence ?? error?.code)).toEqual([
      3,
      'trusted-list.untrusted',
      'http.unreachable',
    ])
    expect(european.pointers[3]).toMatchObject({ territory: 'XX', mimeType: 'application/pdf' })
  })
})
