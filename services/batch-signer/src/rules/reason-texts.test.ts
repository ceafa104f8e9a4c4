import { describe, expect, it } from 'vitest'
import { type RecordedCode, recordedCodes } from '../contract/errors.ts'
import { conditions, type HoldReason, ProfileHeld } from './conditions.ts'
import { JobFailure } from './job-failure.ts'
import { errorMessageIn, reasonOf } from './job-reason.ts'
import { codeSentences, type DetailKey, detailTexts } from './reason-texts.ts'

const namesIn = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort()

/** What the English sentences have and no Portuguese one does. */
const ENGLISH = /\b(the|is|was|were|cannot|could|not|file|folder|of|and|to|which)\b/i

const keys = Object.keys(detailTexts) as DetailKey[]

const inPortuguese = ({ recorded: { code, error, reason } }: JobFailure) =>
  errorMessageIn('pt-BR', { error_code: code, error_message: error, error_reason: reason ?? null })

describe('the reasons of the service', () => {
  it.each(Object.keys(recordedCodes) as RecordedCode[])('say %s in both languages', (code) => {
    expect(codeSentences[code]['pt-BR']).not.toBe(codeSentences[code]['en-US'])
    expect(inPortuguese(new JobFailure(code))).not.toMatch(ENGLISH)
  })

  it.each(keys)('say %s in both languages, with facts that both know', (key) => {
    const facts = Object.fromEntries(namesIn(detailTexts[key]['en-US']).map((name) => [name, `«${name}»`]))
    const told = inPortuguese(new JobFailure('job.storage-failed', reasonOf(key, { ...facts, count: 1 })))
    expect(told?.replace(/«\w+»/g, '')).not.toMatch(ENGLISH)
    expect(told).not.toMatch(/\{\w+\}/)
    for (const name of namesIn(detailTexts[key]['pt-BR'])) expect([...Object.keys(facts), 'count']).toContain(name)
  })

  it.each(Object.keys(conditions) as HoldReason[])(
    'say the condition %s, whatever others said in English',
    (reason) => {
      const held = new ProfileHeld(reason, 'Said by the token in English: the slot is empty.')
      expect(held.message).toContain('Said by the token in English')
      expect(inPortuguese(held)).toBe(`${codeSentences[held.code]['pt-BR']} ${detailTexts[reason]['pt-BR']}`)
    },
  )
})
