import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/texts.ts'
import { signingTexts } from './signing-texts.ts'

test('every text of signing says something and fills in the same values in each language', () => {
  expect(faultsOf(signingTexts)).toEqual([])
})
