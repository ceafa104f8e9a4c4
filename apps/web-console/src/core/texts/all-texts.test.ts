import { authenticationOutcomes, consoleErrors, eventTypes } from '@chancela/pki-core/contract'
import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/texts.ts'
import type { Catalogue } from '../../shared/i18n/catalogue.ts'
import { activityTexts } from './activity-texts.ts'
import { allTexts } from './all-texts.ts'
import { codeTexts } from './code-texts.ts'
import { eventKinds } from './event-kinds.ts'

const catalogues = Object.entries({ ...allTexts, codeTexts, eventKinds }) as [string, Catalogue<object>][]

test.each(catalogues)(
  'every text of %s says something and fills in the same values in each language',
  (_, catalogue) => {
    expect(faultsOf(catalogue)).toEqual([])
  },
)

test('every code of the console is explained, and no explanation outlives its code', () => {
  expect(Object.keys(codeTexts['en-US']).sort()).toEqual(Object.keys(consoleErrors).sort())
})

test('every kind of event has words, and no words outlive their kind', () => {
  expect(Object.keys(eventKinds['en-US']).sort()).toEqual([...eventTypes].sort())
})

test('every outcome of an authentication has words', () => {
  expect(Object.keys(activityTexts['en-US'].outcomes).sort()).toEqual([...authenticationOutcomes].sort())
})
