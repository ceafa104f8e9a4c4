import { consoleErrors, errors, eventTypes, verdictFindings } from '@chancela/session-server/contract'
import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/texts.ts'
import type { Catalogue } from '../../shared/i18n/catalogue.ts'
import { allTexts } from './all-texts.ts'
import { codeTexts } from './code-texts.ts'
import { eventKinds } from './event-kinds.ts'
import { failureTexts } from './failure-texts.ts'
import { verdictReasons } from './verdict-reasons.ts'

const catalogues = Object.entries(allTexts) as [string, Catalogue<object>][]

test.each(catalogues)(
  'every text of %s says something and fills in the same values in each language',
  (_, catalogue) => {
    expect(faultsOf(catalogue)).toEqual([])
  },
)

test('every explanation of a code and of an event says something in each language', () => {
  expect([
    ...faultsOf(codeTexts),
    ...faultsOf(eventKinds),
    ...faultsOf(failureTexts),
    ...faultsOf(verdictReasons),
  ]).toEqual([])
})

test('every code of the console and of the log is explained, and no explanation outlives its code', () => {
  const codes = new Set([...Object.keys(consoleErrors), ...Object.keys(errors)])
  expect(Object.keys(codeTexts['en-US']).sort()).toEqual([...codes].sort())
})

test('every kind of event has words, and no words outlive their kind', () => {
  expect(Object.keys(eventKinds['en-US']).sort()).toEqual([...eventTypes].sort())
})

test('every reason of a verdict has words', () => {
  expect(Object.keys(verdictReasons['pt-BR']).sort()).toEqual([...verdictFindings].sort())
})
