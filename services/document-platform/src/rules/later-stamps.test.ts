import { describe, expect, test } from 'vitest'
import type { FlowStep } from '../store/tables.ts'
import type { ActionOptions } from './flow-plan.ts'
import { mayBeStampedLater } from './later-stamps.ts'
import type { ActionType } from './vocabulary.ts'

type Mark = NonNullable<ActionOptions['prePositionedMarks']>[number]
const mark: Mark = { pageNumber: 1, topLeftX: 50, topLeftY: 50, width: 100, height: 40 }

const step = (id: string, options: ActionOptions = {}, type: ActionType = 'Signer', required = 1): FlowStep =>
  ({ action: { id, type, required, options: JSON.stringify(options) }, participants: [] }) as unknown as FlowStep

describe('stamps may come after a signature', () => {
  const own = step('own')
  test.each<readonly [string, ActionOptions, boolean]>([
    ['one mark, that of the signature', { prePositionedMarks: [mark] }, false],
    ['two marks', { prePositionedMarks: [mark, mark] }, true],
    [
      'initials, beside which the signature may be placed',
      { prePositionedMarks: [{ ...mark, type: 'SignatureInitials' }] },
      true,
    ],
    ['initials as the signer likes', { signatureInitialsMode: 'Optional' }, true],
    ['no initials', { signatureInitialsMode: 'None' }, false],
    ['an electronic signature, with marks as the signer likes', { allowElectronicSignature: true }, true],
    ['nothing', {}, false],
  ])('of another signer with %s', (_what, options, expected) => {
    expect(mayBeStampedLater([own, step('other', options)], own)).toBe(expected)
  })

  const electronic = { allowElectronicSignature: true }
  test('but not of the signer alone, whose stamps come with the signature', () => {
    const alone = step('own', electronic)
    expect(mayBeStampedLater([alone], alone)).toBe(false)
  })

  test('nor of somebody who approves', () => {
    expect(mayBeStampedLater([own, step('other', electronic, 'Approver')], own)).toBe(false)
  })

  test('and of the others of a rule as long as it asks for more of them', () => {
    const [one, two] = [step('own', electronic, 'SignRule', 1), step('own', electronic, 'SignRule', 2)]
    expect(mayBeStampedLater([one], one)).toBe(false)
    expect(mayBeStampedLater([two], two)).toBe(true)
  })
})
