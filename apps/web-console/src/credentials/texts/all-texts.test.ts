import { errors } from '@chancela/credential-platform/contract'
import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/texts.ts'
import type { Catalogue } from '../../shared/i18n/catalogue.ts'
import { allTexts } from './all-texts.ts'
import { codeTexts } from './code-texts.ts'

const catalogues = Object.entries({ ...allTexts, codeTexts }) as [string, Catalogue<object>][]

test.each(catalogues)(
  'every text of %s says something and fills in the same values in each language',
  (_, catalogue) => {
    expect(faultsOf(catalogue)).toEqual([])
  },
)

test('every code of the service is explained, and no explanation outlives its code', () => {
  expect(Object.keys(codeTexts['en-US']).sort()).toEqual(Object.keys(errors).sort())
})
