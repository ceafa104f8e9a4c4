import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/texts.ts'
import { homeTexts } from './home-texts.ts'

test('every text of the home page says something and fills in the same values in each language', () => {
  expect(faultsOf(homeTexts)).toEqual([])
})
