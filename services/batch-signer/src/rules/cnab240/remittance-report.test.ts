import { buildRemittance, remittanceRecords } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { remittanceHistoryLines } from '../remittance-history.ts'
import { findingTexts } from './finding-texts.ts'
import { readRemittance } from './read-remittance.ts'
import type { RemittanceReading } from './remittance.ts'
import { remittanceReportText } from './remittance-report.ts'
import { fileOf, withColumns } from './test-support/bend.ts'

const payments = [
  { amountCentavos: 123_456, payeeId: '52998224725', paymentDate: '2030-01-20' },
  { amountCentavos: 500, movement: '9', payeeName: 'OUTRO' },
] as const
const good = readRemittance(buildRemittance({ payments, fileSequence: 7 }))
const records = remittanceRecords({ payments })
const bad = readRemittance(fileOf(withColumns(withColumns(records, 3, 120, ' '.repeat(15)), 8, 18, '000009')))

const history = (reading: RemittanceReading) => remittanceHistoryLines(reading).map(({ text }) => text)

describe('the report on a compliant remittance', () => {
  test('says in Portuguese what the file pays', () => {
    const lines = remittanceReportText(good, { locale: 'pt-BR' }).split('\n')
    expect(lines).toEqual([
      'Remessa CNAB240 em conformidade.',
      'Banco: 001 Banco do Brasil',
      'Pagador: EMPRESA DE EXEMPLO LTDA, 11222333000181',
      'Sequência do arquivo: 7',
      'Total: R$ 1.234,56, 1 pagamento(s) em 1 lote(s)',
      'Maior pagamento: R$ 1.234,56',
      'Exclusões de pagamentos anteriores (não abatidas): 1',
      'Datas de pagamento: 20/01/2030',
      `SHA-256: ${good.ok && good.summary.contentSha256}`,
      '',
      'Pagamentos:',
      '  Registro 3: R$ 1.234,56, 20/01/2030, FORNECEDOR DE EXEMPLO, 52998224725, 237 / 1234-5 / 67890-1, TED de outro titular',
      '  Registro 5: exclusão, R$ 5,00, 15/01/2030, OUTRO, 237 / 1234-5 / 67890-1, TED de outro titular',
    ])
  })

  test('says the same in English', () => {
    const text = remittanceReportText(good, { locale: 'en-US' })
    expect(text).toContain('Total: R$ 1.234,56, 1 payment(s) in 1 batch(es)')
    expect(text).toContain('Record 5: exclusion, R$ 5,00')
  })

  test('lists the first payments and counts the rest', () => {
    const many = Array.from({ length: 53 }, () => ({ amountCentavos: 1 }))
    const text = remittanceReportText(readRemittance(buildRemittance({ payments: many })), { locale: 'en-US' })
    expect(text.match(/^ {2}Record/gm)).toHaveLength(50)
    expect(text).toContain('… and 3 more.')
  })

  test('is one line in the job history, and one per warning', () => {
    const mixed = readRemittance(buildRemittance({ payments: [{ amountCentavos: 100, form: '88' }] }))
    expect(history(mixed)).toEqual([
      'CNAB240 remittance of EMPRESA DE EXEMPLO LTDA for bank 001 Banco do Brasil: 1 payment(s), R$ 1,00, 0 exclusion(s), payment dates 15/01/2030.',
      'Warning: Record 2, columns 12 to 13: The form of entry "88" is not one of the published forms.',
    ])
  })
})

describe('the report on a refused file', () => {
  test('says what is wrong, where, and what was expected', () => {
    expect(remittanceReportText(bad, { locale: 'pt-BR' })).toContain(
      '  Registro 3, colunas 120 a 134: O valor deve ter 15 dígitos, em centavos; encontrado "               ".',
    )
    expect(history(bad)).toEqual([
      'Not a compliant CNAB240 remittance: 2 violation(s).',
      'Record 3, columns 120 to 134: The amount must be 15 digits, in centavos; found "               ".',
      'Record 8, columns 18 to 23: The file trailer must count 1 batch(es); it says "000009".',
      'Warning: Record 7, columns 24 to 41: The batch trailer sums 123956 centavos but its payments add up to 500.',
      'Warning: File: The file includes no payment.',
    ])
  })

  test('says when the list is cut', () => {
    const noise = readRemittance(Buffer.alloc(10_000, '\n'))
    expect(remittanceReportText(noise, { locale: 'pt-BR' })).toContain('A lista foi cortada: há mais.')
    expect(history(noise).at(-1)).toBe('The list is cut: 980 more violation(s) were found.')
  })
})

test('every finding says the same values in both languages', () => {
  const blanks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()
  for (const [code, text] of Object.entries(findingTexts)) {
    expect(blanks(text['pt-BR']), code).toEqual(blanks(text['en-US']))
  }
})
