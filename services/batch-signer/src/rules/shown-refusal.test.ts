import { describe, expect, it } from 'vitest'
import { type ShownCode, shownCodes } from '../contract/errors.ts'
import { toldIn } from './sentences.ts'
import { type ShownDetail, ShownRefusal, shownDetails } from './shown-refusal.ts'

/** What the English sentences have and no Portuguese one does. */
const ENGLISH = /\b(the|is|was|were|cannot|could|not|file|of|and|to|which|it)\b/i

const inPortuguese = ({ said }: ShownRefusal): string => toldIn('pt-BR', said.text, said.told)

describe('what a signing approver is shown', () => {
  it.each(shownCodes)('says %s in both languages', (code: ShownCode) => {
    const refusal = new ShownRefusal(code)
    expect(refusal.message).toMatch(ENGLISH)
    expect(inPortuguese(refusal)).not.toMatch(ENGLISH)
  })

  it.each(Object.keys(shownDetails) as ShownDetail[])('says why: %s, after the code, in both languages', (detail) => {
    const code = 'approval.signature-conflict'
    const refusal = new ShownRefusal(code, detail)
    expect(refusal.message).toBe(`${new ShownRefusal(code).message} ${shownDetails[detail]['en-US']}`)
    expect(inPortuguese(refusal)).toBe(`${inPortuguese(new ShownRefusal(code))} ${shownDetails[detail]['pt-BR']}`)
    expect(inPortuguese(refusal)).not.toMatch(ENGLISH)
  })
})
