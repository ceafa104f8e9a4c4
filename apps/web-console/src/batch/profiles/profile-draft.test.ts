import { expect, test } from 'vitest'
import type { Profile } from '../api/types.ts'
import {
  certificatesIn,
  cleanThumbprint,
  draftOf,
  emptyDraft,
  isProfileName,
  isSameDraft,
  keyKindOf,
  keyKinds,
  sourceOf,
} from './profile-draft.ts'

test('a draft holds what a form edits, and nothing of what the service derives', () => {
  const profile: Profile = {
    ...emptyDraft,
    name: 'folha',
    hasSecret: true,
    version: 7,
    state: 'ready',
    reason: null,
    key: null,
    certificateSource: 'Pkcs12',
  }
  expect(draftOf(profile)).toEqual({ ...emptyDraft, name: 'folha' })
  expect(isSameDraft(draftOf(profile), { ...emptyDraft, name: 'folha' })).toBe(true)
  expect(isSameDraft(draftOf(profile), { ...emptyDraft, name: 'folha', verify: false })).toBe(false)
})

test.each(keyKinds)('an empty source of kind %s is known as one', (kind) => {
  expect(keyKindOf(sourceOf(kind))).toBe(kind)
})

test('a thumbprint is taken as any certificate dialog shows it', () => {
  expect(cleanThumbprint('AB:cd 01')).toBe('abcd01')
  expect(cleanThumbprint('  ')).toBeNull()
})

test('every certificate of a PEM text is taken, and what is around them left out', () => {
  const pem = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`
  expect(certificatesIn(`Bag Attributes\n${pem('AAA')}\nnoise\n${pem('BBB')}\n`)).toEqual([pem('AAA'), pem('BBB')])
  expect(certificatesIn('-----BEGIN PRIVATE KEY-----')).toEqual([])
})

test('names are slugs, and the one that the form’s own address takes is refused', () => {
  expect(['folha', 'a', 'rh-2026'].every(isProfileName)).toBe(true)
  expect(['Folha', '-a', 'a-', 'a b', '', 'x'.repeat(41), 'new'].some(isProfileName)).toBe(false)
})
