import { errors, recordedCodes, shownCodes } from '@chancela/batch-signer/contract'
import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/texts.ts'
import type { Catalogue } from '../../shared/i18n/catalogue.ts'
import { codeTexts } from './code-texts.ts'
import { dashboardTexts } from './dashboard-texts.ts'

const catalogues = Object.entries(dashboardTexts) as [string, Catalogue<object>][]

test.each(catalogues)(
  'every text of %s says something and fills in the same values in each language',
  (_, catalogue) => {
    expect(faultsOf(catalogue)).toEqual([])
  },
)

test('every explanation of a code says something in each language', () => {
  expect(faultsOf(codeTexts)).toEqual([])
})

test('every code of the service is explained, and no explanation outlives its code', () => {
  const codes = new Set([...Object.keys(errors), ...Object.keys(recordedCodes), ...shownCodes])
  expect(Object.keys(codeTexts['en-US']).sort()).toEqual([...codes].sort())
})
