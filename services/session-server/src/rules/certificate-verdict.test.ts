import { HOUR, MINUTE } from '@chancela/service-kernel/clock'
import type { CertificateReasonCode, CertificateVerdict } from '@chancela/signature-engine/judgement'
import { Certificate } from '@chancela/signature-engine/x509'
import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'
import { describe, expect, test } from 'vitest'
import { judgementOf, statusNow, verdictAfter } from './certificate-verdict.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const pki = await createDemoPki({ baseUrl: 'http://localhost:8087', clock: () => now, keys: cachedKeys() })
const holder = Certificate.read(pki.certificate('ana-souza').der)
const issuer = Certificate.read(pki.certificate('level-2').der)
const STALE_AFTER = 4 * HOUR

const verdict = (...reasons: readonly (readonly [CertificateReasonCode, Certificate])[]): CertificateVerdict => ({
  indication: reasons.length === 0 ? 'valid' : 'indeterminate',
  reasons: reasons.map(([code, certificate]) => ({ code, certificate })),
  at: now,
  path: [holder, issuer],
  anchor: null,
  policies: [],
  revocation: [],
})

const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString()

describe('the judgement of a certificate', () => {
  test.each([
    ['chain.untrusted-root', 'UNTRUSTED'],
    ['policy.unacceptable', 'UNTRUSTED'],
    ['keyUsage.unfit', 'UNTRUSTED'],
    ['algorithm.weak', 'UNTRUSTED'],
    ['validity.not-yet-valid', 'UNTRUSTED'],
    ['validity.expired', 'EXPIRED'],
    ['revocation.revoked', 'REVOKED'],
    ['revocation.on-hold', 'REVOKED'],
  ] as const)('by %s is %s', (code, status) => {
    expect(judgementOf(verdict([code, holder]), holder)).toMatchObject({ kind: 'bad', status })
  })

  test('is good when nothing speaks against it, and unknown when only revocation cannot be had', () => {
    expect(judgementOf(verdict(), holder)).toEqual({ kind: 'good' })
    for (const code of ['revocation.unknown', 'revocation.stale'] as const)
      for (const whose of [holder, issuer]) expect(judgementOf(verdict([code, whose]), holder).kind).toBe('unknown')
  })

  test('is UNTRUSTED where an issuer expired or was revoked', () => {
    for (const code of ['validity.expired', 'revocation.revoked'] as const)
      expect(judgementOf(verdict([code, issuer]), holder)).toMatchObject({ kind: 'bad', status: 'UNTRUSTED' })
  })

  test('goes by the gravest of several reasons', () => {
    const all = verdict(['revocation.unknown', holder], ['chain.no-path', issuer], ['validity.expired', holder])
    expect(judgementOf(all, holder)).toMatchObject({
      status: 'EXPIRED',
      reason: {
        'en-US': 'The validity of the certificate has ended.',
        'pt-BR': 'A validade do certificado terminou.',
      },
    })
  })
})

describe('after a judgement', () => {
  const unknown = {
    kind: 'unknown',
    reason: { 'en-US': 'Nobody answered.', 'pt-BR': 'Ninguém respondeu.' },
    finding: { code: 'revocation.unknown', whose: 'issuer', issuer: 'AC Raiz' },
  } as const

  test('that is good, the certificate is ACTIVE and was found good now', () => {
    expect(verdictAfter({ status: 'REVOKED', good_at: null }, { kind: 'good' }, now, STALE_AFTER)).toEqual({
      status: 'ACTIVE',
      status_reason: null,
      status_finding: null,
      checked_at: now.toISOString(),
      good_at: now.toISOString(),
    })
  })

  test.each([
    ['ACTIVE', ago(STALE_AFTER), 'ACTIVE'],
    ['ACTIVE', ago(STALE_AFTER + 1), 'STALE'],
    ['STALE', ago(MINUTE), 'ACTIVE'],
    ['STALE', null, 'STALE'],
    ['UNTRUSTED', ago(MINUTE), 'STALE'],
    ['REVOKED', ago(MINUTE), 'REVOKED'],
  ] as const)('that nobody can make, one that was %s and good at %s is %s', (status, good_at, expected) => {
    expect(verdictAfter({ status, good_at }, unknown, now, STALE_AFTER)).toMatchObject({
      status: expected,
      good_at,
      status_finding: '{"code":"revocation.unknown","whose":"issuer","issuer":"AC Raiz"}',
    })
  })
})

describe('the status by the clock', () => {
  test.each([
    ['ACTIVE', ago(MINUTE), ago(-MINUTE), 'ACTIVE'],
    ['ACTIVE', ago(MINUTE), ago(MINUTE), 'EXPIRED'],
    ['ACTIVE', ago(STALE_AFTER + 1), ago(-MINUTE), 'STALE'],
    ['ACTIVE', null, ago(-MINUTE), 'STALE'],
    ['REVOKED', ago(MINUTE), ago(MINUTE), 'REVOKED'],
  ] as const)('of %s, good at %s and over at %s, is %s', (status, good_at, not_after, expected) => {
    expect(statusNow({ status, good_at, not_after }, now, STALE_AFTER)).toBe(expected)
  })
})
