import {
  consoleErrors,
  errors,
  eventTypes,
  providerFindings,
  shownStates,
  useActions,
} from '@chancela/cloud-hub/contract'
import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/texts.ts'
import type { Catalogue } from '../../shared/i18n/catalogue.ts'
import * as offered from '../api/types.ts'
import { allTexts } from './all-texts.ts'
import { codeTexts } from './code-texts.ts'
import { eventKinds } from './event-kinds.ts'
import { checkTexts, findingTexts, operationTexts } from './finding-texts.ts'
import { knobNames } from './knob-names.ts'
import { reasonTexts } from './reason-texts.ts'

const catalogues = Object.entries({
  ...allTexts,
  codeTexts,
  eventKinds,
  knobNames,
  reasonTexts,
  checkTexts,
  findingTexts,
  operationTexts,
}) as [string, Catalogue<object>][]

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

test('every finding is told with the facts the hub gives it', () => {
  const factsIn = (text: string) => (text.match(/\{(\w+)\}/g) ?? []).sort()
  for (const [code, sentence] of Object.entries(providerFindings))
    expect([code, factsIn(findingTexts['pt-BR'][code as keyof typeof providerFindings])]).toEqual([
      code,
      factsIn(sentence),
    ])
})

test('lists narrow to every state and action there is', () => {
  expect(offered.sessionStates).toEqual(shownStates)
  expect(offered.useActions).toEqual(useActions)
})
