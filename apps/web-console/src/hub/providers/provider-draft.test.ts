import { expect, test } from 'vitest'
import type { Knob } from '../api/types.ts'
import { asChange, asText, draftOfPreset, isKnobText, knobsFrom } from './provider-draft.ts'

const knob = (name: string, kind: Knob['kind']): Knob => ({
  name,
  protocol: 'psc',
  kind,
  values: [],
  default: null,
  description: '',
})

const known = [
  knob('hashEncoding', 'choice'),
  knob('loginHint', 'flag'),
  knob('maxHashesPerCall', 'count'),
  knob('caBundle', 'text'),
  knob('paths', 'texts'),
]

test('what was typed becomes values of their kinds, and what was left empty is decided by the preset', () => {
  const typed = {
    hashEncoding: 'hex',
    loginHint: 'false',
    maxHashesPerCall: '5',
    caBundle: ' ',
    paths: ' a=/b \n\nc=/d',
  }
  expect(knobsFrom(typed, known, {})).toEqual({
    hashEncoding: 'hex',
    loginHint: false,
    maxHashesPerCall: 5,
    paths: ['a=/b', 'c=/d'],
  })
})

test('a knob of a version newer than this page stays as it was, one that was emptied goes', () => {
  const former = { newer: 'kept', maxHashesPerCall: 5 }
  expect(knobsFrom({ maxHashesPerCall: '' }, known, former)).toEqual({ newer: 'kept' })
})

test('values are shown as they are typed', () => {
  expect([['a', 'b'], false, 5, null, undefined].map(asText)).toEqual(['a\nb', 'false', '5', '', ''])
})

test('a count is a whole number above zero', () => {
  expect(['', '5', '0', '-1', '1.5', 'x'].map((text) => isKnobText(known[2]!, text))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

test('a secret that was not typed is not sent, and a missing badge or proxy is none', () => {
  const preset = {
    name: 'birdid',
    title: 'BirdID',
    protocol: 'psc',
    serviceName: 'BirdID',
    provider: 'Soluti',
    endpoint: 'https://api.example.com/v0',
    testEndpoint: null,
    knobs: { hashEncoding: 'hex' },
  } as const
  const change = asChange({ ...draftOfPreset(preset), clientId: ' hub ', tlsKey: ' ' }, known)
  expect(change).toEqual({
    serviceName: 'BirdID',
    provider: 'Soluti',
    endpoint: 'https://api.example.com/v0',
    badgeUrl: null,
    clientId: 'hub',
    proxy: null,
    knobs: {},
  })
})
