import { describe, expect, it, test } from 'vitest'
import { JobFailure } from './job-failure.ts'
import { reasonOf } from './job-reason.ts'
import {
  eventIn,
  lineIn,
  listed,
  type Said,
  type SentenceKey,
  said,
  saidBoth,
  saidFailure,
  sentenceTexts,
  telling,
  together,
  toldIn,
  words,
} from './sentences.ts'

const namesIn = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort()

/** What English sentences have and no Portuguese one does. */
const ENGLISH = /\b(the|is|was|were|cannot|could|not|file|files|folder|of|and|to|by|which|its?|jobs?)\b/i

const keys = Object.keys(sentenceTexts) as SentenceKey[]

/** Every fact as a mark of its own; the types of `said` ask for the facts of one key. */
const sample = (key: SentenceKey): Said => {
  const facts = Object.fromEntries(namesIn(sentenceTexts[key]['en-US']).map((name) => [name, `«${name}»`]))
  return (said as (key: SentenceKey, facts?: object) => Said)(
    key,
    namesIn(sentenceTexts[key]['en-US']).length > 0 ? facts : undefined,
  )
}

const inPortuguese = ({ text, told }: Said) => toldIn('pt-BR', text, JSON.parse(JSON.stringify(told)))

describe('a sentence that is stored', () => {
  it.each(keys)('%s has both languages, the same facts, and none left over', (key) => {
    const texts = sentenceTexts[key]
    expect(namesIn(texts['pt-BR'])).toEqual(namesIn(texts['en-US']))
    const one = sample(key)
    expect(toldIn('en-US', one.text, one.told)).toBe(one.text)
    expect(one.text).not.toMatch(/[{}]/)
    const told = inPortuguese(one)
    for (const name of namesIn(texts['pt-BR'])) expect(told).toContain(`«${name}»`)
    expect(told).not.toMatch(/[{}]/)
    // Names of folders, formats and files are the same everywhere.
    expect(told.replace(/«\w+»|output\/|error\/|processing\//g, '')).not.toMatch(ENGLISH)
  })

  it('may hold another as a fact, several of them, or a list', () => {
    const kept = said('kept-input', { path: '/in/a', why: said('open-elsewhere') })
    expect(inPortuguese(said('input-left', { why: kept }))).toBe(
      'O arquivo de entrada ficou no lugar: entrada /in/a: outro programa o tem aberto para escrita, ou mantém um bloqueio sobre ele.',
    )
    const files = listed([said('file-output', { name: 'a.p7s' }), said('file-input', { path: '/in/a' })])
    const both = together(said('removed', { files }), false, undefined, said('canceled'))
    expect(both.text).toBe('Removed: output/a.p7s, input /in/a. Operator canceled.')
    expect(inPortuguese(both)).toBe('Removidos: output/a.p7s, entrada /in/a. Cancelado por um operador.')
  })

  it('may hold why a job failed, or what the signature engine says', () => {
    const failure = new JobFailure('job.storage-failed', reasonOf('output-not-written', { errno: 'EIO' }))
    expect(failure.said.text).toBe(failure.message)
    expect(inPortuguese(said('waits-again', { why: failure.said }))).toBe(
      'Aguarda de novo: Os arquivos do trabalho não puderam ser lidos ou gravados. A saída não pôde ser gravada (EIO).',
    )
    expect(inPortuguese(saidBoth({ 'en-US': 'Broken.', 'pt-BR': 'Quebrada.' }))).toBe('Quebrada.')
    expect(inPortuguese(saidFailure({ code: 'gone.code', error: 'Something.' }))).toBe('Something.')
  })

  it('takes braces and names of facts in a value as they are', () => {
    const tricky = said('canceled-for', { reason: '{file} $& {reason}' })
    expect(tricky.text).toBe('Operator canceled: {file} $& {reason}.')
    expect(inPortuguese(tricky)).toBe('Cancelado por um operador: {file} $& {reason}.')
  })
})

describe('the lines of every file that is signed are stored as their words, and told in both languages', () => {
  const place = { length: 7, folder: 'output/', name: 'as built as $& (1).signed.pdf' }
  const signed = { length: 1, sha256: 'ab', format: 'Pades' }
  test.each([
    [words('found', { folder: 'caixa' }), 'Encontrado na pasta de entrada caixa.'],
    [words('found-by-rescan', { folder: 'caixa' }), 'Encontrado na pasta de entrada caixa por uma nova varredura.'],
    [words('picked-up', {}), 'Iniciado.'],
    [words('signed', signed), 'Assinados 1 bytes, SHA-256 ab, como Pades.'],
    [words('verified', place), `Verificado; 7 bytes postos em output/ como ${place.name}.`],
    [
      words('not-verified', place),
      `Não verificado, porque o perfil não o pede; 7 bytes postos em output/ como ${place.name}.`,
    ],
  ])('%s', (text, told) => {
    expect([lineIn('pt-BR', text, null), lineIn('en-US', text, null)]).toEqual([told, text])
  })
})

describe('what other versions stored', () => {
  test('English words alone are told as they are', () => {
    expect(lineIn('pt-BR', 'Done by hand.', null)).toBe('Done by hand.')
    expect(eventIn('pt-BR', { text: 'Done.' })).toBe('Done.')
    expect(eventIn('pt-BR', { text: 'Done.', data: { folder: 'a' } })).toBe('Done.')
  })

  test('a sentence of a later version is told in English, also inside another', () => {
    expect(lineIn('pt-BR', 'It is new.', '[{"key":"of-tomorrow"}]')).toBe('It is new.')
    const inside = '[{"key":"waits-again","facts":{"why":[{"key":"of-tomorrow"}]}}]'
    expect(lineIn('pt-BR', 'Waits again: it is new.', inside)).toBe('Waits again: it is new.')
    expect(lineIn('pt-BR', 'No key.', '[{"key":"constructor"}]')).toBe('No key.')
  })
})

test('an event keeps its sentence with its data, and is found in either language', () => {
  const event = telling(said('found', { folder: 'caixa' }), { pid: 7 })
  expect(event).toStrictEqual({
    text: 'Found in the input folder caixa.',
    translations: ['Encontrado na pasta de entrada caixa.'],
    data: { pid: 7, said: [{ key: 'found', facts: { folder: 'caixa' } }] },
  })
  expect(eventIn('pt-BR', event)).toBe('Encontrado na pasta de entrada caixa.')
  expect(eventIn('en-US', event)).toBe('Found in the input folder caixa.')
})
