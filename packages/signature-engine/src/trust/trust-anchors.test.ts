import { describe, expect, test } from 'vitest'
import { createJudge } from '../judgement/judge-certificate.ts'
import { craftList } from '../revocation/test-support/crafted-list.ts'
import { authority, craft } from '../x509/test-support/crafted-certificate.ts'
import { TrustAnchors } from './trust-anchors.ts'

const root = craft({ subject: { CN: 'Root' }, extensions: authority() })
const issuer = craft({ subject: { CN: 'Issuer' }, issuer: root, extensions: authority() })
const holder = craft({ issuer })
const [from, until, now] = [new Date('2027-03-01'), new Date('2027-05-01'), new Date('2027-06-10')]
const inTime = new Date('2027-04-01')
const trustedFor = { certificate: issuer.certificate, periods: [{ from, until }] }

async function judged(anchors: TrustAnchors, at: Date) {
  const evidence = { crls: [craftList(issuer), craftList(root)], ocsps: [] }
  const certificates = [issuer.certificate]
  const verdict = await createJudge({ anchors }).certificate(holder.certificate, { at, now, evidence, certificates })
  return [verdict.indication, verdict.anchor?.subject.commonName, ...verdict.reasons.map(({ code }) => code)]
}

describe('an anchor with periods', () => {
  const anchors = TrustAnchors.of([trustedFor])

  test('is one for what was signed in them, from their first moment and not at their last', async () => {
    expect(await judged(anchors, inTime)).toEqual(['valid', 'Issuer'])
    expect(await judged(anchors, from)).toEqual(['valid', 'Issuer'])
    expect(await judged(anchors, until)).toEqual(['indeterminate', 'Issuer', 'chain.untrusted-then'])
  })

  test('gives way to one above it that is trusted then', async () => {
    const both = TrustAnchors.of([trustedFor, root.certificate])
    expect(await judged(both, inTime)).toEqual(['valid', 'Issuer'])
    expect(await judged(both, now)).toEqual(['valid', 'Root'])
  })

  test('given several times is trusted in all of its periods, and given without any always', async () => {
    const twice = TrustAnchors.of([trustedFor, { ...trustedFor, periods: [{ from: until, until: null }] }])
    expect(await judged(twice, now)).toEqual(['valid', 'Issuer'])
    expect(await judged(TrustAnchors.of([trustedFor, issuer.certificate]), now)).toEqual(['valid', 'Issuer'])
    expect(twice.certificates).toEqual([issuer.certificate])
  })

  test('without a period is never trusted', async () => {
    const never = TrustAnchors.of([{ ...trustedFor, periods: [] }])
    expect(await judged(never, inTime)).toEqual(['indeterminate', 'Issuer', 'chain.untrusted-then'])
  })
})
