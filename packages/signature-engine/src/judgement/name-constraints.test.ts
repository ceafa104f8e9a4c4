import { describe, expect, test } from 'vitest'
import { type Der, nothing } from '../der/der-writer.ts'
import { extensionOids } from '../x509/oids.ts'
import { authority, craft, extension, nameOf } from '../x509/test-support/crafted-certificate.ts'
import {
  alternativeNames,
  type CraftedConstraints,
  nameConstraints,
  names,
} from '../x509/test-support/crafted-extensions.ts'
import { opensslAccepts, reasonsOn } from './test-support/crafted-path.ts'

const { directory, dns, email, ip, other, registered, uri } = names
const root = craft({ subject: { CN: 'Root' }, extensions: authority() })
const limited = (constraints: CraftedConstraints) =>
  craft({ subject: { CN: 'Limited' }, issuer: root, extensions: [...authority(), nameConstraints(constraints)] })
const below = (constraints: CraftedConstraints, ...members: Der[]) => {
  const issuer = limited(constraints)
  return { issuer, holder: craft({ issuer, subject: nameOf({}), extensions: [alternativeNames(...members)] }) }
}

const V6 = [0x20, 1, 0x0d, 0xb8]
const repeated = (byte: number, count: number) => Array<number>(count).fill(byte)
const org = (organization: string, more = {}) => directory(nameOf({ C: 'BR', O: organization, ...more }))

/** Subtree, a name within it, a name outside it. */
const forms: readonly (readonly [what: string, subtree: Der, within: Der, outside: Der])[] = [
  ['a directory name', org('Acme'), org('ACME ', { CN: 'Ana' }), org('Acme Ltda')],
  ['all mail of a host', email('acme.example'), email('ana@ACME.example'), email('ana@sub.acme.example')],
  ['all mail below a domain', email('.acme.example'), email('ana@sub.acme.example'), email('ana@acme.example')],
  ['one mailbox', email('ana@acme.example'), email('ana@Acme.example'), email('Ana@acme.example')],
  ['a domain', dns('acme.example'), dns('www.Acme.example'), dns('notacme.example')],
  ['the URIs of a host', uri('acme.example'), uri('https://acme.example:8443/x'), uri('https://www.acme.example/')],
  ['the URIs below a domain', uri('.acme.example'), uri('https://a.acme.example'), uri('https://acme.example/')],
  ['a network', ip(10, 1, 0, 0, 255, 255, 0, 0), ip(10, 1, 7, 7), ip(10, 2, 7, 7)],
  [
    'a network of version 6',
    ip(...V6, ...repeated(0, 12), ...repeated(255, 4), ...repeated(0, 12)),
    ip(...V6, ...repeated(7, 12)),
    ip(0xfe, 0x80, ...repeated(0, 14)),
  ],
]

describe.each(forms)('%s (RFC 5280 §4.2.1.10)', (_what, subtree, within, outside) => {
  test.each([
    ['permitted, within', { permitted: [subtree] }, within, true],
    ['permitted, outside', { permitted: [subtree] }, outside, false],
    ['excluded, within', { excluded: [subtree] }, within, false],
    ['excluded, outside', { excluded: [subtree] }, outside, true],
    ['permitted, not critical', { permitted: [subtree], critical: false }, outside, false],
    ['permitted, within and outside', { permitted: [subtree] }, [within, outside], false],
    ['permitted, and excluded after all', { permitted: [subtree], excluded: [subtree] }, within, false],
  ] as const)('%s', async (_case, constraints, name, isValid) => {
    const { issuer, holder } = below(constraints as CraftedConstraints, ...[name].flat())
    expect(await reasonsOn(holder, root, { others: [issuer] })).toEqual(isValid ? [] : ['chain.name-not-permitted'])
  })

  test('openssl agrees', async () => {
    for (const [name, isValid] of [
      [within, true],
      [outside, false],
    ] as const) {
      const { issuer, holder } = below({ permitted: [subtree] }, name)
      expect(await opensslAccepts(holder, root, { others: [issuer] })).toBe(isValid)
    }
  })
})

describe('which names are compared', () => {
  const acme = limited({ permitted: [org('Acme')], excluded: [email('spam.example')] })

  test('the subject, and the mail address in it', async () => {
    const reasons = (subject: Readonly<Record<string, string>>) =>
      reasonsOn(craft({ issuer: acme, subject }), root, { others: [acme] })
    expect(await reasons({ C: 'BR', O: 'Acme', CN: 'Ana' })).toEqual([])
    expect(await reasons({ C: 'BR', O: 'Other' })).toEqual(['chain.name-not-permitted'])
    expect(await reasons({ C: 'BR', O: 'Acme', emailAddress: 'a@spam.example' })).toEqual(['chain.name-not-permitted'])
  })

  test('those of forms without a subtree are free', async () => {
    const { issuer, holder } = below({ permitted: [dns('acme.example')] }, email('a@b.example'), other('1.2.3', 'x'))
    expect(await reasonsOn(holder, root, { others: [issuer] })).toEqual([])
  })

  test('those of authorities in between, but not of one that certifies itself again', async () => {
    const subject = { C: 'BR', O: 'Acme' }
    const between = (name: Readonly<Record<string, string>>) =>
      craft({ issuer: acme, subject: name, extensions: authority() })
    const inside = between(subject)
    const outside = between({ CN: 'Elsewhere' })
    const again = craft({ issuer: acme, subject: { CN: 'Limited' }, extensions: authority() })
    const holderOf = (issuer: typeof acme) => craft({ issuer, subject: { ...subject, CN: 'Ana' } })
    expect(await reasonsOn(holderOf(inside), root, { others: [acme, inside] })).toEqual([])
    expect(await reasonsOn(holderOf(outside), root, { others: [acme, outside] })).toEqual(['chain.name-not-permitted'])
    expect(await reasonsOn(holderOf(again), root, { others: [acme, again] })).toEqual([])
  })

  test('by every authority above, the anchor too', async () => {
    const anchor = craft({ extensions: [...authority(), nameConstraints({ permitted: [email('acme.example')] })] })
    const issuer = craft({
      issuer: anchor,
      extensions: [...authority(), nameConstraints({ permitted: [email('.acme.example')] })],
    })
    const named = (address: string) => craft({ issuer, extensions: [alternativeNames(email(address))] })
    expect(await reasonsOn(named('a@acme.example'), anchor, { others: [issuer] })).toEqual(['chain.name-not-permitted'])
    expect(await reasonsOn(named('a@b.acme.example'), anchor, { others: [issuer] })).toEqual([
      'chain.name-not-permitted',
    ])
  })
})

describe('what cannot be compared is not permitted', () => {
  test.each([
    ['an otherName of a form with a subtree', { permitted: [other('1.2.3', 'x')] }, other('1.2.3', 'x')],
    ['even when it is only excluded', { excluded: [other('1.2.3', 'x')], critical: false }, other('1.2.3', 'y')],
    ['a registered identifier', { permitted: [registered('1.2.3')] }, registered('1.2.3')],
    ['a subtree with a maximum', { permitted: [dns('acme.example')], maximum: 3 }, dns('acme.example')],
    ['a URI without a host', { excluded: [uri('acme.example')] }, uri('urn:oid:1.2.3')],
    ['a URI with an address for a host', { excluded: [uri('acme.example')] }, uri('https://10.0.0.1/')],
    ['a mail address without a host', { excluded: [email('acme.example')] }, email('ana')],
    ['a host with what no host has', { excluded: [dns('acme.example')] }, dns('www.acme.example\0.b.example')],
    ['a wildcard around an excluded name', { excluded: [dns('www.acme.example')] }, dns('*.acme.example')],
    ['an address of five bytes', { excluded: [ip(10, 1, 0, 0, 255, 255, 0, 0)] }, ip(10, 1, 0, 0, 0)],
    ['a directory name that is none', { excluded: [org('Acme')] }, directory(nothing)],
  ] as const)('%s', async (_what, constraints, name) => {
    const { issuer, holder } = below(constraints as CraftedConstraints, name)
    expect(await reasonsOn(holder, root, { others: [issuer] })).toEqual(['chain.name-not-permitted'])
  })

  test('an otherName of another type is of another form', async () => {
    const { issuer, holder } = below({ permitted: [other('1.2.3', 'x')] }, other('1.2.4', 'x'))
    expect(await reasonsOn(holder, root, { others: [issuer] })).toEqual([])
  })

  test('thousands of names under thousands of subtrees', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => dns(`h${i}.example`))
    const { issuer, holder } = below({ permitted: many(1_100) }, ...many(1_000))
    expect(await reasonsOn(holder, root, { others: [issuer] })).toEqual(['chain.name-not-permitted'])
  })

  test('constraints that are malformed are no certificate', () => {
    expect(() => craft({ extensions: [extension(extensionOids.nameConstraints, nothing)] })).toThrow(
      expect.objectContaining({ code: 'certificate.malformed' }),
    )
  })
})
