import { expect, test } from 'vitest'
import { faultsOf } from '../../test/texts.ts'
import { chooserTexts } from './chooser-texts.ts'

test('every text says something and fills in the same values in each language', () => {
  expect(faultsOf(chooserTexts)).toEqual([])
})
