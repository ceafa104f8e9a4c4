import { expect, test } from 'vitest'
import { faultsOf } from '../../test/texts.ts'
import { signerTexts } from './signer-texts.ts'

test('every text says something and fills in the same values in each language', () => {
  expect(faultsOf(signerTexts)).toEqual([])
})
