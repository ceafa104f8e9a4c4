import { EngineError, engineErrorCodes } from '@chancela/signature-engine'
import { describe, expect, test } from 'vitest'
import { engineSentences } from './engine-sentences.ts'
import { JobFailure } from './job-failure.ts'
import { errorMessageIn, reasonOf, reasonOfEngine } from './job-reason.ts'

const row = ({ recorded }: JobFailure) => ({
  error_code: recorded.code,
  error_message: recorded.error,
  error_reason: recorded.reason ?? null,
})

const names = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)

describe('the reason of a failure', () => {
  test('every sentence of the engine about a PDF, an XML or a key is known in Portuguese, with no value it does not have', () => {
    const { PAdES, XAdES, 'Keys and tokens': keys } = engineErrorCodes
    const codes: Readonly<Record<string, string>> = { ...PAdES, ...XAdES, ...keys }
    expect(Object.keys(codes).filter((code) => !Object.hasOwn(engineSentences, code))).toEqual([])
    for (const [code, sentence] of Object.entries(codes))
      expect(names(sentence), code).toEqual(expect.arrayContaining(names(engineSentences[code]!)))
  })

  test('of an engine code without a Portuguese sentence keeps the English one behind the code’s', () => {
    const failure = new JobFailure('job.signing-failed', reasonOfEngine(new EngineError('key.new', 'It is new.')))
    expect(errorMessageIn('pt-BR', row(failure))).toBe('A assinatura não pôde ser feita. It is new.')
    expect(failure.recorded.errorCause).toBe('job.signing-failed/key.new')
  })

  test('of a job that recorded only a sentence has the code’s part translated, and is never lost', () => {
    const old = {
      error_code: 'job.output-exists',
      error_message: 'Output already exists at /out/a.',
      error_reason: null,
    }
    expect(errorMessageIn('pt-BR', old)).toBe('Já existe uma saída em /out/a.')
    expect(errorMessageIn('en-US', old)).toBe('Output already exists at /out/a.')
    const foreign = { error_code: 'gone.code', error_message: 'Something.', error_reason: null }
    expect(errorMessageIn('pt-BR', foreign)).toBe('Something.')
    expect(errorMessageIn('pt-BR', { error_code: null, error_message: null, error_reason: null })).toBeNull()
  })

  test('a cause is the code, and what is behind it', () => {
    const dates = reasonOf('payment-date-passed', { earliest: '01/01/2020', today: '02/01/2020' })
    expect(new JobFailure('cnab240.payment-date-passed', dates).recorded.errorCause).toBe('cnab240.payment-date-passed')
    expect(new JobFailure('job.signing-failed', reasonOf('unexpected')).recorded.errorCause).toBe(
      'job.signing-failed/unexpected',
    )
    expect(new JobFailure('job.input-held').recorded.errorCause).toBe('job.input-held')
  })
})
