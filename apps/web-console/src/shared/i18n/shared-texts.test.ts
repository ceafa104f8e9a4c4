import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/texts.ts'
import { sharedTexts } from './shared-texts.ts'

test('every shared text says something and fills in the same values in each language', () => {
  expect(faultsOf(sharedTexts)).toEqual([])
})
