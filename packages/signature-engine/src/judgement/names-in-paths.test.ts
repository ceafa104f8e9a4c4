import { describe, expect, test } from 'vitest'
import { type Der, oid, printableString, sequence, setOf, utf8String } from '../der/der-writer.ts'
import type { HttpExchange } from '../http/exchange.ts'
import { craftList } from '../revocation/test-support/crafted-list.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { accessMethods, extensionOids } from '../x509/oids.ts'
import { authority, craft, extension, uri } from '../x509/test-support/crafted-certificate.ts'
import { createJudge } from './judge-certificate.ts'
import { at, opensslAccepts, reasonsOn, verdictOn } from './test-support/crafted-path.ts'

const CN = '2.5.4.3'
const name = (value: Der) => sequence(setOf(sequence(oid(CN), value)))

describe('an authority that is named in another spelling (RFC 5280 §7.1)', () => {
  const root = craft({ subject: name(printableString('Root Authority')), extensions: authority() })

  test.each([
    ['in another string type', utf8String('Root Authority'), []],
    ['in another case', printableString('ROOT authority'), []],
    ['with other spaces', printableString(' Root   Authority '), []],
    ['in another word', printableString('RootAuthority'), ['chain.no-path']],
  ])('%s', async (_what, spelled, reasons) => {
    const holder = craft({ issuer: root, issuerName: name(spelled) })
    expect(await reasonsOn(holder, root)).toEqual(reasons)
    expect(await opensslAccepts(holder, root)).toBe(reasons.length === 0)
  })

  test('is found among intermediates, and its list proves', async () => {
    const below = craft({ subject: name(printableString('Below')), issuer: root, extensions: authority() })
    const holder = craft({ issuer: below, issuerName: name(utf8String('BELOW')) })
    const lists = [craftList(root), craftList(below)]
    const verdict = await verdictOn(holder, root, { others: [below], lists })
    expect(verdict.indication).toBe('valid')
    expect(await opensslAccepts(holder, root, { others: [below], lists }, '-crl_check_all')).toBe(true)
  })

  test('that renewed itself in another spelling does not count for the path length', async () => {
    const short = craft({ subject: name(printableString('Short')), issuer: root, extensions: authority(0) })
    const renewed = craft({
      subject: name(utf8String('SHORT')),
      issuer: short,
      extensions: authority(),
    })
    const holder = craft({ issuer: renewed })
    expect(await reasonsOn(holder, root, { others: [short, renewed] })).toEqual([])
  })
})

test('the issuer of a new key that an old key of the same authority certified is downloaded', async () => {
  const root = craft({ subject: { CN: 'Root' }, extensions: authority() })
  const old = craft({ subject: { CN: 'Below' }, issuer: root, extensions: authority() })
  const address = 'http://a.example/old.crt'
  const access = extension(
    extensionOids.authorityInfoAccess,
    sequence(sequence(oid(accessMethods.caIssuers), uri(address))),
  )
  const renewed = craft({ subject: { CN: 'Below' }, issuer: old, extensions: [...authority(), access] })
  const exchange: HttpExchange = async ({ url }) =>
    url === address
      ? { status: 200, headers: {}, body: old.certificate.der }
      : { status: 404, headers: {}, body: Buffer.alloc(0) }
  const judge = createJudge({
    anchors: TrustAnchors.of([root.certificate]),
    exchange,
    intermediates: [renewed.certificate],
  })
  const { anchor } = await judge.certificate(craft({ issuer: renewed }).certificate, { at, now: at })
  expect(anchor).toBe(root.certificate)
})
