import { consoleErrors, errors, eventTypes, shownStates, useActions } from '@chancela/cloud-hub/contract'
import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/texts.ts'
import type { Catalogue } from '../../shared/i18n/catalogue.ts'
import * as offered from '../api/types.ts'
import { allTexts } from './all-texts.ts'
import { codeTexts } from './code-texts.ts'
import { eventKinds } from './event-kinds.ts'
import { knobNames } from './knob-names.ts'
import { reasonTexts } from './reason-texts.ts'

const catalogues = Object.entries({ ...allTexts, codeTexts, eventKinds, knobNames, reasonTexts }) as [
  string,
  Catalogue<object>,
][]

test.each(catalogues)(
  'every text of %s says something and fills in the same values in each language',
  (_, catalogue) => {
    expect(faultsOf(catalogue)).toEqual([])
  },
)

test('every code of the console and of the audit is explained, and no explanation outlives its code', () => {
  const codes = new Set([...Object.keys(consoleErrors), ...Object.keys(errors)])
  expect(Object.keys(codeTexts['en-US']).sort()).toEqual([...codes].sort())
})

test('every kind of event has words, and no words outlive their kind', () => {
  expect(Object.keys(eventKinds['en-US']).sort()).toEqual([...eventTypes].sort())
})

test('lists narrow to every state and action there is', () => {
  expect(offered.sessionStates).toEqual(shownStates)
  expect(offered.useActions).toEqual(useActions)
})
