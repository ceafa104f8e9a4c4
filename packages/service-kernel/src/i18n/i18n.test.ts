import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createCatalogue, formatDate, formatNumber, LANGUAGES, negotiate } from './index.ts'

describe('the language of an answer', () => {
  const supported = LANGUAGES

  test.each([
    [undefined, 'en-US'],
    ['', 'en-US'],
    ['pt-BR', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['en-GB', 'en-US'],
    ['es-ES', 'es'],
    ['es-419,es;q=0.9', 'es'],
    ['PT-br', 'pt-BR'],
    ['fr,pt;q=0.5', 'pt-BR'],
    ['en;q=0.4, pt;q=0.6', 'pt-BR'],
    ['en;q=0.5, es;q=0.5', 'en-US'],
    ['es ; q=0.8 , en ; q=0.7', 'es'],
    ['pt-PT, es;q=0.9', 'pt-BR'],
    ['*', 'en-US'],
    ['fr, *;q=0.1', 'en-US'],
    ['en-US;q=0, *', 'pt-BR'],
    ['pt;q=0, es', 'es'],
    ['en;q=0, *', 'pt-BR'],
    ['en;q=0, en-US', 'en-US'],
    ['en-GB;q=0, en;q=0.5', 'en-US'],
    ['fr', 'en-US'],
    ['de;q=1.000, fr;q=0', 'en-US'],
    ['en;q=2, es;q=0.1', 'es'],
    [';;;,q=1,pt-BR;q=x,=,es', 'es'],
    [`${'x,'.repeat(10_000)}pt`, 'en-US'],
  ])('for %j is %s', (header, language) => {
    expect(negotiate(header, supported, 'en-US')).toBe(language)
  })

  test('is always one that is supported, whatever the header', () => {
    const header = fc.oneof(
      fc.string({ unit: 'binary-ascii' }),
      fc
        .array(fc.constantFrom('pt', 'en-US', '*', ';q=', '0.5', ',', '-', ' ', 'zz', '0'))
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(header, (text) => {
        expect(supported).toContain(negotiate(text, supported, 'en-US'))
      }),
    )
  })
})

describe('a catalogue', () => {
  const catalogue = createCatalogue(LANGUAGES, {
    'job.completed': { 'pt-BR': 'Concluído', 'en-US': 'Completed', es: 'Completado' },
    greeting: { 'pt-BR': 'Olá, {{name}}!', 'en-US': 'Hello, {{name}}!', es: '¡Hola, {{name}}!' },
    'jobs:waiting': {
      'pt-BR': { zero: 'Nenhum documento', one: '{{count}} documento', other: '{{count}} documentos' },
      'en-US': { one: '{{count}} document', other: '{{count}} documents' },
      es: { one: '{{count}} documento', other: '{{count}} documentos', many: '{{count}} de documentos' },
    },
    nothing: { 'pt-BR': '', 'en-US': '', es: '' },
  })
  const [portuguese, english, spanish] = [
    catalogue.translator('pt-BR'),
    catalogue.translator('en-US'),
    catalogue.translator('es'),
  ]

  test('says each text in each language', () => {
    expect([portuguese, english, spanish].map((say) => say('job.completed'))).toStrictEqual([
      'Concluído',
      'Completed',
      'Completado',
    ])
    expect(english('nothing')).toBe('')
  })

  test('inserts parameters as they are, without reading more into them', () => {
    expect(portuguese('greeting', { name: 'José & Cia <b>' })).toBe('Olá, José & Cia <b>!')
    expect(english('greeting', { name: '{{count}} $t(nothing)' })).toBe('Hello, {{count}} $t(nothing)!')
  })

  test('knows singular, plural, zero and the form for whole millions', () => {
    expect([0, 1, 2, 1_000_000].map((count) => portuguese('jobs:waiting', { count }))).toStrictEqual([
      'Nenhum documento',
      '1 documento',
      '2 documentos',
      '1000000 documentos',
    ])
    expect([0, 1, 2].map((count) => english('jobs:waiting', { count }))).toStrictEqual([
      '0 documents',
      '1 document',
      '2 documents',
    ])
    expect(spanish('jobs:waiting', { count: 1_000_000 })).toBe('1000000 de documentos')
  })

  test('does not share keys with another one, and speaks only the languages it has', () => {
    const other = createCatalogue(['en-US'], { greeting: { 'en-US': 'Good day' } })
    expect(other.translator('en-US')('greeting')).toBe('Good day')
    expect(other.languages).toStrictEqual(['en-US'])
    expect(english('greeting', { name: 'x' })).toBe('Hello, x!')
  })

  test('does not compile with a missing translation, an unknown key or a missing parameter', () => {
    const wrong = () => {
      // @ts-expect-error es is missing
      createCatalogue(LANGUAGES, { a: { 'pt-BR': 'x', 'en-US': 'x' } })
      // @ts-expect-error no such key
      english('job.lost')
      // @ts-expect-error the name is missing
      english('greeting')
      // @ts-expect-error another parameter
      english('greeting', { nome: 'x' })
      // @ts-expect-error a plural counts
      english('jobs:waiting', { count: 'two' })
      // @ts-expect-error a language it does not have
      createCatalogue(['en-US'], { a: { 'en-US': 'x' } }).translator('es')('a')
    }
    expect(wrong).toThrow()
  })

  test('whose languages ask for different parameters is refused', () => {
    expect(() => createCatalogue(['pt-BR', 'en-US'], { a: { 'pt-BR': '{{nome}}', 'en-US': '{{name}}' } })).toThrow(
      /"a".*nome/,
    )
  })

  test('prints nothing when it is made', () => {
    const prints = (['log', 'info', 'warn'] as const).map((method) => vi.spyOn(console, method))
    createCatalogue(['pt-BR'], { a: { 'pt-BR': 'x' } }).translator('pt-BR')('a')
    for (const print of prints) expect(print).not.toHaveBeenCalled()
  })
})

describe('dates and numbers', () => {
  const newYear = new Date('2026-01-01T01:30:00Z')

  test('are written as people of the language do, in the time zone that was asked for', () => {
    expect(formatDate(newYear, 'pt-BR', 'America/Sao_Paulo')).toBe('31/12/2025, 22:30:00')
    expect(formatDate(newYear, 'pt-BR', 'UTC', 'date')).toBe('01/01/2026')
    expect(formatDate(newYear, 'en-US', 'America/Sao_Paulo', 'date')).toBe('12/31/25')
    expect(formatDate(newYear, 'es', 'America/Manaus', 'long-date')).toBe('31 de diciembre de 2025')
    expect(formatNumber(1234.5, 'pt-BR', 2)).toBe('1.234,50')
    expect(formatNumber(1234.5, 'en-US')).toBe('1,234.5')
    expect(formatNumber(12345n, 'es')).toBe('12.345')
  })

  test('refuse a time zone that does not exist', () => {
    expect(() => formatDate(newYear, 'pt-BR', 'America/Nowhere')).toThrow(RangeError)
  })
})
